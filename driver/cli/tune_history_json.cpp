// SPDX-License-Identifier: Apache-2.0
//
// {"cupilot_known_history":1,"outcomes":[{...}],"strategies":["..."]}

#include "annotate/spec/json_convert.h"
#include "driver/cli/tune_history.h"
#include "evolution/model/verdict_names.h"

namespace cupilot::cli {
namespace {

Json outcome_json(const StrategyOutcome &one) {
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

StrategyOutcome outcome_from(const Json &json) {
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

KnownHistory known_from(const Json &json) {
  KnownHistory known;
  for (const auto &item : json.at("outcomes")) known.outcomes.push_back(outcome_from(item));
  json.at("strategies").get_to(known.learned);
  return known;
}

}  // namespace

std::string to_json(const KnownHistory &known) {
  Json json = {{"cupilot_known_history", 1}, {"outcomes", Json::array()}, {"strategies", known.learned}};
  for (const auto &one : known.outcomes) json["outcomes"].push_back(outcome_json(one));
  return one_line(json) + "\n";
}

Result<KnownHistory> known_history_from_json(std::string_view text) {
  return read_json<KnownHistory>(text, "cupilot_known_history", 1, known_from);
}

}  // namespace cupilot::cli
