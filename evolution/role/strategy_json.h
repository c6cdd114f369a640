// SPDX-License-Identifier: Apache-2.0
//
// Strategies inside of requests and answers. For the *_json.cpp files of this folder only.

#pragma once

#include <vector>

#include "annotate/spec/json_convert.h"
#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/role/answer_json.h"

namespace cupilot {

/// title, needs, steps, effect and risk of an answer, into `strategy`; its other members stay.
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
