// SPDX-License-Identifier: Apache-2.0
//
// The functions of the CUDA driver that the watcher calls, looked up in the process that it is in, and the
// device's memory through them.

#pragma once

#include <cuda.h>

#include <chrono>

#include "annotate/support/result.h"
#include "evolution/capture/watcher.h"

namespace cupilot::watcher {

struct CudaDriver {
  CUresult (*stream_is_capturing)(CUstream, CUstreamCaptureStatus *) = nullptr;
  CUresult (*stream_create)(CUstream *, unsigned) = nullptr;
  CUresult (*stream_synchronize)(CUstream) = nullptr;
  CUresult (*stream_query)(CUstream) = nullptr;
  CUresult (*stream_destroy)(CUstream) = nullptr;
  CUresult (*address_range)(CUdeviceptr *, std::size_t *, CUdeviceptr) = nullptr;
  CUresult (*copy_to_host)(void *, CUdeviceptr, std::size_t, CUstream) = nullptr;
  CUresult (*event_create)(CUevent *, unsigned) = nullptr;
  CUresult (*event_record)(CUevent, CUstream) = nullptr;
  CUresult (*event_elapsed)(float *, CUevent, CUevent) = nullptr;
  CUresult (*event_destroy)(CUevent) = nullptr;
  CUresult (*exchange_capture_mode)(CUstreamCaptureMode *) = nullptr;
  CUresult (*graph_nodes)(CUgraph, CUgraphNode *, std::size_t *) = nullptr;
  CUresult (*node_type)(CUgraphNode, CUgraphNodeType *) = nullptr;
  CUresult (*node_launch)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS *) = nullptr;
  CUresult (*child_graph)(CUgraphNode, CUgraph *) = nullptr;
  CUresult (*function_name)(const char **, CUfunction) = nullptr;
  CUresult (*kernel_name)(const char **, CUkernel) = nullptr;

  static Result<CudaDriver> load();
  /// Waits until the work of a stream has ended, but no longer than `kMostWait`: a kernel may itself wait for
  /// what the program does next. False: it has not ended, or failed.
  bool wait(CUstream stream) const;
  static constexpr std::chrono::seconds kMostWait{10};
};

/// While it lives, this thread may call what a capture of another stream would forbid.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const CudaDriver &driver) : driver_(driver) {
    driver_.exchange_capture_mode(&mode_);
  }
  ~RelaxedCapture() { driver_.exchange_capture_mode(&mode_); }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const CudaDriver &driver_;
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

/// Reads in a stream of its own, so that no other work of the program is waited for.
class DriverMemory final : public capture::WatchedMemory {
public:
  explicit DriverMemory(const CudaDriver &driver);
  ~DriverMemory() override;
  DriverMemory(const DriverMemory &) = delete;
  DriverMemory &operator=(const DriverMemory &) = delete;
  std::optional<Allocation> allocation(std::uint64_t address) override;
  bool read(std::uint64_t address, std::span<std::byte> into) override;

private:
  const CudaDriver &driver_;
  CUstream stream_ = nullptr;
};

}  // namespace cupilot::watcher
