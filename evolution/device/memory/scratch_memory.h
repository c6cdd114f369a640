// SPDX-License-Identifier: Apache-2.0
//
// Device memory behind l.scratch(): the pieces of one launch in one stretch, poisoned, with guards around
// each. The stretch is kept and grown, so that launches on the same buffers find their pieces where they
// were. Internal to evolution/device.

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/recorder_protocol.h"

namespace cupilot {

class ScratchMemory {
public:
  explicit ScratchMemory(cudaStream_t stream) : stream_(stream) {}
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory &) = delete;
  ScratchMemory &operator=(const ScratchMemory &) = delete;

  struct Patterns {
    std::uint16_t poison, guard;
  };
  /// Places for pieces of these sizes, made ready on the stream.
  Result<std::vector<MemoryRange>> place(const std::vector<std::uint64_t> &sizes, Patterns patterns);
  /// Poison into the places of the last place(), as before every launch; queued.
  Result<> poison_again();
  /// The same for tools that watch memory: an allocation each, with nothing in it and nothing around it.
  Result<std::vector<MemoryRange>> place_exactly(const std::vector<std::uint64_t> &sizes);
  /// How much one launch may have: half of what was free when this was first asked.
  Result<std::uint64_t> most();
  /// Bytes of guards that were written since place(); waits for the stream.
  Result<std::uint64_t> stained() const;

private:
  Result<> reserve(std::uint64_t bytes);
  void free_pieces();

  cudaStream_t stream_;
  char *memory_ = nullptr;
  std::uint64_t capacity_ = 0, most_ = 0;
  std::vector<MemoryRange> guards_, places_;
  std::vector<void *> pieces_;  ///< of place_exactly
  std::uint16_t guard_ = 0, poison_ = 0;
  unsigned long long *counter_ = nullptr;  ///< device memory
};

}  // namespace cupilot
