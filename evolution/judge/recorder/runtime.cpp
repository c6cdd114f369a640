// SPDX-License-Identifier: Apache-2.0
//
// The functions of the CUDA runtime that the host side of a variant may call, and those that every program
// built with nvcc calls by itself. Launches, memsets and scratch memory are recorded; queries are answered
// from what the device reported. A library that needs any other function of the runtime does not load.

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "evolution/emulate/runtime/api/abi.h"
#include "evolution/emulate/runtime/api/attributes.h"
#include "evolution/judge/recorder/recording.h"

namespace {

using cupilot::launches::Configuration;
using cupilot::launches::recording;
namespace abi = cupilot::emulate::abi;

Configuration configured(const abi::Dim3 &grid, const abi::Dim3 &block, std::size_t shared_bytes,
                         const void *stream) {
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, stream};
}

/// Configurations on their way from <<<...>>> to the kernel's host function.
std::vector<Configuration> pushed;

/// False: no variant may use this attribute.
bool take_attribute(const abi::LaunchAttribute &attribute, const void *function, cupilot::QueuedWork &to) {
  const auto &value = attribute.value;
  switch (attribute.id) {
    case abi::kAttributeIgnore:
    case abi::kAttributeClusterPolicy:
      return true;
    case abi::kAttributeCooperative:
      to.cooperative = value.cooperative != 0;
      return true;
    case abi::kAttributeClusterDimension:
      to.cluster = {value.cluster.x, value.cluster.y, value.cluster.z};
      return true;
    case abi::kAttributeProgrammaticSerialization:
      to.programmatic = value.cooperative != 0;  // this member is an int, too
      return true;
    case abi::kAttributeCarveout:
      return recording().set_attribute(function, abi::kFuncAttributePreferredSharedMemoryCarveout,
                                       static_cast<int>(value.cluster.x)) == abi::kSuccess;
    default:
      recording().complain(
          fmt::format("launches with the launch attribute {}, which changes more than the launch itself (a "
                      "window of persisting L2, a priority, an event)",
                      attribute.id));
      return false;
  }
}

int launch_configured(const abi::LaunchConfiguration *configuration, const void *function, void **arguments) {
  if (!configuration || (configuration->attribute_count && !configuration->attributes))
    return abi::kInvalidValue;
  cupilot::QueuedWork attributes;
  for (unsigned i = 0; i < configuration->attribute_count; ++i)
    if (!take_attribute(configuration->attributes[i], function, attributes)) return abi::kNotSupported;
  return recording().launch(function,
                            configured(configuration->grid, configuration->block, configuration->shared_bytes,
                                       configuration->stream),
                            arguments, attributes);
}

int launch_plainly(const void *function, abi::Dim3 grid, abi::Dim3 block, void **arguments,
                   std::size_t shared_bytes, void *stream) {
  return recording().launch(function, configured(grid, block, shared_bytes, stream), arguments, {});
}

}  // namespace

/// Defines the alias that programs built with a default stream for each thread call.
#define CUPILOT_PER_THREAD(result, name, ...) result name##_ptsz(__VA_ARGS__) __attribute__((alias(#name)))

extern "C" {

// what constructors of built programs call
void **__cudaRegisterFatBinary(void *wrapper) {
  return static_cast<void **>(wrapper);
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) {
  return 1;
}
void __cudaRegisterFunction(void **, const char *host, char *, const char *name, int, void *, void *, void *,
                            void *, int *) {
  recording().register_kernel(host, name);
}
void __cudaRegisterVar(void **, char *, char *, const char *, int, std::size_t, int, int) {}
void __cudaRegisterManagedVar(void **, void **, char *, const char *, int, std::size_t, int, int) {}
void __cudaRegisterHostVar(void **, const char *, char *, std::size_t) {}

// launches
unsigned __cudaPushCallConfiguration(abi::Dim3 grid, abi::Dim3 block, std::size_t shared_bytes,
                                     void *stream) {
  pushed.push_back(configured(grid, block, shared_bytes, stream));
  return 0;
}
int __cudaPopCallConfiguration(abi::Dim3 *grid, abi::Dim3 *block, std::size_t *shared_bytes, void *stream) {
  if (pushed.empty()) return recording().remember(abi::kMissingConfiguration);
  const Configuration top = pushed.back();
  pushed.pop_back();
  *grid = {top.grid[0], top.grid[1], top.grid[2]};
  *block = {top.block[0], top.block[1], top.block[2]};
  *shared_bytes = top.shared_bytes;
  std::memcpy(stream, &top.stream, sizeof top.stream);
  return abi::kSuccess;
}
/// The handle of a kernel is its host function's address.
int __cudaGetKernel(const void **handle, const void *function) {
  *handle = function;
  return recording().facts(function) ? abi::kSuccess : recording().remember(abi::kInvalidDeviceFunction);
}
int cudaLaunchKernel(const void *function, abi::Dim3 grid, abi::Dim3 block, void **arguments,
                     std::size_t shared_bytes, void *stream) {
  return recording().remember(launch_plainly(function, grid, block, arguments, shared_bytes, stream));
}
CUPILOT_PER_THREAD(int, cudaLaunchKernel, const void *, abi::Dim3, abi::Dim3, void **, std::size_t, void *);
int __cudaLaunchKernel(const void *kernel, abi::Dim3 grid, abi::Dim3 block, void **arguments,
                       std::size_t shared_bytes, void *stream) {
  return recording().remember(launch_plainly(kernel, grid, block, arguments, shared_bytes, stream));
}
CUPILOT_PER_THREAD(int, __cudaLaunchKernel, const void *, abi::Dim3, abi::Dim3, void **, std::size_t, void *);
int cudaLaunchKernelExC(const abi::LaunchConfiguration *configuration, const void *function,
                        void **arguments) {
  return recording().remember(launch_configured(configuration, function, arguments));
}
CUPILOT_PER_THREAD(int, cudaLaunchKernelExC, const abi::LaunchConfiguration *, const void *, void **);

// memory
int cudaMemsetAsync(void *to, int value, std::size_t bytes, void *stream) {
  return recording().remember(recording().fill(to, value, bytes, stream));
}
CUPILOT_PER_THREAD(int, cudaMemsetAsync, void *, int, std::size_t, void *);
/// l.scratch(): see launch.cuh.
int cudaMallocAsync(void **to, std::size_t bytes, void *stream) {
  return recording().remember(recording().allocate(to, bytes, stream));
}
CUPILOT_PER_THREAD(int, cudaMallocAsync, void **, std::size_t, void *);
int cudaFreeAsync(void *, void *) {
  return abi::kSuccess;  // the session frees scratch memory after the list
}
CUPILOT_PER_THREAD(int, cudaFreeAsync, void *, void *);

// errors
int cudaGetLastError() {
  const int code = recording().last_error;
  recording().last_error = abi::kSuccess;
  return code;
}
int cudaPeekAtLastError() {
  return recording().last_error;
}
const char *cudaGetErrorName(int code) {
  return code == abi::kSuccess ? "cudaSuccess" : "cudaErrorUnknown";
}
const char *cudaGetErrorString(int code) {
  return code == abi::kSuccess ? "no error" : "an error of the CUDA runtime";
}

}  // extern "C"
