// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/log_excerpt.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace cupilot::role {
namespace {

constexpr std::array<std::string_view, 5> kErrorWords{
    "error:", "error :", "fatal:", "fatal   :", "undefined reference"};
/// Matches nvcc's "x.cu(12): error: ..." and ptxas' "ptxas /tmp/x.ptx, line 7; error   : ...".
constexpr std::string_view kSpacedError = "error   :";
constexpr std::size_t kNoteBytes = 48;  ///< size of "... 123456 bytes left out ..." with its line ends

std::string cleaned(std::string_view log) {
  std::string text;
  text.reserve(log.size());
  for (const char c : log) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n' || c == '\t' || (byte >= 0x20 && byte != 0x7f)) text += c;
  }
  return text;
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  const auto before = text.rfind('\n', at == 0 ? 0 : at - 1);
  return at == 0 || before == std::string_view::npos ? 0 : before + 1;
}

/// The start of the character at this position: a character of several bytes is not split.
std::size_t character_begin(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

std::size_t first_error_at(std::string_view log) {
  std::size_t first = log.find(kSpacedError);
  for (const std::string_view word : kErrorWords) first = std::min(first, log.find(word));
  return first;
}

struct Cut {
  std::size_t begin = 0, end = 0;
};

std::string note(std::size_t bytes) {
  return fmt::format("\n... {} bytes left out ...\n", bytes);
}

}  // namespace

std::string_view first_error_line(std::string_view log) {
  const std::size_t at = first_error_at(log);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = line_begin(log, at);
  return log.substr(begin, std::min(log.find('\n', at), log.size()) - begin);
}

std::string log_excerpt(std::string_view log, std::size_t most) {
  const std::string text = cleaned(log);
  if (text.size() <= most) return text;
  if (most < 4 * kNoteBytes) return text.substr(0, character_begin(text, most));
  const std::size_t room = (most - 2 * kNoteBytes) / 3;
  std::array<Cut, 3> cuts{};
  cuts[0] = {0, character_begin(text, room)};
  cuts[2] = {character_begin(text, text.size() - room), text.size()};
  const std::size_t error = first_error_at(text);
  const std::size_t from = error == std::string::npos ? cuts[0].end : line_begin(text, error);
  // A quarter of this part precedes the error and the rest follows it, as far as the other parts leave room.
  cuts[1].begin =
      character_begin(text, std::clamp(from > room / 4 ? from - room / 4 : 0, cuts[0].end, cuts[2].begin));
  cuts[1].end = character_begin(text, std::min(cuts[1].begin + room, cuts[2].begin));
  std::string excerpt;
  std::size_t shown = 0;
  for (const Cut &cut : cuts) {
    if (cut.begin > shown) excerpt += note(cut.begin - shown);
    excerpt += text.substr(cut.begin, cut.end - cut.begin);
    shown = cut.end;
  }
  return excerpt;
}

}  // namespace cupilot::role
