// SPDX-License-Identifier: Apache-2.0
//
// Strategies as JSON in requests and answers. Private to the *_json.cpp files of this folder.

#pragma once

#include <vector>

#include "annotate/spec/json_convert.h"
#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/role/answer_json.h"

namespace cupilot::role {

/// Reads title, needs, steps, effect and risk of an answer into `strategy`; its other members stay unchanged.
Result<void> read_strategy_words(const AnswerObject &object, model::Strategy &strategy);

/// The members of a strategy that a role is told.
inline constexpr auto kToldStrategy =
    fields(field("id", &model::Strategy::id), field("title", &model::Strategy::title),
           field("classes", &model::Strategy::roofline_classes),
           field("needs", &model::Strategy::preconditions), field("steps", &model::Strategy::steps),
           field("effect", &model::Strategy::expected_effect), field("gain", &model::Strategy::gain),
           field("risk", &model::Strategy::risk), field("rule", &model::Strategy::rule));

}  // namespace cupilot::role
