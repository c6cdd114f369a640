// SPDX-License-Identifier: Apache-2.0
// Warps that touch memory, for tests: addresses by lane, checks told as the executor tells them.

#pragma once

#include <cstring>
#include <vector>

#include "evolution/emulate/check/shadow.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::check;
using namespace cupilot::emulate::program;

inline constexpr Mask kAll = 0xffffffff;

/// One warp access with everything said by name.
struct Touching {
  std::uint32_t warp = 0;
  std::uint32_t pc = 0;
  bool write = false;
  bool atomic = false;
  bool weak = true;
  bool release = false, read_only = false, exchanged = false;
  bool asynchronous = false, in_block = false;
  std::uint8_t bytes = 4;
  Mask mask = kAll;
  std::uint64_t first = 0;          ///< address of lane 0
  std::int64_t step = 4;            ///< from lane to lane
  std::vector<std::uint64_t> at{};  ///< addresses of all lanes instead
  std::byte *memory = nullptr;
  const std::uint32_t *values = nullptr;  ///< what each lane stores
};

inline TouchAnswer touch(BlockShadow &shadow, const Touching &how, bool global) {
  std::uint64_t address[kLanes];
  for (int lane = 0; lane < kLanes; ++lane)
    address[lane] = how.at.empty() ? how.first + static_cast<std::uint64_t>(how.step * lane) : how.at[lane];
  TouchRequest request{.warp = how.warp,
                       .pc = how.pc,
                       .mask = how.mask,
                       .heads = kAll,
                       .address = address,
                       .bytes = how.bytes,
                       .reads = !how.write || how.atomic,
                       .writes = how.write || how.atomic,
                       .atomic = how.atomic,
                       .asynchronous = how.asynchronous,
                       .weak = how.weak && !how.atomic,
                       .exchanged = how.exchanged,
                       .release = how.release,
                       .read_only = how.read_only,
                       .in_block = how.in_block,
                       .together = static_cast<std::uint8_t>(
                           how.mask == kAll && how.at.empty() && how.step == how.bytes ? 32 : 0),
                       .memory = how.memory};
  if (how.values) {
    request.context = how.values;
    request.value = [](const void *values, int lane, std::byte *to) {
      std::memcpy(to, static_cast<const std::uint32_t *>(values) + lane, 4);
    };
  }
  return global ? shadow.touch_global(request) : shadow.touch_shared(request);
}

}  // namespace cupilot::emulate
