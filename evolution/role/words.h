// SPDX-License-Identifier: Apache-2.0
//
// Formats numbers and texts for prompts. The functions are pure and give the same result on every machine, so
// that a replayed question equals the recorded one byte by byte.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupilot::role {

/// "1.42"; "0" if the value is not a finite number.
std::string decimals(double value, int digits);
/// "1.42x"
std::string factor(double value);
/// "71 %" for a share 0..1.
std::string percent(double share);
/// "12.3 us", "1.24 ms"
std::string microseconds_text(double time_us);
/// "134 MB", in powers of ten
std::string bytes_text(double bytes);

/// "- line" for each line; "" if there are none.
std::string bullets(const std::vector<std::string> &lines);
/// A fenced block of code; the fences are longer than any run of backticks in the text.
std::string fenced(std::string_view text, std::string_view language);

}  // namespace cupilot::role
