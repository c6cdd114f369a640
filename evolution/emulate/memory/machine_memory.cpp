// SPDX-License-Identifier: Apache-2.0
// The physical memory and the limit of the control group, which is what counts in a container.

#include "evolution/emulate/memory/machine_memory.h"

#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace cupilot::emulate::memory {

std::uint64_t machine_memory_bytes() {
  std::uint64_t bytes = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_PHYS_PAGES))) *
                        static_cast<std::uint64_t>(std::max(4096L, sysconf(_SC_PAGESIZE)));
  for (const char *path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::uint64_t limit = 0;
    if (file >> limit && limit > 0) bytes = std::min(bytes, limit);  // "max" does not parse as a number
  }
  return bytes;
}

std::string memory_text(std::uint64_t bytes) {
  static constexpr const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  if (bytes >= (std::uint64_t{1} << 60)) return "more than 1000 TiB";
  int unit = 0;
  std::uint64_t tenths = bytes * 10;
  while (unit < 4 && tenths >= 10240) {
    tenths /= 1024;
    ++unit;
  }
  if (tenths % 10) return fmt::format("{}.{} {}", tenths / 10, tenths % 10, units[unit]);
  return fmt::format("{} {}", tenths / 10, units[unit]);
}

}  // namespace cupilot::emulate::memory
