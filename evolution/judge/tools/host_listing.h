// SPDX-License-Identifier: Apache-2.0
//
// Reads the listing of a traced library (`objdump -d -l --no-show-raw-insn`) to the blocks and conditions of
// the variant's host code. Traced libraries are compiled without optimisation, with a call of the recorder at
// the begin of each block and before each comparison, so that the listing follows the text. x86-64 only.
// Pure.

#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "evolution/judge/launches/host_code.h"
#include "evolution/judge/screen/quiet_lines.h"

namespace cupilot::judge::tools {

/// `taken`: addresses that data of the library contain. Code that neither cupilot_entry nor these lead to
/// cannot be executed, and is left out.
launches::HostCode read_host_listing(std::string_view listing, const std::set<std::uint64_t> &taken,
                                     const screen::QuietLines &quiet);

}  // namespace cupilot::judge::tools
