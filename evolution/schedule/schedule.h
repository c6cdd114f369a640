// SPDX-License-Identifier: Apache-2.0
//
// Schedules: ways to compute a lifted form (annotate/spec/lifted.h) on a GPU. Each writes short, readable
// CUDA with knobs, or says in words about the user's kernel why it does not apply. Nothing here proves that a
// variant is right or fast: search and judge decide. Pure.

#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/individual.h"

namespace cupilot::schedule {

struct Written {
  std::string variant;  ///< a whole variant file (docs/writing-a-variant.md)
  std::vector<model::Knob> knobs;
  std::string summary;  ///< "a warp a row, the row in registers"
};
struct Refusal {
  std::string reason;
  int line = 0;  ///< in the user's file
};
using Outcome = std::expected<Written, Refusal>;

struct Schedule {
  const char *name;  ///< "row-program"; also the `rule` of its strategy
  Outcome (*write)(const spec::KernelSpec &spec);
};

/// All of them, in the order they are tried.
std::span<const Schedule> schedules();
const Schedule *find_schedule(std::string_view name);

}  // namespace cupilot::schedule
