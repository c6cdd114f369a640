// SPDX-License-Identifier: Apache-2.0
//
// An individual: variant + strategy text + knob values + parents. What the search moves.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cupilot {

/// A declared compile-time constant of a variant: `constexpr int kWarps = 8;  // knob: 2 4 8 16`.
struct Knob {
  std::string name;
  std::vector<long long> values;  ///< allowed, in the order declared
  long long value = 0;
};

struct Individual {
  std::string id;                       ///< "c0001"; the candidate's id in bundles
  std::vector<std::string> strategies;  ///< ids, in the order applied
  std::string strategy_text;
  std::string variant;  ///< the file's text, knob values set
  std::vector<Knob> knobs;
  std::vector<std::string> parents;
  std::string provider, model;      ///< who wrote it: "builtin", "hand"
  std::vector<std::int64_t> calls;  ///< the questions it came of, in order: ids in the run database
};

}  // namespace cupilot
