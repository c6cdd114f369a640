// SPDX-License-Identifier: Apache-2.0
//
// dtl finds the edits (Wu, Manber, Myers, Miller: An O(NP) Sequence Comparison Algorithm, 1990). Hunks are
// made here: `diff -u` prints what is removed before what is added, and nothing for equal texts.

#include "driver/cli/text/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <dtl/dtl.hpp>
#include <string>
#include <vector>

#include "annotate/support/text.h"

namespace cupilot::cli::text {
namespace {

constexpr std::size_t kContext = 3;

struct Edit {
  char kind;  ///< ' ', '-', '+'
  std::string line;
};

std::vector<Edit> edits_between(const std::vector<std::string> &a, const std::vector<std::string> &b) {
  dtl::Diff<std::string> diff(a, b);
  diff.compose();
  std::vector<Edit> edits;
  std::size_t run = 0;  // where the changes since the last common line begin
  for (const auto &[line, info] : diff.getSes().getSequence()) {
    const char kind = info.type == dtl::SES_COMMON ? ' ' : info.type == dtl::SES_DELETE ? '-' : '+';
    if (kind == ' ') run = edits.size() + 1;
    edits.push_back({kind, line});
    if (kind != '-') continue;
    const auto last = edits.end() - 1;
    const auto begin = edits.begin() + static_cast<std::ptrdiff_t>(run);
    std::rotate(std::ranges::find(begin, last, '+', &Edit::kind), last, edits.end());
  }
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
    body += edits[i].kind + edits[i].line + "\n";
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

}  // namespace cupilot::cli::text
