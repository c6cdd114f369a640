// SPDX-License-Identifier: Apache-2.0
//
// A strategy: a named optimisation in words, with preconditions. The pool's records are text files; a rule of
// `builtin` is a strategy whose `rule` names a rewrite of cupilot-annotate. In a search with a model it is
// the thing that evolves: the same members, an id of the run's own ("s0007") and the ids it was made of.

#pragma once

#include <string>
#include <vector>

namespace cupilot {

struct Strategy {
  std::string id;  ///< "wide-access"
  std::string title;
  std::vector<std::string>
      roofline_classes;  ///< where it helps: "memory-bound", "compute-bound", "latency-bound"
  std::vector<std::string> preconditions;
  std::vector<std::string> steps;
  std::string expected_effect, risk, check;
  std::vector<std::string> features;  ///< kernel features it works on (evolution/strategy); for ranking only
  double gain = 1;                    ///< typical speed-up where it applies; for ranking only
  std::string rule;                   ///< rewrite of cupilot-annotate that realises it; empty: needs a model
  std::vector<std::string> architectures;  ///< "sm_90", "sm_90a", or "sm_80+" for it and later; empty: all
  std::vector<std::string> conflicts;      ///< ids it cannot be combined with
  std::vector<std::string> evidence;  ///< where it was seen to help: a kernel, a device, a figure, a source
  std::vector<std::string> parents;   ///< of a strategy made in a run: what it was crossed over from
};

}  // namespace cupilot
