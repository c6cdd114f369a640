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

using cupilot::judge::recorder::Configuration;
using cupilot::judge::recorder::recording;
namespace abi = cupilot::emulate::runtime::abi;

cupilot::judge::recorder::Configuration configured(const cupilot::emulate::runtime::abi::Dim3 &grid,
                                                   const cupilot::emulate::runtime::abi::Dim3 &block,
                                                   std::size_t shared_bytes, const void *stream) {
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, stream};
}

/// Configurations on their way from <<<...>>> to the kernel's host function.
std::vector<cupilot::judge::recorder::Configuration> pushed;

/// False: no variant may use this attribute.
bool take_attribute(const cupilot::emulate::runtime::abi::LaunchAttribute &attribute, const void *function,
                    cupilot::judge::launches::QueuedWork &to) {
  const auto &value = attribute.value;
  switch (attribute.id) {
    case cupilot::emulate::runtime::abi::kAttributeIgnore:
    case cupilot::emulate::runtime::abi::kAttributeClusterPolicy:
      return true;
    case cupilot::emulate::runtime::abi::kAttributeCooperative:
      to.cooperative = value.cooperative != 0;
      return true;
    case cupilot::emulate::runtime::abi::kAttributeClusterDimension:
      to.cluster = {value.cluster.x, value.cluster.y, value.cluster.z};
      return true;
    case cupilot::emulate::runtime::abi::kAttributeProgrammaticSerialization:
      to.programmatic = value.cooperative != 0;  // this member is an int, too
      return true;
    case cupilot::emulate::runtime::abi::kAttributeCarveout:
      return cupilot::judge::recorder::recording().set_attribute(
                 function, cupilot::emulate::runtime::abi::kFuncAttributePreferredSharedMemoryCarveout,
                 static_cast<int>(value.cluster.x)) == cupilot::emulate::runtime::abi::kSuccess;
    default:
      cupilot::judge::recorder::recording().complain(
          fmt::format("launches with the launch attribute {}, which changes more than the launch itself (a "
                      "window of persisting L2, a priority, an event)",
                      attribute.id));
      return false;
  }
}

int launch_configured(const cupilot::emulate::runtime::abi::LaunchConfiguration *configuration,
                      const void *function, void **arguments) {
  if (!configuration || (configuration->attribute_count && !configuration->attributes))
    return cupilot::emulate::runtime::abi::kInvalidValue;
  cupilot::judge::launches::QueuedWork attributes;
  for (unsigned i = 0; i < configuration->attribute_count; ++i)
    if (!take_attribute(configuration->attributes[i], function, attributes))
      return cupilot::emulate::runtime::abi::kNotSupported;
  return cupilot::judge::recorder::recording().launch(
      function,
      configured(configuration->grid, configuration->block, configuration->shared_bytes,
                 configuration->stream),
      arguments, attributes);
}

int launch_plainly(const void *function, cupilot::emulate::runtime::abi::Dim3 grid,
                   cupilot::emulate::runtime::abi::Dim3 block, void **arguments, std::size_t shared_bytes,
                   void *stream) {
  return cupilot::judge::recorder::recording().launch(function, configured(grid, block, shared_bytes, stream),
                                                      arguments, {});
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
  cupilot::judge::recorder::recording().register_kernel(host, name);
}
void __cudaRegisterVar(void **, char *, char *, const char *, int, std::size_t, int, int) {}
void __cudaRegisterManagedVar(void **, void **, char *, const char *, int, std::size_t, int, int) {}
void __cudaRegisterHostVar(void **, const char *, char *, std::size_t) {}

