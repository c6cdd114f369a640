// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/workshop.h"

#include <fmt/format.h>
#include <algorithm>

#include "annotate/support/text.h"
#include "evolution/model/role.h"
#include "evolution/search/knobs.h"
#include "evolution/search/workshop_draft.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::search {

namespace {

std::string refusal_text(const std::vector<role::Refusal> &refusals) {
  std::vector<std::string> reasons;
  for (const role::Refusal &one : refusals)
    reasons.push_back(one.rule.empty() ? one.reason : fmt::format("{}: {}", one.rule, one.reason));
  return "refused: " + join(reasons, "; ");
}

std::string describe(const model::Verdict &failure) {
  const char *kind = model::to_string(failure.kind);
  if (failure.stage.empty()) return fmt::format("{}: {}", kind, failure.reason);
  return fmt::format("{} ({}): {}", kind, failure.stage, failure.reason);
}

}  // namespace

int state_rank(model::VerdictKind kind) {
  switch (kind) {
    case model::VerdictKind::faster:
    case model::VerdictKind::slower:
    case model::VerdictKind::same:
    case model::VerdictKind::unsure:
      return 3;
    case model::VerdictKind::wrong:
    case model::VerdictKind::crashed:
    case model::VerdictKind::timed_out:
      return 2;
    case model::VerdictKind::rejected:
    case model::VerdictKind::build_failed:
      return 1;
    case model::VerdictKind::not_evaluated:
      break;
  }
  return 0;
}

std::string text_of(const model::Strategy &strategy) {
  return fmt::format("{}\n{}", strategy.title, strategy::to_text(strategy));
}

Workshop::Workshop(const role::KernelBrief &brief, const TuneSettings &settings, WorkshopSettings options,
                   RoleCaller &roles, Evaluator &evaluator)
    : brief_(brief),
      settings_(settings),
      options_(options),
      roles_(roles),
      evaluator_(evaluator),
      pattern_(brief.pattern) {}

std::string Workshop::done_because() const {
  const std::string judge = evaluator_.done_because();
  return judge.empty() ? roles_.done_because() : judge;
}

Result<provider::RoleRequest> Workshop::question_for(const WorkOrder &order) {
  CUPILOT_TRY(digest, digest_at(order.depth, order.base));
  return role::translation_request({.brief = brief_,
                                    .strategy = order.strategy,
                                    .base = order.base ? order.base->individual.variant : "",
                                    .base_score = order.base ? score(order.base->verdict) : 1,
                                    .digest = std::move(digest),
                                    .failed = order.failed});
}

Result<std::vector<Piece>> Workshop::make(const std::string &round, const std::vector<WorkOrder> &orders) {
  std::vector<provider::RoleRequest> questions;
  for (const WorkOrder &order : orders) {
    CUPILOT_TRY(question, question_for(order));
    questions.push_back(std::move(question));
  }
  return make(round, orders, questions);
}

Result<std::vector<Piece>> Workshop::make(const std::string &round, const std::vector<WorkOrder> &orders,
                                          const std::vector<provider::RoleRequest> &questions) {
  CUPILOT_CHECK(orders.size() == questions.size());
  std::vector<Piece> pieces(orders.size());
  Drafts drafts(orders.size());
  for (std::size_t i = 0; i < orders.size(); ++i) {
    pieces[i].strategy = orders[i].strategy;
    drafts[i].order = &orders[i];
    drafts[i].piece = &pieces[i];
  }
  CUPILOT_CHECKED(translate(questions, drafts));
  const auto any = [&](Draft::State state) {
    return std::ranges::find(drafts, state, &Draft::state) != drafts.end();
  };
  while (any(Draft::State::to_judge) || any(Draft::State::broken)) {
    CUPILOT_CHECKED(judge(round, drafts));
    CUPILOT_CHECKED(revise(drafts));
  }
  CUPILOT_CHECKED(align(drafts));
  return pieces;
}

