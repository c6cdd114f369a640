// SPDX-License-Identifier: Apache-2.0
//
// How much memory this machine allows a process.

#pragma once

#include <cstdint>
#include <string>

namespace cupilot::emulate {

/// Physical memory, or less where a control group says so.
std::uint64_t machine_memory_bytes();
/// "1.5 GiB", "300 MiB", "17 bytes".
std::string memory_text(std::uint64_t bytes);

}  // namespace cupilot::emulate
