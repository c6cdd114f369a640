// SPDX-License-Identifier: Apache-2.0
//
// Device memory of one emulated device: a reserved stretch of this process, so device addresses are host
// addresses. Allocations stand apart by at least kApart bytes that belong to nobody; every byte remembers,
// when asked, whether it was ever written.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::emulate {

struct Allocation {
  std::uint64_t address = 0, bytes = 0;
  std::string label;       ///< "'x'", "allocation 3": for messages
  bool read_only = false;  ///< constants, parameters
  bool live = true;        ///< freed ones are remembered for messages until their place is used again
  /// One bit a byte, set when written; empty: everything counts as written.
  std::vector<std::uint64_t> written;
};

class Memory {
public:
  static constexpr std::uint64_t kApart = 512;
  /// Errors: more than the machine has. `capacity` 0: three quarters of the physical memory.
  static Result<std::unique_ptr<Memory>> make(std::uint64_t capacity = 0);
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// 256-byte aligned. Fresh memory is poisoned (kPoisonByte) and, with `track`, counts as unwritten.
  Result<std::uint64_t> allocate(std::uint64_t bytes, std::string label, bool track = false);
  Result<> free(std::uint64_t address);  ///< double and foreign frees are errors
  /// The live allocation that contains `address`, or nullptr; pointers stay valid until it is freed.
  const Allocation *find(std::uint64_t address) const;
  /// The live or freed allocation nearest to `address`, for messages.
  const Allocation *nearest(std::uint64_t address) const;
  void mark_written(std::uint64_t address, std::uint64_t bytes);
  bool all_written(std::uint64_t address, std::uint64_t bytes) const;

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const;

  static constexpr std::uint8_t kPoisonByte = 0xcb;

private:
  Memory() = default;
  std::byte *base_ = nullptr;
  std::uint64_t capacity_ = 0, used_ = 0;
  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, Allocation> allocations_;
};

/// Generic addresses of shared and local memory; each block (thread) sees its own behind the same addresses.
inline constexpr std::uint64_t kSharedWindow = 0x0000'1000'0000'0000, kLocalWindow = 0x0000'1001'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 0x1000'0000;

}  // namespace cupilot::emulate
