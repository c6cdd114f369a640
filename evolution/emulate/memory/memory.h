// SPDX-License-Identifier: Apache-2.0
//
// Device memory of one emulated device: a reserved address range of this process, so device addresses are
// host addresses. At least kApart unused bytes separate allocations, so that accesses out of bounds are
// found. On request an allocation records which of its bytes were ever written. All members may be called
// from several threads.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "annotate/support/result.h"
#include "evolution/emulate/memory/written_bits.h"

namespace cupilot::emulate::memory {

struct Allocation {
  std::uint64_t address = 0, bytes = 0;
  std::string label;       ///< "'x'", "allocation 3": for messages; starts with "scratch": see begin_launch()
  bool read_only = false;  ///< constants, parameters
  bool live = true;        ///< freed allocations are kept for messages until their place is reused
  /// Which bytes were written; without tracking all count as written. Setting bits of a live allocation needs
  /// no lock.
  mutable WrittenBits written;

  std::uint64_t end() const { return address + bytes; }
  bool scratch() const { return label.starts_with("scratch"); }
};

class Memory {
public:
  static constexpr std::uint64_t kApart = 512;
  /// `capacity` 0: three quarters of the physical memory. Returns an error for more than the machine has.
  static Result<std::unique_ptr<Memory>> make(std::uint64_t capacity = 0);
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// 256-byte aligned. Fresh memory is poisoned (kPoisonByte) and, with `track`, counts as unwritten.
  Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label, bool track = false);
  Result<> free(std::uint64_t address);  ///< double and foreign frees are errors
  /// Makes the allocation read-only for kernels.
  void set_read_only(std::uint64_t address);
  /// The live allocation that contains `address`, or nullptr; pointers stay valid until it is freed.
  const Allocation *find(std::uint64_t address) const;
  /// The live or freed allocation nearest to `address`, for messages; a copy without `written`.
  std::unique_ptr<Allocation> nearest(std::uint64_t address) const;
  void mark_written(std::uint64_t address, std::uint64_t bytes);
  /// Call it at the start of a launch: marks tracked allocations whose label starts with "scratch" as
  /// unwritten.
  void begin_launch();

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const;
  /// The reserved address range that contains all allocations.
  std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(base_); }
  std::uint64_t end() const { return begin() + reserved_; }

  static constexpr std::uint8_t kPoisonByte = 0xcb;

  /// Shadow memory of check/, kept between launches because touching fresh memory is expensive.
  std::shared_ptr<void> shadow;

private:
  Memory() = default;
  std::uint64_t place(std::uint64_t bytes);     ///< 0: there is no room
  std::uint64_t find_gap(std::uint64_t bytes);  ///< between live allocations, when the range is used up
  bool commit(std::uint64_t end);               ///< makes the memory up to `end` accessible
  bool poison(std::uint64_t address, std::uint64_t bytes);
  void release_pages(std::uint64_t address, std::uint64_t bytes);
  void remember_freed(std::uint64_t address);

  std::byte *base_ = nullptr;
  std::uint64_t capacity_ = 0, used_ = 0, reserved_ = 0;
  std::uint64_t next_ = 0, committed_ = 0;  ///< addresses from `next_` on were never used
  int poison_file_ = -1;  ///< a file of poison bytes that large allocations map copy-on-write
  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, Allocation> allocations_;
  std::deque<std::uint64_t> freed_;                        ///< oldest first
  std::multimap<std::uint64_t, std::uint64_t> forgotten_;  ///< small freed allocations: bytes, address
};

/// Generic addresses of shared and local memory, where a launch draws no others (machine/windows.h); each
/// block (thread) sees its own behind the same addresses.
inline constexpr std::uint64_t kSharedWindow = 0x0000'1000'0000'0000, kLocalWindow = 0x0000'1001'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 16u << 20;

}  // namespace cupilot::emulate::memory
