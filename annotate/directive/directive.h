// SPDX-License-Identifier: Apache-2.0
//
// One directive as the user wrote it, every part with its place. When the kernel is known,
// annotate/directive/resolve.h makes from it what the program uses.

#pragma once

#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "annotate/directive/token.h"
#include "annotate/spec/kernel_spec.h"

namespace cupilot::directive {

struct PrecisionEntry {
  spec::PrecisionKind kind = spec::PrecisionKind::same;
  PlacedText kind_text;
  std::vector<PlacedText> arguments;  ///< of `relaxed`: relative, absolute
};

struct OptimizeDirective {
  SourcePlace place;
  std::optional<PlacedText> name;
  PrecisionEntry precision;
  std::vector<PlacedText> assumptions;
  bool deterministic = false;
};

struct SetEntry {
  PlacedText name, value;
};

struct BufferEntry {
  PlacedText name, extent;
  spec::BufferRole role = spec::BufferRole::in;
};

struct FillEntry {
  PlacedText name;
  spec::FillKind kind = spec::FillKind::automatic;
  PlacedText kind_text;
  std::vector<PlacedText> arguments;
};

struct LaunchEntry {
  SourcePlace place;
  std::array<PlacedText, 3> grid, block;  ///< empty: 1
  PlacedText shared_bytes;                ///< empty: 0
};

struct WorkloadDirective {
  SourcePlace place;
  std::optional<PlacedText> id;
  std::vector<SetEntry> set;
  std::vector<BufferEntry> buffers;
  std::vector<FillEntry> fills;
  std::optional<LaunchEntry> launch;
  bool check = false;
  std::optional<PlacedText> weight;
  std::optional<SourcePlace> holdout;  ///< the place of the clause
};

struct Directive {
  std::variant<OptimizeDirective, WorkloadDirective> what;
  bool broken = false;  ///< an error was reported: the directive keeps its place, but is not examined further
};

/// `tokens` are those after `cupilot`; `place` is that of the directive. Reports everything that is wrong
/// with it. The result is empty when not even the kind of directive is known.
std::optional<Directive> parse_directive(const std::vector<Token> &tokens, const SourcePlace &place,
                                         std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot::directive
