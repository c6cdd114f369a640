// SPDX-License-Identifier: Apache-2.0
//
// Finds how much memory a process may use on this machine.

#pragma once

#include <cstdint>
#include <string>

namespace cupilot::emulate::memory {

/// The physical memory, or the limit of a control group if that is lower.
std::uint64_t machine_memory_bytes();
/// "1.5 GiB", "300 MiB", "17 bytes".
std::string memory_text(std::uint64_t bytes);

}  // namespace cupilot::emulate::memory
