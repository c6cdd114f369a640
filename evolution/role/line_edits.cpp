// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "annotate/support/text.h"
#include "evolution/role/answer_parts.h"
#include "evolution/role/revisor.h"

namespace cupilot::role {
namespace {

bool is_insert(const LineEdit &edit) {
  return edit.kind == LineEdit::Kind::insert;
}

std::string place_of(const LineEdit &edit) {
  if (is_insert(edit)) return fmt::format("the insertion before line {}", edit.first);
  const char *what = edit.kind == LineEdit::Kind::replace ? "replacement" : "removal";
  if (edit.first == edit.last) return fmt::format("the {} of line {}", what, edit.first);
  return fmt::format("the {} of lines {} to {}", what, edit.first, edit.last);
}

Result<void> check_range(const LineEdit &edit, int lines) {
  const int most = is_insert(edit) ? lines + 1 : lines;
  const bool inside = edit.first >= 1 && edit.first <= most;
  if (!inside || (!is_insert(edit) && (edit.last < edit.first || edit.last > lines)))
    return fail(fmt::format("{} is outside the variant, which has {} lines", place_of(edit), lines));
  return {};
}

/// Sorted by first line, with insertions before other edits, so that conflicting edits are neighbours.
Result<void> check_conflicts(const std::vector<LineEdit> &edits) {
  int taken = 0;  // the last line a replacement or removal touches
  const LineEdit *before = nullptr;
  for (const LineEdit &edit : edits) {
    const bool same_place = before && is_insert(edit) && is_insert(*before) && before->first == edit.first;
    if (same_place || edit.first <= taken)
      return fail(place_of(edit) + " touches what another edit touches; make one edit of them");
    if (!is_insert(edit)) taken = edit.last;
    before = &edit;
  }
  return {};
}

}  // namespace

std::string numbered(std::string_view variant) {
  const std::vector<std::string> lines = split_lines(variant);
  const std::size_t width = std::max<std::size_t>(4, std::to_string(lines.size()).size());
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += fmt::format("{:>{}}| {}\n", i + 1, width, lines[i]);
  return text;
}

Result<std::string> apply_edits(std::string_view variant, std::vector<LineEdit> edits) {
  if (edits.empty()) return fail("there is no edit");
  std::vector<std::string> lines = split_lines(variant);
  for (const LineEdit &edit : edits) CUPILOT_CHECKED(check_range(edit, static_cast<int>(lines.size())));
  std::ranges::sort(edits, {}, [](const LineEdit &edit) { return std::pair(edit.first, !is_insert(edit)); });
  CUPILOT_CHECKED(check_conflicts(edits));
  std::ranges::reverse(edits);
  for (const LineEdit &edit : edits) {
    const auto begin = lines.begin() + (edit.first - 1);
    const auto at = is_insert(edit) ? begin : lines.erase(begin, lines.begin() + edit.last);
    if (edit.kind == LineEdit::Kind::remove) continue;
    const std::string_view text = edit.text;
    const auto added = split(text.ends_with('\n') ? text.substr(0, text.size() - 1) : text, '\n');
    lines.insert(at, added.begin(), added.end());
  }
  std::string edited = join(lines, "\n") + "\n";
  if (trim(edited).empty()) return fail("the edits leave nothing of the variant");
  if (edited.size() > model::kMostVariantBytes)
    return fail(fmt::format("the edited variant has {} bytes, at most {} are allowed", edited.size(),
                            model::kMostVariantBytes));
  if (split_lines(edited) == split_lines(variant)) return fail("the edits change nothing");
  return edited;
}

}  // namespace cupilot::role
