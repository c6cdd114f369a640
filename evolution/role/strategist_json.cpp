// SPDX-License-Identifier: Apache-2.0
//
// The question for built-in rules is {"cupilot_role":1,"role":"strategist","kernel":...,"strategies":[...]},
// the answer {"cupilot_answer":1,"strategies":[ids]}. A model's answer has strategies in place of ids.

#include <fmt/format.h>
#include <algorithm>

#include "annotate/spec/json_convert.h"
#include "evolution/model/role.h"
#include "evolution/role/answer_json.h"
#include "evolution/role/strategist.h"
#include "evolution/role/strategy_json.h"

namespace cupilot::role {
namespace {

constexpr std::string_view kStrategies =
    R"({"cupilot_answer":1,"strategies":[{"title":"...","from":["id"],"needs":["..."],"steps":["..."],)"
    R"("effect":"...","risk":"...","gain":1.5,"conflicts":["id"]}]})";
constexpr std::size_t kMostId = 60;

Result<model::Strategy> strategy_from(const AnswerObject &object) {
  CUPILOT_CHECKED(object.only({"title", "from", "needs", "steps", "effect", "risk", "gain", "conflicts"}));
  model::Strategy strategy;
  CUPILOT_CHECKED(read_strategy_words(object, strategy));
  CUPILOT_TRY(parents, object.list("from", 0, kMostItems, kMostId));
  CUPILOT_TRY(conflicts, object.list("conflicts", 0, kMostItems, kMostId));
  CUPILOT_TRY(gain, object.number("gain", kLeastGain, kMostGain));
  strategy.parents = std::move(parents);
  strategy.conflicts = std::move(conflicts);
  strategy.gain = gain;
  return strategy;
}

}  // namespace

Result<void> read_strategy_words(const AnswerObject &object, model::Strategy &strategy) {
  CUPILOT_TRY(title, object.words("title", kMostTitle));
  CUPILOT_TRY(needs, object.list("needs", 0, kMostItems, kMostSentence));
  CUPILOT_TRY(steps, object.list("steps", 1, kMostItems, kMostSentence));
  CUPILOT_TRY(effect, object.optional_words("effect", kMostSentence));
  CUPILOT_TRY(risk, object.optional_words("risk", kMostSentence));
  strategy.title = std::move(title);
  strategy.preconditions = std::move(needs);
  strategy.steps = std::move(steps);
  strategy.expected_effect = std::move(effect);
  strategy.risk = std::move(risk);
  return {};
}

Result<std::vector<model::Strategy>> parse_strategies_answer(std::string_view answer, std::size_t most) {
  using Strategies = std::vector<model::Strategy>;
  return read_answer<Strategies>(
      answer, kStrategies,
      [most](const AnswerObject &object, const AnswerParts &parts) -> Result<Strategies> {
        CUPILOT_CHECKED(no_code(parts));
        CUPILOT_CHECKED(object.only({"cupilot_answer", "strategies"}));
        CUPILOT_TRY(objects, object.objects("strategies", "strategy", 1, most));
        Strategies strategies;
        for (const AnswerObject &one : objects) {
          CUPILOT_TRY(strategy, strategy_from(one));
          strategies.push_back(std::move(strategy));
        }
        return strategies;
      });
}

provider::RoleRequest strategist_request(const StrategistQuestion &question) {
  const spec::Json content = {{"cupilot_role", 1},
                              {"role", model::kStrategist},
                              {"kernel", question.kernel},
                              {"features", question.features},
                              {"roofline_class", question.roofline_class},
                              {"strategies", spec::json_of(question.strategies, kToldStrategy)}};
  return {.role = model::kStrategist, .content = spec::one_line(content), .prompt_version = "strategist 1"};
}

Result<std::vector<std::string>> parse_strategist_answer(std::string_view content,
                                                         const std::vector<model::Strategy> &asked) {
  using Ids = std::vector<std::string>;
  return spec::read_json<Ids>(content, "cupilot_answer", 1, [&](const spec::Json &answer) -> Result<Ids> {
    std::set<std::string> seen;
    for (const spec::Json &json : answer.at("strategies")) {
      const auto id = json.get<std::string>();
      if (std::ranges::find(asked, id, &model::Strategy::id) == asked.end())
        return fail(fmt::format("it names the strategy '{}', which was not asked about", id));
      if (!seen.insert(id).second) return fail(fmt::format("it names the strategy '{}' twice", id));
    }
    return answer.at("strategies").get<Ids>();
  });
}

}  // namespace cupilot::role
