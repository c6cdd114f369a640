// SPDX-License-Identifier: Apache-2.0

#include "driver/watcher/cuda_driver.h"

#include <dlfcn.h>

#include <string>
#include <thread>

namespace cupilot::watcher {
namespace {

template <class Function>
bool look_up(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

Result<CudaDriver> CudaDriver::load() {
  void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (!library) return fail("the process has no CUDA driver");
  CudaDriver driver;
  const bool all = look_up(library, "cuStreamIsCapturing", driver.stream_is_capturing) &&
                   look_up(library, "cuStreamCreate", driver.stream_create) &&
                   look_up(library, "cuStreamSynchronize", driver.stream_synchronize) &&
                   look_up(library, "cuStreamQuery", driver.stream_query) &&
                   look_up(library, "cuStreamDestroy_v2", driver.stream_destroy) &&
                   look_up(library, "cuMemGetAddressRange_v2", driver.address_range) &&
                   look_up(library, "cuMemcpyDtoHAsync_v2", driver.copy_to_host) &&
                   look_up(library, "cuEventCreate", driver.event_create) &&
                   look_up(library, "cuEventRecord", driver.event_record) &&
                   look_up(library, "cuEventElapsedTime", driver.event_elapsed) &&
                   look_up(library, "cuEventDestroy_v2", driver.event_destroy) &&
                   look_up(library, "cuThreadExchangeStreamCaptureMode", driver.exchange_capture_mode) &&
                   look_up(library, "cuGraphGetNodes", driver.graph_nodes) &&
                   look_up(library, "cuGraphNodeGetType", driver.node_type) &&
                   look_up(library, "cuGraphKernelNodeGetParams_v2", driver.node_launch) &&
                   look_up(library, "cuGraphChildGraphNodeGetGraph", driver.child_graph) &&
                   look_up(library, "cuFuncGetName", driver.function_name) &&
                   look_up(library, "cuKernelGetName", driver.kernel_name);
  if (!all) return fail("this CUDA driver lacks a function that the watcher calls");
  return driver;
}

bool CudaDriver::wait(CUstream stream) const {
  const auto end = std::chrono::steady_clock::now() + kMostWait;
  auto state = stream_query(stream);
  while (state == CUDA_ERROR_NOT_READY && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    state = stream_query(stream);
  }
  return state == CUDA_SUCCESS;
}

DriverMemory::DriverMemory(const CudaDriver &driver) : driver_(driver) {
  if (driver_.stream_create(&stream_, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS) stream_ = nullptr;
}

DriverMemory::~DriverMemory() {
  if (stream_) driver_.stream_destroy(stream_);
}

std::optional<capture::WatchedMemory::Allocation> DriverMemory::allocation(std::uint64_t address) {
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  if (driver_.address_range(&begin, &bytes, address) != CUDA_SUCCESS) return std::nullopt;
  return Allocation{begin, bytes};
}

bool DriverMemory::read(std::uint64_t address, std::span<std::byte> into) {
  if (!stream_ || into.empty()) return false;
  return driver_.copy_to_host(into.data(), address, into.size(), stream_) == CUDA_SUCCESS &&
         driver_.stream_synchronize(stream_) == CUDA_SUCCESS;
}

}  // namespace cupilot::watcher
