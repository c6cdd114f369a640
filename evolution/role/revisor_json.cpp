// SPDX-License-Identifier: Apache-2.0
//
// Formats: {"cupilot_answer":1,"cause","fix"}, {"cupilot_answer":1,"edits":[...]} and
// {"cupilot_answer":1,"issue","why","fix"}.

#include <fmt/format.h>

#include "evolution/role/answer_json.h"
#include "evolution/role/revisor.h"

namespace cupilot::role {
namespace {

constexpr std::string_view kDiagnosis = R"({"cupilot_answer":1,"cause":"...","fix":"..."})";
constexpr std::string_view kCriticism = R"({"cupilot_answer":1,"issue":"...","why":"...","fix":"..."})";
constexpr std::string_view kEdits =
    R"({"cupilot_answer":1,"edits":[{"edit":"replace","first":3,"last":4,"text":"..."},)"
    R"({"edit":"insert","first":7,"text":"..."},{"edit":"remove","first":9,"last":9}]})";
constexpr std::size_t kMostProse = 4000, kMostCriticism = 2000, kMostEdits = 200;
constexpr int kMostLine = 1 << 20;

Result<LineEdit> edit_from(const AnswerObject &object) {
  CUPILOT_TRY(kind, object.words("edit", kMostTitle));
  LineEdit edit;
  const bool insert = kind == "insert", remove = kind == "remove";
  if (!insert && !remove && kind != "replace")
    return fail(fmt::format("'edit' is '{}', which is none of replace, insert and remove", kind));
  edit.kind = insert ? LineEdit::Kind::insert : remove ? LineEdit::Kind::remove : LineEdit::Kind::replace;
  CUPILOT_CHECKED(insert   ? object.only({"edit", "first", "text"})
                  : remove ? object.only({"edit", "first", "last"})
                           : object.only({"edit", "first", "last", "text"}));
  CUPILOT_TRY(first, object.integer("first", 1, kMostLine));
  edit.first = edit.last = first;
  if (object.has("last")) {
    CUPILOT_TRY(last, object.integer("last", first, kMostLine));
    edit.last = last;
  }
  if (remove) return edit;
  CUPILOT_TRY(text, object.text("text", model::kMostVariantBytes));
  if (text.empty()) return fail("'text' is empty; say \"remove\" to take lines away");
  edit.text = std::move(text);
  return edit;
}

}  // namespace

Result<Diagnosis> parse_diagnosis(std::string_view answer) {
  return read_answer<Diagnosis>(
      answer, kDiagnosis, [](const AnswerObject &object, const AnswerParts &parts) -> Result<Diagnosis> {
        CUPILOT_CHECKED(no_code(parts));
        CUPILOT_CHECKED(object.only({"cupilot_answer", "cause", "fix"}));
        CUPILOT_TRY(cause, object.prose("cause", kMostProse));
        CUPILOT_TRY(fix, object.prose("fix", kMostProse));
        return Diagnosis{std::move(cause), std::move(fix)};
      });
}

Result<std::vector<LineEdit>> parse_edits(std::string_view answer) {
  using Edits = std::vector<LineEdit>;
  return read_answer<Edits>(answer, kEdits,
                            [](const AnswerObject &object, const AnswerParts &parts) -> Result<Edits> {
                              CUPILOT_CHECKED(no_code(parts));
                              CUPILOT_CHECKED(object.only({"cupilot_answer", "edits"}));
                              CUPILOT_TRY(objects, object.objects("edits", "edit", 1, kMostEdits));
                              Edits edits;
                              for (std::size_t i = 0; i < objects.size(); ++i) {
                                auto edit = edit_from(objects[i]);
                                if (!edit) return within(fmt::format("edit {}", i + 1), edit.error());
                                edits.push_back(std::move(*edit));
                              }
                              return edits;
                            });
}

Result<Criticism> parse_criticism(std::string_view answer) {
  return read_answer<Criticism>(
      answer, kCriticism, [](const AnswerObject &object, const AnswerParts &parts) -> Result<Criticism> {
        CUPILOT_CHECKED(no_code(parts));
        CUPILOT_CHECKED(object.only({"cupilot_answer", "issue", "why", "fix"}));
        CUPILOT_TRY(issue, object.prose("issue", kMostCriticism));
        CUPILOT_TRY(why, object.prose("why", kMostCriticism));
        CUPILOT_TRY(fix, object.prose("fix", kMostCriticism));
        return Criticism{std::move(issue), std::move(why), std::move(fix)};
      });
}

}  // namespace cupilot::role
