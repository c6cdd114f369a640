// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/text/table.h"

#include <algorithm>

namespace cupilot::cli::text {
namespace {

constexpr std::string_view kGap = "  ";

std::string padded(const std::string &cell, std::size_t width, Align align) {
  const std::string blanks(width - display_width(cell), ' ');
  return align == Align::left ? cell + blanks : blanks + cell;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::vector<std::string>> lines(1);
  for (const auto &column : columns_) lines[0].push_back(column.title);
  lines.insert(lines.end(), rows_.begin(), rows_.end());

  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto &line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], display_width(line[i]));

  std::string text;
  for (const auto &line : lines) {
    std::string row;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (i) row += kGap;
      row += padded(line[i], widths[i], columns_[i].align);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

}  // namespace cupilot::cli::text
