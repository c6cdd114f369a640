// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/ideas.h"

#include <cstdio>

#include "evolution/role/strategist.h"
#include "evolution/strategy/experience.h"
#include "evolution/strategy/features.h"
#include "evolution/strategy/retrieval.h"

namespace cupilot {
namespace {

constexpr std::size_t kMostExperience = 12;

/// What pool and history offer for a population of this size, best first; the rest is the strategist's own.
std::vector<Strategy> offered(const PolicyContext &context, const Analysis &analysis, std::size_t count) {
  const auto population = first_population(context.pool,
                                           {.roofline_class = analysis.roofline_class,
                                            .features = kernel_features(context.spec),
                                            .architecture = context.settings.architecture,
                                            .precision = context.spec.precision.kind,
                                            .history = context.history,
                                            .kernel_id = context.spec.kernel_id,
                                            .seed = context.settings.seed},
                                           count);
  std::vector<Strategy> strategies;
  for (const auto *part : {&population.retrieved, &population.menu})
    for (const RetrievedStrategy &one : *part) {
      strategies.push_back(one.strategy);
      strategies.back().gain = one.expected_gain;
    }
  return strategies;
}

}  // namespace

Result<std::vector<Strategy>> first_ideas(PolicyContext &context, std::size_t count,
                                          const std::string &prefix) {
  CUPILOT_TRY(analysis, context.workshop.analysis_of(nullptr));
  if (!context.settings.options.guidance) analysis = {};
  InitialQuestion question{.brief = context.workshop.brief(), .analysis = analysis, .count = count};
  if (context.settings.options.retrieval) {
    question.retrieved = offered(context, analysis, count);
    question.experience = experience_of(context.history, context.settings.architecture,
                                        kernel_features(context.spec), kMostExperience);
  }
  CUPILOT_TRY(answer, context.models.ask<std::vector<Strategy>>(
                          initial_request(question),
                          [count](std::string_view text) { return parse_strategies_answer(text, count); }));
  std::vector<Strategy> ideas;
  if (answer) ideas = std::move(*answer);
  for (std::size_t i = 0; i < ideas.size(); ++i) ideas[i].id = strategy_id(prefix, i + 1);
  return ideas;
}

std::string strategy_id(const std::string &prefix, std::size_t number) {
  const std::string digits = std::to_string(number);
  return prefix + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

std::string describe_effect(const Strategy &strategy, double predicted, double observed) {
  char figures[64];
  std::snprintf(figures, sizeof figures, ": predicted %.2fx, observed %.2fx", predicted, observed);
  return strategy.title + figures;
}

}  // namespace cupilot
