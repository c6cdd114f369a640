// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/builtin_json.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "annotate/spec/json_convert.h"
#include "annotate/spec/kernel_spec_json.h"
#include "evolution/schedule/schedule.h"

namespace cupilot::provider {

Result<std::string> rewrite_request_of(std::string_view role_content) {
  return spec::read_json<std::string>(
      role_content, "cupilot_role", 1, [](const spec::Json &role) -> Result<std::string> {
        spec::Json rules = spec::Json::array();
        for (const spec::Json &strategy : role.at("strategies")) {
          if (strategy.at("rule").get<std::string>().empty())
            return fail(fmt::format("strategy '{}' has no built-in rule; it needs a model",
                                    strategy.at("id").get<std::string>()));
          rules.push_back(strategy.at("rule"));
        }
        return spec::one_line({{"cupilot_rewrite", 1}, {"spec", role.at("spec")}, {"rules", rules}});
      });
}

namespace {

spec::Json answer_of(const schedule::Outcome &outcome, const std::string &rule) {
  if (!outcome) {
    const spec::Json refusal{
        {"rule", rule}, {"reason", outcome.error().reason}, {"line", outcome.error().line}};
    return {{"cupilot_answer", 1}, {"refused", spec::Json::array({refusal})}};
  }
  spec::Json knobs = spec::Json::array();
  for (const model::Knob &knob : outcome->knobs)
    knobs.push_back({{"name", knob.name}, {"values", knob.values}, {"value", knob.value}});
  return {{"cupilot_answer", 1},
          {"variant", outcome->variant},
          {"knobs", std::move(knobs)},
          {"applied", {rule}},
          {"summary", outcome->summary}};
}

}  // namespace

Result<std::optional<std::string>> scheduled_answer(std::string_view role_content) {
  using Answer = std::optional<std::string>;
  return spec::read_json<Answer>(
      role_content, "cupilot_role", 1, [](const spec::Json &role) -> Result<Answer> {
        const spec::Json &strategies = role.at("strategies");
        const auto found = std::ranges::find_if(strategies, [](const spec::Json &one) {
          return schedule::find_schedule(one.at("rule").get<std::string>()) != nullptr;
        });
        if (found == strategies.end()) return std::nullopt;
        const std::string rule = found->at("rule").get<std::string>();
        if (strategies.size() > 1)
          return spec::one_line(answer_of(std::unexpected(schedule::Refusal{
                                              "it writes the kernel anew, and is not combined with others"}),
                                          rule));
        CUPILOT_TRY(spec, spec::kernel_spec_from_json(role.at("spec").dump()));
        return spec::one_line(answer_of(schedule::find_schedule(rule)->write(spec), rule));
      });
}

Result<std::string> answer_of_rewrite(std::string_view rewrite_answer) {
  return spec::read_json<std::string>(rewrite_answer, "cupilot_rewrite", 1,
                                      [](spec::Json answer) -> Result<std::string> {
                                        if (const auto error = answer.find("error"); error != answer.end())
                                          return fail(error->get<std::string>());
                                        answer.erase("cupilot_rewrite");
                                        spec::Json translated = {{"cupilot_answer", 1}};
                                        translated.update(answer);
                                        return spec::one_line(translated);
                                      });
}

Result<std::vector<std::string>> rules_from(std::string_view rules_answer) {
  using Rules = std::vector<std::string>;
  return spec::read_json<Rules>(
      rules_answer, "cupilot_rules", 1,
      [](const spec::Json &json) -> Result<Rules> { return json.at("rules").get<Rules>(); });
}

Result<std::string> strategist_answer(std::string_view role_content, const std::vector<std::string> &rules) {
  return spec::read_json<std::string>(
      role_content, "cupilot_role", 1, [&](const spec::Json &role) -> Result<std::string> {
        std::vector<spec::Json> known;
        for (const spec::Json &strategy : role.at("strategies"))
          if (std::ranges::find(rules, strategy.at("rule").get<std::string>()) != rules.end())
            known.push_back(strategy);
        std::ranges::sort(known, {}, [](const spec::Json &strategy) {
          return std::pair(-strategy.at("gain").get<double>(), strategy.at("id").get<std::string>());
        });
        spec::Json ids = spec::Json::array();
        for (const spec::Json &strategy : known) ids.push_back(strategy.at("id"));
        return spec::one_line({{"cupilot_answer", 1}, {"strategies", ids}});
      });
}

}  // namespace cupilot::provider
