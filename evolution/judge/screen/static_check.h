// SPDX-License-Identifier: Apache-2.0
//
// The judge's first stage: it finds forbidden text in a variant before any build. It works on tokens without
// types, so it catches honest mistakes and simple cheats; later stages do not rely on it.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/individual.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::screen {

struct StaticFinding {
  int line = 0;  ///< line of the variant, from 1; 0: the whole file
  std::string reason;
};

/// All findings in the order of lines; empty if the variant may be built.
std::vector<StaticFinding> static_findings(std::string_view variant, const spec::KernelSpec &spec);

/// The verdict `rejected` at stage "static" with all findings in its reason; nullopt if there are none.
std::optional<model::Verdict> static_check(const model::Individual &individual, const spec::KernelSpec &spec);

}  // namespace cupilot::judge::screen
