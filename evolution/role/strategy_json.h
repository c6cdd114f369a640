// SPDX-License-Identifier: Apache-2.0
//
// Strategies inside role requests. For the *_json.cpp files of this folder only.

#pragma once

#include <vector>

#include "annotate/spec/json_convert.h"
#include "evolution/model/strategy.h"

namespace cupilot {

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
