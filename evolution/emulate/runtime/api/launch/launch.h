// SPDX-License-Identifier: Apache-2.0
//
// One kernel launch of the runtime API. It is checked as a driver would check it, its arguments are packed,
// it runs or is captured, and its findings are mapped to the nearest error code.

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

/// Packs arguments given as for cudaLaunchKernel: a pointer to each.
int pack_parameters(Launch &launch, void **arguments);
/// Checks the configuration against the limits of the device and the kernel.
int check_launch(const Launch &launch);
int run_launch(const Launch &launch);
/// Packs, checks and runs (or captures) a launch in this stream.
int launch_kernel(const void *function, abi::Dim3 grid, abi::Dim3 block, void **arguments,
                  std::size_t shared_bytes, void *stream, bool cooperative = false);

/// The error code for the findings of a launch; kSuccess when it ran to its end.
int error_of(const machine::LaunchResult &result);
/// Prints findings and appends them to the report, if there is one.
void publish_findings(const std::vector<machine::Finding> &findings);

}  // namespace cupilot::emulate::runtime
