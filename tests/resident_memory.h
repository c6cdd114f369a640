// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdint>
#include <fstream>

namespace cupilot {

/// Of this process, in bytes; proc_pid_statm(5).
inline std::uint64_t resident_bytes() {
  std::ifstream status("/proc/self/statm");
  std::uint64_t pages = 0, resident = 0;
  status >> pages >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace cupilot
