// SPDX-License-Identifier: Apache-2.0
//
// The words of a strategy inside an answer. For the *_json.cpp files of this folder only.

#pragma once

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/role/answer_json.h"

namespace cupilot {

inline constexpr double kLeastGain = 0.01;

/// title, needs, steps, effect and risk, into `strategy`; its other members stay.
Result<void> read_strategy_words(const AnswerObject &object, Strategy &strategy);

}  // namespace cupilot
