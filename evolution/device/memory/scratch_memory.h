// SPDX-License-Identifier: Apache-2.0
//
// Device memory behind l.scratch(). The pieces of one launch lie in one stretch, are poisoned, and have
// guards around them. The stretch is kept and grows, so that repeated launches find their pieces at the same
// addresses. Internal to evolution/device.

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/recorder_protocol.h"

namespace cupilot::device::memory {

class ScratchMemory {
public:
  explicit ScratchMemory(cudaStream_t stream) : stream_(stream) {}
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory &) = delete;
  ScratchMemory &operator=(const ScratchMemory &) = delete;

  struct Patterns {
    std::uint16_t poison, guard;
  };
  /// Places pieces of these sizes; poison and guards are queued on the stream.
  Result<std::vector<judge::launches::MemoryRange>> place(const std::vector<std::uint64_t> &sizes,
                                                          Patterns patterns);
  /// Poisons the pieces of the last place() again, as before every launch; queued.
  Result<> poison_again();
  /// Like place(), for tools that watch memory: each piece is an allocation of its own, without poison and
  /// guards.
  Result<std::vector<judge::launches::MemoryRange>> place_exactly(const std::vector<std::uint64_t> &sizes);
  /// Bytes that one launch may have: half of the memory that was free at the first call.
  Result<std::uint64_t> most();
  /// Number of guard bytes that were overwritten since place(); waits for the stream.
  Result<std::uint64_t> stained() const;

private:
  Result<> reserve(std::uint64_t bytes);
  void free_pieces();

  cudaStream_t stream_;
  char *memory_ = nullptr;
  std::uint64_t capacity_ = 0, most_ = 0;
  std::vector<judge::launches::MemoryRange> guards_, places_;
  std::vector<void *> pieces_;  ///< allocations of place_exactly()
  std::uint16_t guard_ = 0, poison_ = 0;
  unsigned long long *counter_ = nullptr;  ///< device memory
};

}  // namespace cupilot::device::memory