// launches
unsigned __cudaPushCallConfiguration(cupilot::emulate::runtime::abi::Dim3 grid,
                                     cupilot::emulate::runtime::abi::Dim3 block, std::size_t shared_bytes,
                                     void *stream) {
  pushed.push_back(configured(grid, block, shared_bytes, stream));
  return 0;
}
int __cudaPopCallConfiguration(cupilot::emulate::runtime::abi::Dim3 *grid,
                               cupilot::emulate::runtime::abi::Dim3 *block, std::size_t *shared_bytes,
                               void *stream) {
  if (pushed.empty())
    return cupilot::judge::recorder::recording().remember(
        cupilot::emulate::runtime::abi::kMissingConfiguration);
  const cupilot::judge::recorder::Configuration top = pushed.back();
  pushed.pop_back();
  *grid = {top.grid[0], top.grid[1], top.grid[2]};
  *block = {top.block[0], top.block[1], top.block[2]};
  *shared_bytes = top.shared_bytes;
  std::memcpy(stream, &top.stream, sizeof top.stream);
  return cupilot::emulate::runtime::abi::kSuccess;
}
/// The handle of a kernel is its host function's address.
int __cudaGetKernel(const void **handle, const void *function) {
  *handle = function;
  return cupilot::judge::recorder::recording().facts(function)
             ? cupilot::emulate::runtime::abi::kSuccess
             : cupilot::judge::recorder::recording().remember(
                   cupilot::emulate::runtime::abi::kInvalidDeviceFunction);
}
int cudaLaunchKernel(const void *function, cupilot::emulate::runtime::abi::Dim3 grid,
                     cupilot::emulate::runtime::abi::Dim3 block, void **arguments, std::size_t shared_bytes,
                     void *stream) {
  return cupilot::judge::recorder::recording().remember(
      launch_plainly(function, grid, block, arguments, shared_bytes, stream));
}
CUPILOT_PER_THREAD(int, cudaLaunchKernel, const void *, cupilot::emulate::runtime::abi::Dim3,
                   cupilot::emulate::runtime::abi::Dim3, void **, std::size_t, void *);
int __cudaLaunchKernel(const void *kernel, cupilot::emulate::runtime::abi::Dim3 grid,
                       cupilot::emulate::runtime::abi::Dim3 block, void **arguments, std::size_t shared_bytes,
                       void *stream) {
  return cupilot::judge::recorder::recording().remember(
      launch_plainly(kernel, grid, block, arguments, shared_bytes, stream));
}
CUPILOT_PER_THREAD(int, __cudaLaunchKernel, const void *, cupilot::emulate::runtime::abi::Dim3,
                   cupilot::emulate::runtime::abi::Dim3, void **, std::size_t, void *);
int cudaLaunchKernelExC(const cupilot::emulate::runtime::abi::LaunchConfiguration *configuration,
                        const void *function, void **arguments) {
  return cupilot::judge::recorder::recording().remember(
      launch_configured(configuration, function, arguments));
}
CUPILOT_PER_THREAD(int, cudaLaunchKernelExC, const cupilot::emulate::runtime::abi::LaunchConfiguration *,
                   const void *, void **);

// memory
int cudaMemsetAsync(void *to, int value, std::size_t bytes, void *stream) {
  return cupilot::judge::recorder::recording().remember(
      cupilot::judge::recorder::recording().fill(to, value, bytes, stream));
}
CUPILOT_PER_THREAD(int, cudaMemsetAsync, void *, int, std::size_t, void *);
/// l.scratch(): see launch.cuh.
int cudaMallocAsync(void **to, std::size_t bytes, void *stream) {
  return cupilot::judge::recorder::recording().remember(
      cupilot::judge::recorder::recording().allocate(to, bytes, stream));
}
CUPILOT_PER_THREAD(int, cudaMallocAsync, void **, std::size_t, void *);
int cudaFreeAsync(void *, void *) {
  return cupilot::emulate::runtime::abi::kSuccess;  // the session frees scratch memory after the list
}
CUPILOT_PER_THREAD(int, cudaFreeAsync, void *, void *);

// errors
int cudaGetLastError() {
  return recording().take_error();
}
int cudaPeekAtLastError() {
  return recording().last_error();
}
const char *cudaGetErrorName(int code) {
  return code == cupilot::emulate::runtime::abi::kSuccess ? "cudaSuccess" : "cudaErrorUnknown";
}
const char *cudaGetErrorString(int code) {
  return code == cupilot::emulate::runtime::abi::kSuccess ? "no error" : "an error of the CUDA runtime";
}

}  // extern "C"
