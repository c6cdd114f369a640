// SPDX-License-Identifier: Apache-2.0
//
// Kernels with one row a thread: which statements every lane of a team may repeat, which loops run over
// columns and can be shared out to the lanes, and which results the lanes have to combine.

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "annotate/rewrite/items_shape.h"

namespace cupilot::rewrite {

/// `acc += e`, `acc = fmaxf(acc, e)`, `if (e > acc) acc = e`: lanes do theirs, then their results are
/// combined.
struct Accumulator {
  int variable = -1;
  std::string name;         ///< of the combining function: "sum", "max", "fmaxf"
  std::string combine;      ///< an expression over `value` and `other`
  bool repeatable = false;  ///< combining the start value in more than once changes nothing (maxima)
  std::string identity;     ///< otherwise what the other lanes start from
};

/// One `pointer[...]` of the kernel.
struct Touch {
  enum class Form { row_column, column, row, row_start, other };
  Form form = Form::other;
  int pointer = -1;
  const Node *node = nullptr;
  const Node *stride = nullptr;  ///< row_column, row_start: elements from row to row
  bool load = false, store = false;
  bool maybe = false;  ///< not on every path through its loop's body
  int part = -1;
  int order = 0;
};

struct ColumnLoop {
  const Node *statement = nullptr, *start = nullptr, *bound = nullptr, *body = nullptr;
  int column = -1;
  std::vector<Accumulator> accumulators;
};

struct RowPart {
  const Node *statement = nullptr;
  bool once = false;  ///< writes memory: lane 0 only
  int loop = -1;      ///< index of a column loop
};

struct RowShape {
  ItemShape frame;
  std::vector<RowPart> parts;
  std::vector<ColumnLoop> loops;
  std::vector<Touch> touches;  ///< in program order
};

std::expected<RowShape, Obstacle> row_shape(const Kernel &kernel);

}  // namespace cupilot::rewrite
