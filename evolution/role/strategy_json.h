// SPDX-License-Identifier: Apache-2.0
//
// Strategies as JSON in requests and answers. Private to the *_json.cpp files of this folder.

#pragma once

#include <vector>

#include "annotate/spec/json_convert.h"
#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/role/answer_json.h"

namespace cupilot {

/// Reads title, needs, steps, effect and risk of an answer into `strategy`; its other members stay unchanged.
Result<void> read_strategy_words(const AnswerObject &object, Strategy &strategy);

inline Json strategies_json(const std::vector<Strategy> &strategies) {
  Json list = Json::array();
  for (const Strategy &one : strategies)
    list.push_back({{"id", one.id},
                    {"title", one.title},
                    {"classes", one.roofline_classes},
                    {"needs", one.preconditions},
                    {"steps", one.steps},
                    {"effect", one.expected_effect},
                    {"gain", one.gain},
                    {"risk", one.risk},
                    {"rule", one.rule}});
  return list;
}

}  // namespace cupilot
