// SPDX-License-Identifier: Apache-2.0
//
// Outcomes of strategies inside exports and the history a run keeps. For *_json.cpp files only.

#pragma once

#include "annotate/spec/json_convert.h"
#include "evolution/model/strategy_outcome.h"
#include "evolution/model/verdict_names.h"

namespace cupilot {

inline Json outcome_json(const StrategyOutcome &one) {
  return {{"strategy", one.strategy},
          {"architecture", one.architecture},
          {"kernel", one.kernel},
          {"kernel_id", one.kernel_id},
          {"features", one.features},
          {"class", one.roofline_class},
          {"verdict", to_string(one.verdict)},
          {"refused", one.refused},
          {"speedup", one.speedup},
          {"estimated", one.estimated},
          {"reason", one.reason},
          {"at", one.at}};
}

/// Throws what the JSON library throws; the readers catch it.
inline StrategyOutcome outcome_from(const Json &json) {
  StrategyOutcome one;
  json.at("strategy").get_to(one.strategy);
  json.at("architecture").get_to(one.architecture);
  json.at("kernel").get_to(one.kernel);
  json.at("kernel_id").get_to(one.kernel_id);
  json.at("features").get_to(one.features);
  json.at("class").get_to(one.roofline_class);
  one.verdict = enum_member<VerdictKind>(json, "verdict");
  json.at("refused").get_to(one.refused);
  json.at("speedup").get_to(one.speedup);
  json.at("estimated").get_to(one.estimated);
  json.at("reason").get_to(one.reason);
  json.at("at").get_to(one.at);
  return one;
}

}  // namespace cupilot
