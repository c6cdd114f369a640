// SPDX-License-Identifier: Apache-2.0
//
// Figures and texts as prompts show them. Pure, the same everywhere: recordings replay byte by byte.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupilot {

/// "1.42"; "0" for what is no number.
std::string decimals(double value, int digits);
/// "1.42x"
std::string factor(double value);
/// "71 %" of a share 0..1
std::string percent(double share);
/// "12.3 us", "1.24 ms"
std::string microseconds_text(double time_us);
/// "134 MB", in powers of ten
std::string bytes_text(double bytes);

/// "- line" for each; "" when there is none.
std::string bullets(const std::vector<std::string> &lines);
/// As a block of code, between fences longer than any run of backticks inside.
std::string fenced(std::string_view text, std::string_view language);

}  // namespace cupilot
