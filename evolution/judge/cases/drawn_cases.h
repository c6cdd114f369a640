// SPDX-License-Identifier: Apache-2.0
//
// Adds the cases of sizes drawn at random (drawn_sizes.h). Pure.

#pragma once

#include <cstdint>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

struct Centre {
  spec::Workload workload;    ///< neighbours and drawn sizes are taken around this one
  bool large = false;         ///< its data are
  spec::Workload moderate{};  ///< what need not have the workload's own size is made around this one
};

/// Both seeds in one.
std::uint64_t secret_of(const Draw &draw);

/// Each workload's sizes depend on the seeds and its name only, whatever other workloads there are.
void add_drawn_sizes(std::vector<model::Case> &cases, const spec::KernelSpec &spec,
                     const std::vector<Centre> &centres, const Draw &draw, CaseReader reader);

}  // namespace cupilot::judge::cases
