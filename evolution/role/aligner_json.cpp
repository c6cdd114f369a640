// SPDX-License-Identifier: Apache-2.0
//
// Format: {"cupilot_answer":1,"title","needs":[],"steps":[],"effect","risk"}.

#include "evolution/role/aligner.h"
#include "evolution/role/answer_json.h"
#include "evolution/role/strategy_json.h"

namespace cupilot::role {
namespace {

constexpr std::string_view kAligned =
    R"({"cupilot_answer":1,"title":"...","needs":["..."],"steps":["..."],"effect":"...","risk":"..."})";

}  // namespace

Result<model::Strategy> parse_aligned(std::string_view answer, const model::Strategy &before) {
  return read_answer<model::Strategy>(
      answer, kAligned, [&](const AnswerObject &object, const AnswerParts &parts) -> Result<model::Strategy> {
        CUPILOT_CHECKED(no_code(parts));
        CUPILOT_CHECKED(object.only({"cupilot_answer", "title", "needs", "steps", "effect", "risk"}));
        model::Strategy aligned = before;
        CUPILOT_CHECKED(read_strategy_words(object, aligned));
        return aligned;
      });
}

}  // namespace cupilot::role
