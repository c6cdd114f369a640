// SPDX-License-Identifier: Apache-2.0
//
// Every word of the directives, also the words that this version does not support: no clause is ignored
// without a message.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::directive {

enum class DirectiveKind { optimize, workload, harness };
enum class Clause {
  name,
  precision,
  assume,
  deterministic,
  instantiate,  // optimize
  set,
  in,
  out,
  inout,
  scratch,
  fill,
  launch,
  check,
  weight,
  holdout  // workload
};

struct DirectiveRule {
  std::string_view name;
  DirectiveKind kind;
  bool supported;
};

struct ClauseRule {
  std::string_view name;
  Clause clause;
  DirectiveKind host;
  bool once;  ///< a second one is an error
  bool takes_arguments;
  bool supported;
  std::string_view usage;  ///< shown to the user as the correct form
};

struct FillRule {
  std::string_view name;
  spec::FillKind kind;
  bool supported;
  int fewest, most;  ///< arguments
  std::string_view usage;
};

struct PrecisionRule {
  std::string_view name;
  spec::PrecisionKind kind;
  int arguments;
  std::string_view usage;
};

std::span<const DirectiveRule> directive_rules();
std::span<const ClauseRule> clause_rules();
std::span<const FillRule> fill_rules();
std::span<const PrecisionRule> precision_rules();

/// Returns the row of that name, or nullptr when there is none.
template <class Row>
const Row *find_rule(std::span<const Row> rows, std::string_view name) {
  for (const Row &row : rows)
    if (row.name == name) return &row;
  return nullptr;
}

/// The word between single quotes.
std::string in_quotes(std::string_view word);

std::vector<std::string> clause_names(DirectiveKind host);

}  // namespace cupilot::directive
