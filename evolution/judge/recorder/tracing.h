// SPDX-License-Identifier: Apache-2.0
//
// What the traced library of a variant executes (launches/host_trace.h). The host compiler puts calls of
// __sanitizer_cov_trace_* into that library, once a block and before each comparison; tracing.cpp defines
// them. What they note lies between pages without access, and has no access itself unless the traced library
// runs.

#pragma once

#include <cstdint>

#include "evolution/judge/launches/host_trace.h"
#include "evolution/judge/launches/outcomes.h"

namespace cupilot::judge::recorder {

class Tracing {
public:
  /// False when there is no memory; then nothing is noted.
  bool prepare();
  /// What calls come from a library that is loaded there is noted from here to end().
  void begin(std::uintptr_t base);
  /// The same for one call whose outcomes are asked for: they are noted by themselves.
  void begin_outcomes(std::uintptr_t base);
  void end();

  /// Everything noted so far.
  launches::HostTrace take();
  /// Of the last begin_outcomes().
  launches::Outcomes take_outcomes();

  void block(std::uintptr_t site, std::uintptr_t frame);
  void comparison(std::uintptr_t site, launches::HostComparison one);
  void choice(std::uintptr_t site, std::uint64_t value, const std::uint64_t *labels);

private:
  struct Notes;
  Notes *notes_ = nullptr;
  std::uintptr_t base_ = 0;
  bool open_ = false;
  bool outcomes_only_ = false;
};

Tracing &tracing();

}  // namespace cupilot::judge::recorder
