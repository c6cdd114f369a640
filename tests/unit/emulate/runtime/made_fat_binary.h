// SPDX-License-Identifier: Apache-2.0
//
// Fat binaries written by the tests, byte by byte as compilers write them.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "evolution/emulate/runtime/fat_binary.h"

namespace cupilot::emulate::test {
using namespace cupilot::emulate::runtime;

struct MadeEntry {
  std::uint16_t kind = 1;
  unsigned architecture = 90;
  std::string content;
  Packing packing = Packing::none;
};

std::string make_container(const std::vector<MadeEntry> &entries);

inline std::span<const std::byte> bytes_of(const std::string &text) {
  return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
}

}  // namespace cupilot::emulate::test
