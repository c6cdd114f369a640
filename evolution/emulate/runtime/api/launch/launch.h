// SPDX-License-Identifier: Apache-2.0
//
// One kernel launch as the runtime's functions see it: it is checked as a driver would check it, its
// arguments are packed, it runs or is captured, and its findings become the nearest error code.

#pragma once

#include <cstddef>
#include <vector>

#include "evolution/emulate/runtime/api/abi.h"
#include "evolution/emulate/runtime/api/code/registry.h"

namespace cupilot::emulate::runtime {

struct Launch {
  Kernel *kernel = nullptr;
  abi::Dim3 grid, block;
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  std::vector<std::byte> parameters;
};

/// Arguments as cudaLaunchKernel takes them: a pointer to each.
int pack_parameters(Launch &launch, void **arguments);
/// The configuration against the device's limits and the kernel's own.
int check_launch(const Launch &launch);
int run_launch(const Launch &launch);
/// All of the above, in this stream.
int launch_kernel(const void *function, abi::Dim3 grid, abi::Dim3 block, void **arguments,
                  std::size_t shared_bytes, void *stream, bool cooperative = false);

/// The error a launch with these findings ends with; kSuccess when it ran to its end.
int error_of(const LaunchResult &result);
/// Prints findings and appends them to the report, if there is one.
void publish_findings(const std::vector<Finding> &findings);

}  // namespace cupilot::emulate::runtime
