// SPDX-License-Identifier: Apache-2.0
//
// Whether two functions, and everything that they reach, are the same code: token for token, where each
// symbol of one corresponds to one of the other. Symbols that another object defines must have the same name.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/cli/records/assembly_units.h"

namespace cupilot::cli::records {

struct UnitDifference {
  std::string function;       ///< where the codes part: its plain name in the first one
  std::string first, second;  ///< the tokens there
};

/// Whether a symbol of the second stands for one of the first which another object defines: the launcher's
/// wrapper re-labels some.
using StandsFor = std::function<bool(std::string_view first, std::string_view second)>;

class UnitMatch {
public:
  UnitMatch(const AssemblyUnits &first, const AssemblyUnits &second, StandsFor stands_for)
      : first_(first), second_(second), stands_for_(std::move(stands_for)) {}

  /// `a` and `b` are symbols of the first and the second.
  std::optional<UnitDifference> compare(std::string_view a, std::string_view b);

private:
  using Pairs = std::map<std::string_view, std::string_view>;
  /// The two units whose tokens are compared, and their labels and parameters.
  struct Inside {
    std::string_view first, second;
    std::set<std::string_view> first_own, second_own;  ///< variables declared in their bodies
    Pairs forth, back;
  };

  bool same(std::string_view a, std::string_view b, Inside &inside);
  bool pair(std::string_view a, std::string_view b);
  std::optional<UnitDifference> compare_unit(std::string_view a, std::string_view b);

  const AssemblyUnits &first_, &second_;
  const StandsFor stands_for_;
  Pairs forth_, back_;                                                  ///< symbols that correspond
  std::vector<std::pair<std::string_view, std::string_view>> waiting_;  ///< pairs to compare
};

}  // namespace cupilot::cli::records
