// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/words.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace cupilot::role {

std::string decimals(double value, int digits) {
  if (!std::isfinite(value)) return "0";
  return fmt::format("{:.{}f}", value, digits);
}

std::string factor(double value) {
  return decimals(value, 2) + "x";
}

std::string percent(double share) {
  return decimals(100 * share, 0) + " %";
}

std::string microseconds_text(double time_us) {
  if (time_us >= 1e6) return decimals(time_us / 1e6, 2) + " s";
  if (time_us >= 1e3) return decimals(time_us / 1e3, 2) + " ms";
  return decimals(time_us, 1) + " us";
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char *, 5> kUnits{" bytes", " kB", " MB", " GB", " TB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < kUnits.size()) bytes /= 1000, ++unit;
  return decimals(bytes, unit > 0 && bytes < 10 ? 1 : 0) + kUnits[unit];
}

std::string bullets(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines) text += fmt::format("- {}\n", line);
  return text;
}

std::string fenced(std::string_view text, std::string_view language) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  const bool ended = text.empty() || text.ends_with('\n');
  return fmt::format("{0}{1}\n{2}{3}{0}\n", fence, language, text, ended ? "" : "\n");
}

}  // namespace cupilot::role
