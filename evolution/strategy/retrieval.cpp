// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/retrieval.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cupilot {
namespace {

// Outside its class a strategy keeps a third of its expected gain, and each missing feature halves it.
constexpr double kOtherClass = 1.0 / 3, kMissingFeature = 0.5;

double expected_gain(const Strategy &strategy, const RetrievalQuery &query) {
  double gain = strategy.gain - 1;
  const auto &classes = strategy.roofline_classes;
  if (!query.roofline_class.empty() && std::ranges::find(classes, query.roofline_class) == classes.end())
    gain *= kOtherClass;
  for (const std::string &feature : strategy.features)
    if (!query.features.contains(feature)) gain *= kMissingFeature;
  return 1 + gain;
}

}  // namespace

std::vector<Strategy> retrieve(const StrategyPool &pool, const RetrievalQuery &query) {
  std::vector<Strategy> found;
  for (Strategy strategy : pool.strategies()) {
    if (query.only_rules && strategy.rule.empty()) continue;
    strategy.gain = expected_gain(strategy, query);
    found.push_back(std::move(strategy));
  }
  std::ranges::sort(found, {},
                    [](const Strategy &one) { return std::pair(-one.gain, std::string_view(one.id)); });
  return found;
}

}  // namespace cupilot
