// SPDX-License-Identifier: Apache-2.0
//
// The question for built-in rules is
// {"cupilot_role":1,"role":"translator","spec":{...},"strategies":[{...}]}, the answer
// {"cupilot_answer":1,"variant":"...","knobs":[...],"applied":[...],"summary":"..."} or
// {"cupilot_answer":1,"refused":[...]}. A model's variant is in the block of code instead.

#include <fmt/format.h>
#include <algorithm>

#include "annotate/spec/json_convert.h"
#include "annotate/spec/kernel_spec_json.h"
#include "evolution/model/role.h"
#include "evolution/role/answer_json.h"
#include "evolution/role/strategy_json.h"
#include "evolution/role/translator.h"

namespace cupilot::role {
namespace {

constexpr std::string_view kTranslationShape =
    R"(a block ```json with {"cupilot_answer":1,"applied":["..."],"summary":"..."} and a block ```cuda )"
    R"(with the whole variant, or only a block ```json with {"cupilot_answer":1,"refused":[{"reason":"..."}]})";
constexpr std::size_t kMostApplied = 40, kMostKnobs = 64;

Result<TranslatorAnswer> refusals_from(const AnswerObject &answer, const AnswerParts &parts) {
  CUPILOT_CHECKED(answer.only({"cupilot_answer", "refused"}));
  if (parts.code) return fail("it refuses and has a block ```cuda; expected one of the two");
  CUPILOT_TRY(objects, answer.objects("refused", "refusal", 0, kMostApplied));
  if (objects.empty()) return fail("'refused' is empty");
  std::vector<Refusal> refusals;
  for (const AnswerObject &one : objects) {
    CUPILOT_CHECKED(one.only({"rule", "reason", "line"}));
    CUPILOT_TRY(rule, one.optional_words("rule", kMostTitle));
    CUPILOT_TRY(reason, one.optional_words("reason", 2 * kMostSentence));
    if (reason.empty()) return fail(fmt::format("rule '{}' is refused without a reason", rule));
    refusals.push_back({std::move(rule), std::move(reason)});
    if (!one.has("line")) continue;
    CUPILOT_TRY(line, one.integer("line", 0, 1 << 24));
    refusals.back().line = line;
  }
  return refusals;
}

Result<model::Knob> knob_from(const spec::Json &json) {
  model::Knob knob{json.at("name").get<std::string>(), json.at("values").get<std::vector<long long>>(),
                   json.at("value").get<long long>()};
  if (std::ranges::find(knob.values, knob.value) == knob.values.end())
    return fail(fmt::format("knob '{}' stands at {}, which it does not allow", knob.name, knob.value));
  return knob;
}

Result<std::vector<model::Knob>> knobs_from(const spec::Json &answer) {
  std::vector<model::Knob> knobs;
  try {
    const spec::Json &list = answer.at("knobs");
    if (list.size() > kMostKnobs) return fail(fmt::format("there are more than {} knobs", kMostKnobs));
    for (const spec::Json &json : list) {
      CUPILOT_TRY(knob, knob_from(json));
      knobs.push_back(std::move(knob));
    }
  } catch (const std::exception &problem) {
    return fail(std::string("the knobs cannot be read: ") + problem.what());
  }
  return knobs;
}

/// Parses a bare object, which is the answer of built-in rules.
Result<TranslatorAnswer> bare_translation(const AnswerObject &answer, const AnswerParts &parts) {
  CUPILOT_CHECKED(answer.only({"cupilot_answer", "variant", "knobs", "applied", "summary"}));
  Translation translation;
  CUPILOT_TRY(variant, answer.text("variant", model::kMostVariantBytes));
  if (variant.empty()) return fail("'variant' is empty");
  CUPILOT_TRY(applied, answer.list("applied", 0, kMostApplied, kMostSentence));
  CUPILOT_TRY(summary, answer.optional_words("summary", 2 * kMostSentence));
  CUPILOT_TRY(json, parse_answer_json(parts.json));
  CUPILOT_TRY(knobs, knobs_from(json));
  translation.variant = std::move(variant);
  translation.applied = std::move(applied);
  translation.summary = std::move(summary);
  translation.knobs = std::move(knobs);
  return translation;
}

Result<TranslatorAnswer> translation_from(const AnswerObject &answer, const AnswerParts &parts) {
  if (!parts.code) return fail("there is no block ```cuda");
  CUPILOT_CHECKED(answer.only({"cupilot_answer", "applied", "summary"}));
  Translation translation;
  CUPILOT_TRY(applied, answer.list("applied", 0, kMostApplied, kMostSentence));
  CUPILOT_TRY(summary, answer.words("summary", 2 * kMostSentence));
  translation.variant = *parts.code;
  translation.applied = std::move(applied);
  translation.summary = std::move(summary);
  return translation;
}

}  // namespace

provider::RoleRequest translator_request(const TranslatorQuestion &question) {
  spec::Json content = {{"cupilot_role", 1},
                        {"role", model::kTranslator},
                        {"strategies", spec::json_of(question.strategies, kToldStrategy)}};
  spec::KernelSpec spec = question.spec;
  spec.twin = {};   // only for the judge
  spec.facts = {};  // rules read the slice instead
  content["spec"] = spec::Json::parse(spec::to_json(spec));
  return {.role = model::kTranslator, .content = spec::one_line(content), .prompt_version = "translator 1"};
}

Result<TranslatorAnswer> parse_translator_answer(std::string_view content) {
  return read_answer<TranslatorAnswer>(
      content, kTranslationShape,
      [](const AnswerObject &answer, const AnswerParts &parts) -> Result<TranslatorAnswer> {
        if (answer.has("refused")) return refusals_from(answer, parts);
        return answer.has("variant") && !parts.code ? bare_translation(answer, parts)
                                                    : translation_from(answer, parts);
      });
}

}  // namespace cupilot::role
