// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/breeder.h"

#include <algorithm>

#include "annotate/support/text.h"
#include "evolution/role/translator.h"
#include "evolution/search/knobs.h"

namespace cupilot {
namespace {

std::string describe(const std::vector<Refusal> &refusals) {
  std::vector<std::string> reasons;
  for (const Refusal &one : refusals)
    reasons.push_back(one.rule + ": " + one.reason +
                      (one.line > 0 ? " (line " + std::to_string(one.line) + ")" : ""));
  return join(reasons, "; ");
}

/// The ids of the strategies the answer says it applied, each of which must have been asked for.
Result<StrategySet> applied_ids(const Translation &translation, const std::vector<Strategy> &asked) {
  StrategySet ids;
  for (const std::string &name : translation.applied) {
    const auto found = std::ranges::find_if(
        asked, [&](const Strategy &strategy) { return name == strategy.rule || name == strategy.id; });
    if (found == asked.end()) return fail("the answer applied '" + name + "', which was not asked for");
    ids.push_back(found->id);
  }
  return ids;
}

Result<Individual> individual_from(const Translation &translation, const std::vector<Strategy> &asked,
                                   const Provider &provider) {
  Individual individual;
  CUPILOT_TRY(ids, applied_ids(translation, asked));
  CUPILOT_TRY(knobs, parse_knobs(translation.variant));
  // The text is the truth; an answer that lists other knobs than it wrote is not to be trusted with the rest.
  for (const Knob &listed : translation.knobs)
    if (std::ranges::find(knobs, listed.name, &Knob::name) == knobs.end())
      return fail("the answer lists the knob '" + listed.name + "', but its variant has no such line");
  individual.strategies = std::move(ids);
  individual.strategy_text = translation.summary;
  individual.variant = translation.variant;
  individual.knobs = std::move(knobs);
  individual.provider = provider.name();
  return individual;
}

}  // namespace

void Breeder::note_failure(const StrategySet &set, std::string reason) {
  with_.progress.strategy_refused(spec_.name, set, reason);
  failed_.push_back({.strategies = set, .reason = std::move(reason)});
}

Result<const Individual *> Breeder::breed(const StrategySet &set) {
  const auto [entry, fresh] = known_.try_emplace(set);
  auto &individual = entry->second;
  if (!fresh) return individual ? &*individual : nullptr;
  TranslatorQuestion question{spec_, {}};
  for (const std::string &id : set) {
    const Strategy *strategy = with_.pool.find(id);
    CUPILOT_CHECK(strategy != nullptr);
    question.strategies.push_back(*strategy);
  }
  CUPILOT_TRY(answer, roles_.ask<TranslatorAnswer>(translator_request(question), parse_translator_answer));
  if (!answer) {
    note_failure(set, answer.error().reason);
    return nullptr;
  }
  if (const auto *refusals = std::get_if<std::vector<Refusal>>(&*answer)) {
    note_failure(set, describe(*refusals));
    return nullptr;
  }
  auto made = individual_from(std::get<Translation>(*answer), question.strategies, roles_.provider());
  if (!made) {
    note_failure(set, made.error().message);
    return nullptr;
  }
  individual = std::move(*made);
  return &*individual;
}

Result<std::vector<Individual>> Breeder::breed_all(const std::vector<StrategySet> &sets) {
  std::vector<Individual> individuals;
  for (const StrategySet &set : sets) {
    if (with_.stop.load()) break;
    CUPILOT_TRY(individual, breed(set));
    if (individual != nullptr) individuals.push_back(*individual);
  }
  return individuals;
}

}  // namespace cupilot
