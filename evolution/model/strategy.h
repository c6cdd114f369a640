// SPDX-License-Identifier: Apache-2.0
//
// A strategy is a named optimisation described in words, with preconditions. The strategies of the pool are
// text files. A strategy whose `rule` names a rewrite of cupilot-annotate can be applied by the `builtin`
// provider without a model. In a search with a model strategies evolve: a new one has the same members, an id
// of its run ("s0007") and the ids of its parents.

#pragma once

#include <string>
#include <vector>

namespace cupilot::model {

struct Strategy {
  std::string id;  ///< "wide-access"
  std::string title;
  /// classes it helps: "memory-bound", "compute-bound", "latency-bound"
  std::vector<std::string> roofline_classes;
  std::vector<std::string> preconditions;
  std::vector<std::string> steps;
  std::string expected_effect, risk, check;
  /// kernel features it applies to (evolution/strategy); for ranking only
  std::vector<std::string> features;
  double gain = 1;   ///< typical speed-up where it applies; for ranking only
  std::string rule;  ///< rewrite of cupilot-annotate that implements it; empty: needs a model
  std::vector<std::string> architectures;  ///< "sm_90", "sm_90a", or "sm_80+" for it and later; empty: all
  std::vector<std::string> conflicts;      ///< ids it cannot be combined with
  std::vector<std::string> evidence;       ///< where it helped: kernel, device, speed-up, source
  std::vector<std::string> parents;        ///< for a strategy made in a run: ids it was crossed over from
};

}  // namespace cupilot::model
