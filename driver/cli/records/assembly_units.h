// SPDX-License-Identifier: Apache-2.0
//
// The functions and variables of a compiler's output, as tokens: of PTX, and of the assembly that g++ writes.
// What only describes the place (sections, line numbers, linkage, debug information) is left out. Whether two
// of them are the same code is the affair of unit_match.h.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::cli::records {

struct AssemblyUnit {
  std::vector<std::string_view> tokens;
  bool elsewhere = false;  ///< only declared: another object defines it
};

/// By symbol. The tokens point into the text, which must outlive them.
using AssemblyUnits = std::map<std::string_view, AssemblyUnit>;

AssemblyUnits units_of_ptx(std::string_view text);
AssemblyUnits units_of_host_assembly(std::string_view text);

/// The symbol as a person writes it, without the parts that depend on the file it was compiled in.
std::string plain_name(std::string_view symbol);

}  // namespace cupilot::cli::records
