// SPDX-License-Identifier: Apache-2.0
//
// The ways to launch a kernel: what k<<<...>>>(...) becomes in CUDA 12 and 13, and the functions people call.

#include <vector>

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/launch/launch.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

struct Pushed {
  cupilot::emulate::runtime::abi::Dim3 grid, block;
  std::size_t shared_bytes = 0;
  void *stream = nullptr;
};
/// Between <<<...>>> and the host function of the kernel, in one host thread.
thread_local std::vector<Pushed> pushed;

/// Launch attributes. Those without an effect on results are accepted; clusters are not supported.
int launch_configured(const cupilot::emulate::runtime::abi::LaunchConfiguration &configuration,
                      const void *function, void **arguments) {
  bool cooperative = false;
  for (unsigned i = 0; i < configuration.attribute_count; ++i) {
    const auto &attribute = configuration.attributes[i];
    cooperative |=
        attribute.id == cupilot::emulate::runtime::abi::kAttributeCooperative && attribute.value.cooperative;
    const auto &cluster = attribute.value.cluster;
    if (attribute.id == cupilot::emulate::runtime::abi::kAttributeClusterDimension &&
        std::uint64_t{cluster.x} * cluster.y * cluster.z > 1)
      return cupilot::emulate::runtime::refuse(cupilot::emulate::runtime::abi::kNotSupported,
                                               "thread block clusters are not supported");
  }
  return cupilot::emulate::runtime::launch_kernel(function, configuration.grid, configuration.block,
                                                  arguments, configuration.shared_bytes, configuration.stream,
                                                  cooperative);
}

}  // namespace

extern "C" {

unsigned __cudaPushCallConfiguration(cupilot::emulate::runtime::abi::Dim3 grid,
                                     cupilot::emulate::runtime::abi::Dim3 block, std::size_t shared_bytes,
                                     void *stream) {
  pushed.push_back({grid, block, shared_bytes, stream});
  return 0;
}

int __cudaPopCallConfiguration(cupilot::emulate::runtime::abi::Dim3 *grid,
                               cupilot::emulate::runtime::abi::Dim3 *block, std::size_t *shared_bytes,
                               void *stream) {
  if (pushed.empty())
    return cupilot::emulate::runtime::remember(cupilot::emulate::runtime::abi::kMissingConfiguration);
  const auto top = pushed.back();
  pushed.pop_back();
  *grid = top.grid, *block = top.block, *shared_bytes = top.shared_bytes;
  *static_cast<void **>(stream) = top.stream;
  return cupilot::emulate::runtime::abi::kSuccess;
}

int __cudaGetKernel(void **handle, const void *function) {
  const std::lock_guard lock(cupilot::emulate::runtime::call_mutex());
  *handle = cupilot::emulate::runtime::find_kernel(function);
  return *handle
             ? cupilot::emulate::runtime::abi::kSuccess
             : cupilot::emulate::runtime::remember(cupilot::emulate::runtime::abi::kInvalidDeviceFunction);
}
int cudaGetKernel(void **handle, const void *function) {
  return __cudaGetKernel(handle, function);
}
int cudaGetFuncBySymbol(void **handle, const void *function) {
  return __cudaGetKernel(handle, function);
}

int cudaLaunchKernel(const void *function, cupilot::emulate::runtime::abi::Dim3 grid,
                     cupilot::emulate::runtime::abi::Dim3 block, void **arguments, std::size_t shared_bytes,
                     void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::launch_kernel(function, grid, block, arguments, shared_bytes, stream);
  });
}
int cudaLaunchKernel_ptsz(const void *function, cupilot::emulate::runtime::abi::Dim3 grid,
                          cupilot::emulate::runtime::abi::Dim3 block, void **arguments,
                          std::size_t shared_bytes, void *stream) {
  return cudaLaunchKernel(function, grid, block, arguments, shared_bytes, stream);
}
int __cudaLaunchKernel(void *kernel, cupilot::emulate::runtime::abi::Dim3 grid,
                       cupilot::emulate::runtime::abi::Dim3 block, void **arguments, std::size_t shared_bytes,
                       void *stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
int __cudaLaunchKernel_ptsz(void *kernel, cupilot::emulate::runtime::abi::Dim3 grid,
                            cupilot::emulate::runtime::abi::Dim3 block, void **arguments,
                            std::size_t shared_bytes, void *stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

int cudaLaunchKernelExC(const cupilot::emulate::runtime::abi::LaunchConfiguration *configuration,
                        const void *function, void **arguments) {
  return cupilot::emulate::runtime::call(
      [&] { return launch_configured(*configuration, function, arguments); });
}
int cudaLaunchKernelExC_ptsz(const cupilot::emulate::runtime::abi::LaunchConfiguration *configuration,
                             const void *function, void **arguments) {
  return cudaLaunchKernelExC(configuration, function, arguments);
}

int cudaLaunchCooperativeKernel(const void *function, cupilot::emulate::runtime::abi::Dim3 grid,
                                cupilot::emulate::runtime::abi::Dim3 block, void **arguments,
                                std::size_t shared_bytes, void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::launch_kernel(function, grid, block, arguments, shared_bytes, stream,
                                                    true);
  });
}
int cudaLaunchCooperativeKernel_ptsz(const void *function, cupilot::emulate::runtime::abi::Dim3 grid,
                                     cupilot::emulate::runtime::abi::Dim3 block, void **arguments,
                                     std::size_t shared_bytes, void *stream) {
  return cudaLaunchCooperativeKernel(function, grid, block, arguments, shared_bytes, stream);
}

}  // extern "C"
