// SPDX-License-Identifier: Apache-2.0
//
// {"cupilot_known_history":1,"outcomes":[{...}],"strategies":["..."]}

#include "driver/cli/tune_history.h"
#include "evolution/model/strategy_outcome_json.h"

namespace cupilot::cli {
namespace {

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
