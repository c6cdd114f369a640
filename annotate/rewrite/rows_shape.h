// SPDX-License-Identifier: Apache-2.0
//
// Recognises kernels with one row per thread, which are rewritten to one row per team of lanes. It decides
// which statements every lane may repeat, which loops run over columns and can be shared by the lanes, and
// which results the lanes must combine.

#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "annotate/rewrite/items_shape.h"

namespace cupilot::rewrite {

/// A reduction over columns: `acc += e`, `acc = fmaxf(acc, e)`, `if (e > acc) acc = e`. Each lane accumulates
/// its share, then the lanes' results are combined.
struct Accumulator {
  int variable = -1;
  std::string name;         ///< name of the combining function: "sum", "max", "fmaxf"
  std::string combine;      ///< an expression that combines `value` and `other`
  bool repeatable = false;  ///< combining the start value in several times changes nothing (maximum, minimum)
  std::string identity;     ///< if not repeatable: the start value of the other lanes
};

/// One access `pointer[...]` of the kernel.
struct Touch {
  enum class Form { row_column, column, row, row_start, other };
  Form form = Form::other;
  int pointer = -1;
  const Node *node = nullptr;
  const Node *stride = nullptr;  ///< of row_column and row_start: number of elements from row to row
  bool load = false, store = false;
  bool maybe = false;  ///< not on every path through the body of its loop
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
  bool once = false;  ///< writes memory, so only lane 0 runs it
  int loop = -1;      ///< index into RowShape::loops; -1: not a column loop
};

struct RowShape {
  ItemShape frame;
  std::vector<RowPart> parts;
  std::vector<ColumnLoop> loops;
  std::vector<Touch> touches;  ///< in program order
};

std::expected<RowShape, Obstacle> row_shape(const Kernel &kernel);

}  // namespace cupilot::rewrite