Result<void> Workshop::translate(const std::vector<provider::RoleRequest> &questions, Drafts &drafts) {
  if (const std::string done = done_because(); !done.empty()) {
    for (Draft &draft : drafts) draft.give_up("not asked for: " + done);
    return {};
  }
  CUPILOT_TRY(answers, roles_.ask_all<role::TranslatorAnswer>(questions, role::parse_translator_answer));
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    Draft &draft = drafts[i];
    draft.add_calls(answers[i].calls);
    if (!answers[i]) {
      draft.give_up("no usable answer: " + answers[i].error().reason);
    } else if (const auto *refusals = std::get_if<std::vector<role::Refusal>>(&*answers[i])) {
      draft.piece->refused = true;
      CUPILOT_CHECKED(evaluator_.refuse(draft.piece->strategy, refusal_text(*refusals)));
      draft.give_up(refusal_text(*refusals));
    } else {
      auto &translation = std::get<role::Translation>(*answers[i]);
      draft.variant = std::move(translation.variant);
      draft.piece->summary = std::move(translation.summary);
      if (std::string &title = draft.piece->strategy.title; title.empty())
        title = replace_all(draft.piece->summary, "\n", " ");
      draft.state = Draft::State::to_judge;
    }
  }
  return {};
}

model::Individual Workshop::individual_of(const Draft &draft) const {
  const provider::Provider &writer = roles_.provider_of(model::kTranslator);
  return {.strategies = {draft.piece->strategy.id},
          .strategy_text = text_of(draft.piece->strategy),
          .variant = draft.submitted(),
          .knobs = parse_knobs(draft.variant).value_or(std::vector<model::Knob>{}),
          .parents = draft.order->parents,
          .provider = writer.name(),
          .model = writer.model(),
          .calls = draft.calls};
}

Result<void> Workshop::judge(const std::string &round, Drafts &drafts) {
  int fixes = 0;
  for (const Draft &draft : drafts)
    if (draft.state == Draft::State::to_judge) fixes = std::max(fixes, draft.piece->fixes);
  const std::string name = fixes == 0 ? round : fmt::format("{}, fix {}", round, fixes);
  for (Draft &draft : drafts) {
    if (draft.state != Draft::State::to_judge) continue;
    if (const auto knobs = parse_knobs(draft.variant); !knobs)
      take_failure(draft, own_verdict("static", knobs.error().message));
  }
  while (std::ranges::find(drafts, Draft::State::to_judge, &Draft::state) != drafts.end())
    CUPILOT_CHECKED(judge_once(name, drafts));
  return {};
}

Result<void> Workshop::judge_once(const std::string &round, Drafts &drafts) {
  Round asked{.name = round, .seed = settings_.seed, .profile = profile_wanted(drafts)};
  std::vector<Draft *> waiting;
  for (Draft &draft : drafts) {
    if (draft.state != Draft::State::to_judge) continue;
    waiting.push_back(&draft);
    asked.individuals.push_back(individual_of(draft));
  }
  const bool counted = asked.profile;
  CUPILOT_TRY(answers, evaluator_.judge(std::move(asked)));
  for (std::size_t i = 0; i < waiting.size(); ++i) take_verdict(*waiting[i], answers[i]);
  counted_ |= counted && std::ranges::find(drafts, Draft::State::survived, &Draft::state) != drafts.end();
  return {};
}

void Workshop::take_verdict(Draft &draft, const Evaluated *answer) {
  if (answer == nullptr) {
    const std::string done = evaluator_.done_because();
    draft.give_up("not judged: " + (done.empty() ? "the judge gave no verdict" : done));
  } else if (state_rank(answer->verdict.kind) == 3) {
    draft.state = Draft::State::survived;
    draft.piece->result = answer;
    draft.piece->failure.clear();
  } else if (answer->verdict.kind == model::VerdictKind::timed_out && draft.timeouts < kMostTimeouts) {
    ++draft.timeouts;
  } else {
    take_failure(draft, answer->verdict);
  }
}

void Workshop::take_failure(Draft &draft, model::Verdict failure) {
  Piece &piece = *draft.piece;
  const bool again = draft.failure && role::same_failure(*draft.failure, failure);
  // Edits that could not be applied say nothing about the variant.
  if (failure.stage != kEditStage &&
      (piece.failure.empty() || state_rank(failure.kind) >= state_rank(piece.failed_as))) {
    piece.failure = describe(failure);
    piece.failed_as = failure.kind;
  }
  draft.state = Draft::State::broken;
  draft.timeouts = 0;
  if (failure.kind == model::VerdictKind::not_evaluated)
    draft.give_up("the judge could not tell, which no edit changes");
  else if (again)
    draft.give_up("given up after two equal failures");
  else if (piece.fixes >= options_.most_fixes)
    draft.give_up(fmt::format("given up after {} fixes", piece.fixes));
  draft.failure = std::move(failure);
}

}  // namespace cupilot::search
