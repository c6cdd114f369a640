// SPDX-License-Identifier: Apache-2.0
//
// The order of accesses across the blocks of one launch: which accesses were followed by a fence and a
// strong write, so that a strong read in another block makes them known there. Used by all host threads.
// Private to check/.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cupilot::emulate::check {

/// An array of zeros that takes physical memory only where it is touched. `data` is null when the allocation
/// failed.
template <typename T>
class LazyArray {
public:
  LazyArray() = default;
  explicit LazyArray(std::size_t count);
  ~LazyArray();
  LazyArray(const LazyArray &) = delete;
  LazyArray &operator=(const LazyArray &) = delete;
  LazyArray(LazyArray &&other) noexcept : data_(other.data_), count_(other.count_) {
    other.data_ = nullptr;
    other.count_ = 0;
  }
  LazyArray &operator=(LazyArray &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }

  T *data() const { return data_; }
  T &operator[](std::size_t at) const { return data_[at]; }
  explicit operator bool() const { return data_ != nullptr; }

private:
  T *data_ = nullptr;
  std::size_t count_ = 0;
};

class Publication {
public:
  Publication(std::uint64_t blocks, std::uint32_t warps)
      : warps_(warps), stamps_(blocks * warps), first_(blocks) {}
  bool available() const { return stamps_ && first_; }

  /// Publishes the accesses of that warp before `stamp`, a time of its block's clock.
  void publish(std::uint64_t block, std::uint32_t warp, std::uint32_t stamp);
  std::uint32_t published(std::uint64_t block, std::uint32_t warp) const {
    return __atomic_load_n(&stamps_[block * warps_ + warp], __ATOMIC_ACQUIRE);
  }
  /// The time of the block's first publication; 0: it never published.
  std::uint32_t first(std::uint64_t block) const { return __atomic_load_n(&first_[block], __ATOMIC_ACQUIRE); }
  std::uint32_t now() const { return now_.load(std::memory_order_acquire); }

private:
  const std::uint32_t warps_;
  LazyArray<std::uint32_t> stamps_;  ///< indexed by block and warp
  LazyArray<std::uint32_t> first_;   ///< indexed by block
  std::atomic<std::uint32_t> now_{1};
};

}  // namespace cupilot::emulate::check
