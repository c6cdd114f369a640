// SPDX-License-Identifier: Apache-2.0
//
// The longest common subsequence by the textbook table over what is left between equal beginnings and ends:
// variants have hundreds of lines. Above kMostCells the middle counts as changed as a whole.

#include "driver/cli/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "annotate/support/text.h"

namespace cupilot::cli {
namespace {

constexpr std::size_t kContext = 3;
constexpr std::size_t kMostCells = 16u << 20;

using Lines = std::vector<std::string>;

struct Edit {
  char kind;  ///< ' ', '-', '+'
  const std::string *line;
};

/// Lengths of the longest common subsequences of the ends of two ranges of lines.
class CommonLines {
public:
  CommonLines(const Lines &a, const Lines &b, std::size_t from, std::size_t a_end, std::size_t b_end)
      : width_(b_end - from + 1), cells_((a_end - from + 1) * width_), from_(from) {
    for (std::size_t i = a_end; i-- > from;)
      for (std::size_t j = b_end; j-- > from;)
        at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  std::uint32_t &at(std::size_t i, std::size_t j) { return cells_[(i - from_) * width_ + (j - from_)]; }

private:
  std::size_t width_;
  std::vector<std::uint32_t> cells_;
  std::size_t from_;
};

std::vector<Edit> middle(const Lines &a, const Lines &b, std::size_t from, std::size_t a_end,
                         std::size_t b_end) {
  std::vector<Edit> edits;
  std::size_t i = from, j = from;
  if ((a_end - from + 1) * (b_end - from + 1) <= kMostCells) {
    CommonLines common(a, b, from, a_end, b_end);
    while (i < a_end && j < b_end) {
      if (a[i] == b[j])
        edits.push_back({' ', &a[i++]}), ++j;
      else if (common.at(i + 1, j) >= common.at(i, j + 1))
        edits.push_back({'-', &a[i++]});
      else
        edits.push_back({'+', &b[j++]});
    }
  }
  while (i < a_end) edits.push_back({'-', &a[i++]});
  while (j < b_end) edits.push_back({'+', &b[j++]});
  return edits;
}

std::vector<Edit> edits_between(const Lines &a, const Lines &b) {
  std::size_t from = 0, a_end = a.size(), b_end = b.size();
  while (from < a_end && from < b_end && a[from] == b[from]) ++from;
  while (a_end > from && b_end > from && a[a_end - 1] == b[b_end - 1]) --a_end, --b_end;
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < from; ++i) edits.push_back({' ', &a[i]});
  const auto changed = middle(a, b, from, a_end, b_end);
  edits.insert(edits.end(), changed.begin(), changed.end());
  for (std::size_t i = a_end; i < a.size(); ++i) edits.push_back({' ', &a[i]});
  return edits;
}

/// [begin, end) with the context around one or several close changes; equal at the end.
std::pair<std::size_t, std::size_t> next_hunk(const std::vector<Edit> &edits, std::size_t from) {
  while (from < edits.size() && edits[from].kind == ' ') ++from;
  if (from == edits.size()) return {from, from};
  std::size_t last = from;
  for (std::size_t i = from; i < edits.size() && i <= last + 2 * kContext; ++i)
    if (edits[i].kind != ' ') last = i;
  return {from - std::min(from, kContext), std::min(last + kContext + 1, edits.size())};
}

std::string range_text(std::size_t before, std::size_t count) {
  return fmt::format("{},{}", count == 0 ? before : before + 1, count);
}

std::string hunk_text(const std::vector<Edit> &edits, std::size_t begin, std::size_t end,
                      std::size_t a_before, std::size_t b_before) {
  std::string body;
  std::size_t a_count = 0, b_count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    a_count += edits[i].kind != '+';
    b_count += edits[i].kind != '-';
    body += edits[i].kind + *edits[i].line + "\n";
  }
  return fmt::format("@@ -{} +{} @@\n{}", range_text(a_before, a_count), range_text(b_before, b_count), body);
}

}  // namespace

std::string unified_diff(std::string_view before, std::string_view after, const std::string &before_name,
                         const std::string &after_name) {
  const auto a = split_lines(before), b = split_lines(after);
  const auto edits = edits_between(a, b);
  std::string text;
  std::size_t at = 0, a_line = 0, b_line = 0;
  while (true) {
    const auto [begin, end] = next_hunk(edits, at);
    if (begin == end) break;
    for (; at < begin; ++at) a_line += edits[at].kind != '+', b_line += edits[at].kind != '-';
    text += hunk_text(edits, begin, end, a_line, b_line);
    for (; at < end; ++at) a_line += edits[at].kind != '+', b_line += edits[at].kind != '-';
  }
  if (text.empty()) return text;
  return "--- " + before_name + "\n+++ " + after_name + "\n" + text;
}

}  // namespace cupilot::cli
