// SPDX-License-Identifier: Apache-2.0
//
// The workshop's steps after judging: diagnoses and edits what failed, and aligns what survived.

#include "evolution/search/workshop_draft.h"

#include "evolution/role/aligner.h"
#include "evolution/role/revisor.h"

namespace cupilot::search {
namespace {

role::Diagnosis as_diagnosis(role::Criticism criticism) {
  return {.cause = criticism.issue + (criticism.why.empty() ? "" : " " + criticism.why),
          .fix = std::move(criticism.fix)};
}

}  // namespace

Result<void> Workshop::revise(Drafts &drafts) {
  std::vector<Draft *> broken;
  for (Draft &draft : drafts)
    if (draft.state == Draft::State::broken) broken.push_back(&draft);
  if (broken.empty()) return {};
  if (const std::string done = done_because(); !done.empty()) {
    for (Draft *draft : broken) draft->give_up("not repaired: " + done);
    return {};
  }
  CUPILOT_TRY(answers, diagnose(broken));
  std::vector<Draft *> known;
  std::vector<role::Diagnosis> diagnoses;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    broken[i]->add_calls(answers[i].calls);
    if (!answers[i]) {
      broken[i]->give_up("no diagnosis: " + answers[i].error().reason);
      continue;
    }
    known.push_back(broken[i]);
    diagnoses.push_back(std::move(*answers[i]));
  }
  return edit(known, diagnoses);
}

Result<std::vector<Answered<role::Diagnosis>>> Workshop::diagnose(const std::vector<Draft *> &broken) {
  std::vector<provider::RoleRequest> questions;
  for (const Draft *draft : broken)
    questions.push_back(options_.critic ? role::critic_request({.brief = brief_,
                                                                .variant = draft->variant,
                                                                .verdict = draft->failure.value(),
                                                                .digest = {}})
                                        : role::diagnose_request({.brief = brief_,
                                                                  .strategy = draft->piece->strategy,
                                                                  .variant = draft->variant,
                                                                  .verdict = draft->failure.value(),
                                                                  .attempt = draft->piece->fixes + 1}));
  const RoleCaller::Parse<role::Diagnosis> parse = [&](std::string_view text) -> Result<role::Diagnosis> {
    if (!options_.critic) return role::parse_diagnosis(text);
    CUPILOT_TRY(criticism, role::parse_criticism(text));
    return as_diagnosis(std::move(criticism));
  };
  return roles_.ask_all<role::Diagnosis>(questions, parse);
}

Result<void> Workshop::edit(const std::vector<Draft *> &broken,
                            const std::vector<role::Diagnosis> &diagnoses) {
  std::vector<provider::RoleRequest> questions;
  for (std::size_t i = 0; i < broken.size(); ++i)
    questions.push_back(role::edit_request({.brief = brief_,
                                            .strategy = broken[i]->piece->strategy,
                                            .variant = broken[i]->variant,
                                            .diagnosis = diagnoses[i]}));
  CUPILOT_TRY(answers, roles_.ask_all<std::vector<role::LineEdit>>(questions, role::parse_edits));
  for (std::size_t i = 0; i < broken.size(); ++i) {
    Draft &draft = *broken[i];
    draft.add_calls(answers[i].calls);
    if (!answers[i]) {
      draft.give_up("no usable edits: " + answers[i].error().reason);
      continue;
    }
    ++draft.piece->fixes;
    auto repaired = role::apply_edits(draft.variant, std::move(*answers[i]));
    if (!repaired) {
      take_failure(draft,
                   own_verdict(kEditStage, "the edits could not be applied: " + repaired.error().message));
      continue;
    }
    draft.variant = std::move(*repaired);
    draft.state = Draft::State::to_judge;
  }
  return {};
}

Result<void> Workshop::align(Drafts &drafts) {
  std::vector<Draft *> survived;
  std::vector<provider::RoleRequest> questions;
  const bool may_ask = options_.align && !evaluator_.interrupted() && !evaluator_.device_changed() &&
                       roles_.done_because().empty();
  for (Draft &draft : drafts) {
    if (draft.state != Draft::State::survived) continue;
    Piece &piece = *draft.piece;
    if (const auto known = aligned_.find(piece.result->individual.id); known != aligned_.end())
      piece.strategy = known->second;
    // Code that equals another individual's code takes over that one's text.
    const bool own = piece.result->individual.strategies == std::vector{piece.strategy.id};
    if (!may_ask || !own || piece.strategy.steps.empty() || aligned_.contains(piece.result->individual.id))
      continue;
    survived.push_back(&draft);
    questions.push_back(role::align_request(
        {.brief = brief_, .strategy = piece.strategy, .variant = piece.result->individual.variant}));
  }
  if (questions.empty()) return {};
  CUPILOT_TRY(answers,
              roles_.ask_all<std::string>(questions, [](std::string_view text) -> Result<std::string> {
                CUPILOT_CHECKED(role::parse_aligned(text, {}));
                return std::string(text);
              }));
  for (std::size_t i = 0; i < survived.size(); ++i) {
    Piece &piece = *survived[i]->piece;
    if (answers[i]) {
      CUPILOT_TRY(aligned, role::parse_aligned(*answers[i], piece.strategy));
      piece.strategy = std::move(aligned);
    }
    aligned_[piece.result->individual.id] = piece.strategy;
    CUPILOT_CHECKED(evaluator_.align(*piece.result, text_of(piece.strategy), answers[i].calls));
  }
  return {};
}

}  // namespace cupilot::search
