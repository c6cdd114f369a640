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

/// The members of a strategy that a role is told.
inline constexpr auto kToldStrategy =
    fields(field("id", &Strategy::id), field("title", &Strategy::title),
           field("classes", &Strategy::roofline_classes), field("needs", &Strategy::preconditions),
           field("steps", &Strategy::steps), field("effect", &Strategy::expected_effect),
           field("gain", &Strategy::gain), field("risk", &Strategy::risk), field("rule", &Strategy::rule));

}  // namespace cupilot
