// SPDX-License-Identifier: Apache-2.0
//
// Text tables for stdout. A column is as wide as its widest cell, two spaces separate columns, and no lines
// are drawn.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupilot::cli::text {

enum class Align { left, right };

struct Column {
  std::string title;
  Align align = Align::left;
};

class Table {
public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// One cell per column; missing cells are empty.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  /// Title line and rows, each ended by a newline; no blanks at the end of a line.
  std::string text() const;

private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// The number of terminal columns of UTF-8 text: one per code point, since our tables contain no wide
/// characters.
std::size_t display_width(std::string_view text);

}  // namespace cupilot::cli::text
