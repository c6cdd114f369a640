// SPDX-License-Identifier: Apache-2.0
//
// Policy `random`: applies a random strategy of the pool to the original or to a random correct variant,
// using a seeded generator. It is the baseline that every other policy has to beat.

#include "evolution/search/policy.h"

#include <fmt/format.h>
#include <random>

namespace cupilot::search {
namespace {

constexpr std::size_t kDrawnAtOnce = 4;
// The policy ends after this many rounds without a new variant for the judge: everything has been tried, or
// no question is answered any more.
constexpr int kMostIdleRounds = 25;

/// The original with probability one half, else any correct variant with equal probability.
const Evaluated *random_base(const Evaluator &evaluator, const TuneSettings &settings,
                             std::mt19937_64 &random) {
  std::vector<const Evaluated *> bases;
  for (const Evaluated &one : evaluator.all())
    if (one.seed == settings.seed && score(one.verdict) > 0) bases.push_back(&one);
  if (bases.empty() || random() % 2 == 0) return nullptr;
  return bases[random() % bases.size()];
}

}  // namespace

Result<void> run_random(PolicyContext &context) {
  const auto &pool = context.pool.strategies();
  if (pool.empty()) return {};
  std::mt19937_64 random(context.settings.seed);
  const auto seen = [&] { return context.evaluator.all().size(); };
  for (int round = 1, idle = 0; idle < kMostIdleRounds && !context.evaluator.done(); ++round) {
    const std::size_t before = seen();
    std::vector<WorkOrder> orders;
    for (std::size_t i = 0; i < kDrawnAtOnce; ++i) {
      WorkOrder order{.strategy = pool[random() % pool.size()],
                      .base = random_base(context.evaluator, context.settings, random),
                      .depth = 0};
      if (order.base != nullptr) order.parents = {order.base->individual.id};
      orders.push_back(std::move(order));
    }
    CUPILOT_CHECKED(context.workshop.make(fmt::format("random {}", round), orders));
    if (!context.models.done_because().empty()) break;
    idle = seen() == before ? idle + 1 : 0;
  }
  return {};
}

}  // namespace cupilot::search
