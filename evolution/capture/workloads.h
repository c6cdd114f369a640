// SPDX-License-Identifier: Apache-2.0
//
// From launches that were seen to workloads, in the grammar of the pragma
// (annotate/directive/workload_file.h): sizes and the launch as expressions over the kernel's numbers, roles
// of buffers, what they are filled with, weights.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/capture/shapes.h"

namespace cupilot::capture {

struct WorkloadOptions {
  std::size_t most = 3;  ///< timed workloads; of further shapes one becomes a check and one a hold-out
};

struct Workloads {
  std::string text;                ///< of the workloads; empty: there are none
  std::vector<std::string> ids;    ///< "seen1", ...
  std::string missing;             ///< why there are none
  std::vector<std::string> notes;  ///< what the reader should look at
};

/// `shapes`: of this kernel.
Workloads workloads_of(const spec::KernelSpec &kernel, const std::vector<SeenShape> &shapes,
                       const WorkloadOptions &options = {});

/// The file's text: the new workloads, behind what the old text holds of others (those not called seen<n>).
/// `command`: what was run.
std::string workload_file(const std::string &old, const Workloads &workloads, const std::string &command);

}  // namespace cupilot::capture
