// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/memory/scratch_memory.h"

#include "evolution/device/kernels/cuda_call.h"
#include "evolution/device/kernels/kernels.h"
#include "evolution/judge/cases/case_layout.h"

namespace cupilot::device::memory {

namespace {

void *at(const judge::launches::MemoryRange &range) {
  return reinterpret_cast<void *>(range.address);
}

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + judge::cases::kBufferAlignment - 1) / judge::cases::kBufferAlignment *
         judge::cases::kBufferAlignment;
}

}  // namespace

ScratchMemory::~ScratchMemory() {
  (void)cudaFree(memory_);
  (void)cudaFree(counter_);
  free_pieces();
}

void ScratchMemory::free_pieces() {
  for (void *piece : pieces_) (void)cudaFree(piece);
  pieces_.clear();
}

Result<std::vector<judge::launches::MemoryRange>> ScratchMemory::place_exactly(
    const std::vector<std::uint64_t> &sizes) {
  free_pieces();
  guards_.clear();
  places_.clear();
  std::vector<judge::launches::MemoryRange> places;
  for (const std::uint64_t size : sizes) {
    void *piece = nullptr;
    CUPILOT_CUDA("allocating scratch memory", cudaMalloc(&piece, size));
    pieces_.push_back(piece);
    places.push_back({reinterpret_cast<std::uint64_t>(piece), size});
  }
  return places;
}

Result<std::uint64_t> ScratchMemory::most() {
  if (most_) return most_;
  std::size_t free_bytes = 0, all_bytes = 0;
  CUPILOT_CUDA("asking for free memory", cudaMemGetInfo(&free_bytes, &all_bytes));
  return most_ = capacity_ + free_bytes / 2;
}

Result<> ScratchMemory::reserve(std::uint64_t bytes) {
  if (!counter_) CUPILOT_CUDA("allocating a counter", kernels::device_allocate(&counter_, sizeof *counter_));
  if (bytes <= capacity_) return {};
  CUPILOT_CUDA("freeing scratch memory", cudaFree(memory_));
  memory_ = nullptr, capacity_ = 0;
  CUPILOT_CUDA("allocating scratch memory", kernels::device_allocate(&memory_, bytes));
  capacity_ = bytes;
  return {};
}

Result<std::vector<judge::launches::MemoryRange>> ScratchMemory::place(
    const std::vector<std::uint64_t> &sizes, Patterns patterns) {
  std::uint64_t bytes = judge::cases::kGuardBytes;
  for (const std::uint64_t size : sizes) bytes += aligned(size) + judge::cases::kGuardBytes;
  CUPILOT_CHECKED(reserve(bytes));
  guard_ = patterns.guard;
  guards_.clear();
  std::vector<judge::launches::MemoryRange> places;
  auto next = reinterpret_cast<std::uint64_t>(memory_);
  guards_.push_back({next, judge::cases::kGuardBytes});
  next += judge::cases::kGuardBytes;
  for (const std::uint64_t size : sizes) {
    places.push_back({next, size});
    guards_.push_back({next + size, aligned(size) - size + judge::cases::kGuardBytes});
    next += aligned(size) + judge::cases::kGuardBytes;
  }
  places_ = places;
  poison_ = patterns.poison;
  CUPILOT_CHECKED(poison_again());
  for (const judge::launches::MemoryRange &guard : guards_)
    CUPILOT_CUDA("writing guards", kernels::fill_pattern(at(guard), guard.bytes, guard_, stream_));
  return places;
}

Result<> ScratchMemory::poison_again() {
  for (const judge::launches::MemoryRange &place : places_)
    CUPILOT_CUDA("poisoning scratch memory", kernels::fill_pattern(at(place), place.bytes, poison_, stream_));
  return {};
}

Result<std::uint64_t> ScratchMemory::stained() const {
  if (guards_.empty()) return 0;
  unsigned long long wrong = 0;
  CUPILOT_CUDA("clearing a counter", cudaMemsetAsync(counter_, 0, sizeof *counter_, stream_));
  for (const judge::launches::MemoryRange &guard : guards_)
    CUPILOT_CUDA("checking guards of scratch memory",
                 kernels::check_pattern(at(guard), guard.bytes, guard_, counter_, stream_));
  CUPILOT_CUDA("reading a counter",
               cudaMemcpyAsync(&wrong, counter_, sizeof wrong, cudaMemcpyDeviceToHost, stream_));
  CUPILOT_CUDA("checking guards of scratch memory", cudaStreamSynchronize(stream_));
  return wrong;
}

}  // namespace cupilot::device::memory
