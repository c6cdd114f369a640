// SPDX-License-Identifier: Apache-2.0
//
// An individual is what the search works on: a variant, its strategy text, its knob values and its parents.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cupilot::model {

/// A compile-time constant of a variant, declared in its text: `constexpr int kWarps = 8;  // knob: 2 4 8
/// 16`.
struct Knob {
  std::string name;
  std::vector<long long> values;  ///< the allowed values, in the order declared
  long long value = 0;
};

struct Individual {
  std::string id;                       ///< "c0001"; the candidate's id in bundles
  std::vector<std::string> strategies;  ///< ids, in the order applied
  std::string strategy_text;
  std::string variant;  ///< text of the variant file, with the knob values set
  std::vector<Knob> knobs;
  std::vector<std::string> parents;
  std::string provider, model;      ///< who wrote the variant: "builtin", "hand"
  std::vector<std::int64_t> calls;  ///< ids in the run database of the model calls that led to it, in order
};

}  // namespace cupilot::model
