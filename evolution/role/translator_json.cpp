// SPDX-License-Identifier: Apache-2.0
//
// {"cupilot_role":1,"role":"translator","spec":{...},"strategies":[{...}]} and back
// {"cupilot_answer":1,"variant":"...","knobs":[...],"applied":[...],"summary":"..."} or
// {"cupilot_answer":1,"refused":[...]}.

#include <algorithm>

#include "annotate/spec/json_convert.h"
#include "annotate/spec/kernel_spec_json.h"
#include "evolution/role/strategy_json.h"
#include "evolution/role/translator.h"

namespace cupilot {
namespace {

Result<TranslatorAnswer> refusals_from(const Json &answer) {
  std::vector<Refusal> refusals;
  for (const Json &one : answer.at("refused")) {
    Refusal refusal{one.at("rule").get<std::string>(), one.at("reason").get<std::string>()};
    optional_member(one, "line", refusal.line);
    if (refusal.reason.empty()) return fail("rule '" + refusal.rule + "' is refused without a reason");
    refusals.push_back(std::move(refusal));
  }
  if (refusals.empty()) return fail("'refused' is empty");
  return refusals;
}

Result<Knob> knob_from(const Json &json) {
  Knob knob{json.at("name").get<std::string>(), json.at("values").get<std::vector<long long>>(),
            json.at("value").get<long long>()};
  if (std::ranges::find(knob.values, knob.value) == knob.values.end())
    return fail("knob '" + knob.name + "' stands at " + std::to_string(knob.value) +
                ", which it does not allow");
  return knob;
}

Result<TranslatorAnswer> translation_from(const Json &answer) {
  Translation translation;
  answer.at("variant").get_to(translation.variant);
  answer.at("applied").get_to(translation.applied);
  optional_member(answer, "summary", translation.summary);
  if (translation.variant.empty()) return fail("'variant' is empty");
  for (const Json &json : answer.at("knobs")) {
    CUPILOT_TRY(knob, knob_from(json));
    translation.knobs.push_back(std::move(knob));
  }
  return translation;
}

}  // namespace

RoleRequest translator_request(const TranslatorQuestion &question) {
  Json content = {
      {"cupilot_role", 1}, {"role", "translator"}, {"strategies", strategies_json(question.strategies)}};
  content["spec"] = Json::parse(to_json(question.spec));
  return {.role = "translator", .content = one_line(content), .prompt_version = "translator 1"};
}

Result<TranslatorAnswer> parse_translator_answer(std::string_view content) {
  return read_json<TranslatorAnswer>(content, "cupilot_answer", 1, [](const Json &answer) {
    return answer.contains("refused") ? refusals_from(answer) : translation_from(answer);
  });
}

}  // namespace cupilot
