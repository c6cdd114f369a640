// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/breeder.h"

#include <fmt/format.h>
#include <algorithm>

#include "annotate/support/text.h"
#include "evolution/model/role.h"
#include "evolution/search/knobs.h"

namespace cupilot::search {
namespace {

// Small enough that a stop takes effect soon, large enough to keep every processor busy.
constexpr std::size_t kAskedAtOnce = 16;

std::string describe(const std::vector<role::Refusal> &refusals) {
  std::vector<std::string> reasons;
  for (const role::Refusal &one : refusals)
    reasons.push_back(one.line > 0 ? fmt::format("{}: {} (line {})", one.rule, one.reason, one.line)
                                   : fmt::format("{}: {}", one.rule, one.reason));
  return join(reasons, "; ");
}

/// The ids of the strategies that the answer claims to have applied; each must have been asked for.
Result<StrategySet> applied_ids(const role::Translation &translation,
                                const std::vector<model::Strategy> &asked) {
  StrategySet ids;
  for (const std::string &name : translation.applied) {
    const auto found = std::ranges::find_if(
        asked, [&](const model::Strategy &strategy) { return name == strategy.rule || name == strategy.id; });
    if (found == asked.end())
      return fail(fmt::format("the answer applied '{}', which was not asked for", name));
    ids.push_back(found->id);
  }
  return ids;
}

Result<model::Individual> individual_from(const role::Translation &translation,
                                          const std::vector<model::Strategy> &asked,
                                          const provider::Provider &provider) {
  model::Individual individual;
  CUPILOT_TRY(ids, applied_ids(translation, asked));
  CUPILOT_TRY(knobs, parse_knobs(translation.variant));
  // The variant's text is authoritative. An answer that lists other knobs than it wrote is rejected as
  // unreliable.
  for (const model::Knob &listed : translation.knobs)
    if (std::ranges::find(knobs, listed.name, &model::Knob::name) == knobs.end())
      return fail(
          fmt::format("the answer lists the knob '{}', but its variant has no such line", listed.name));
  individual.strategies = std::move(ids);
  individual.strategy_text = translation.summary;
  individual.variant = translation.variant;
  individual.knobs = std::move(knobs);
  individual.provider = provider.name();
  return individual;
}

}  // namespace

bool Breeder::refused_alone(const std::string &strategy) const {
  return std::ranges::find(failed_, StrategySet{strategy}, &TriedStrategies::strategies) != failed_.end();
}

std::vector<model::Strategy> Breeder::strategies_of(const StrategySet &set) const {
  std::vector<model::Strategy> strategies;
  for (const std::string &id : set) {
    const model::Strategy *strategy = with_.pool.find(id);
    CUPILOT_CHECK(strategy != nullptr);
    strategies.push_back(*strategy);
  }
  return strategies;
}

std::optional<model::Individual> Breeder::individual_of(const StrategySet &set,
                                                        const Answered<role::TranslatorAnswer> &answer) {
  std::string reason;
  if (!answer) {
    reason = answer.error().reason;
  } else if (const auto *refusals = std::get_if<std::vector<role::Refusal>>(&*answer)) {
    reason = describe(*refusals);
  } else {
    auto individual = individual_from(std::get<role::Translation>(*answer), strategies_of(set),
                                      roles_.provider_of(model::kTranslator));
    if (individual) {
      individual->calls = answer.calls;
      return std::move(*individual);
    }
    reason = individual.error().message;
  }
  with_.progress.strategy_refused(spec_.name, set, reason);
  failed_.push_back({.strategies = set, .reason = std::move(reason)});
  return std::nullopt;
}

Result<void> Breeder::ask_about(const std::vector<StrategySet> &sets) {
  std::vector<provider::RoleRequest> requests;
  for (const StrategySet &set : sets)
    requests.push_back(role::translator_request({spec_, strategies_of(set)}));
  CUPILOT_TRY(answers, roles_.ask_all<role::TranslatorAnswer>(requests, role::parse_translator_answer));
  for (std::size_t i = 0; i < sets.size(); ++i) known_[sets[i]] = individual_of(sets[i], answers[i]);
  return {};
}

void Breeder::foresee(const std::vector<StrategySet> &sets) {
  std::vector<provider::RoleRequest> requests;
  for (const StrategySet &set : sets)
    if (!known_.contains(set)) requests.push_back(role::translator_request({spec_, strategies_of(set)}));
  roles_.foresee(requests);
}

Result<std::vector<model::Individual>> Breeder::breed(const std::vector<StrategySet> &sets) {
  std::vector<StrategySet> unknown;
  for (const StrategySet &set : sets)
    if (!known_.contains(set) && std::ranges::find(unknown, set) == unknown.end()) unknown.push_back(set);
  for (std::size_t first = 0; first < unknown.size() && !with_.stop.load(); first += kAskedAtOnce) {
    const auto begin = unknown.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end =
        unknown.begin() + static_cast<std::ptrdiff_t>(std::min(first + kAskedAtOnce, unknown.size()));
    CUPILOT_CHECKED(ask_about({begin, end}));
  }
  std::vector<model::Individual> individuals;
  for (const StrategySet &set : sets) {
    const auto found = known_.find(set);
    if (found == known_.end()) continue;
    if (const auto &individual = found->second; individual.has_value())
      individuals.push_back(individual.value());
  }
  return individuals;
}

}  // namespace cupilot::search
