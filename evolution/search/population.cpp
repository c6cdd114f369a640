// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/population.h"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <optional>

#include "annotate/support/text.h"
#include "evolution/role/words.h"
#include "evolution/strategy/experience.h"
#include "evolution/strategy/features.h"
#include "evolution/strategy/retrieval.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::search {
namespace {

constexpr std::size_t kMostEarlier = 12;       ///< most lines of earlier runs
constexpr std::size_t kMostReasonBytes = 240;  ///< longest text of a failure: its first sentence or two

/// Best first; ranking is left to retrieval.
std::vector<model::Strategy> offered(const PolicyContext &context, const role::Analysis &analysis,
                                     std::size_t count) {
  const strategy::FirstPopulation population =
      strategy::first_population(context.pool,
                                 {.roofline_class = analysis.roofline_class,
                                  .features = strategy::kernel_features(context.spec),
                                  .architecture = context.settings.architecture,
                                  .precision = context.spec.precision.kind,
                                  .history = context.history,
                                  .kernel_id = context.spec.kernel_id,
                                  .seed = context.settings.seed},
                                 count);
  std::vector<model::Strategy> strategies;
  for (const auto *part : {&population.retrieved, &population.menu})
    for (const strategy::RetrievedStrategy &one : *part) {
      strategies.push_back(one.strategy);
      strategies.back().gain = one.expected_gain;
      if (!one.why.empty()) strategies.back().evidence.push_back(one.why);
    }
  return strategies;
}

/// Gives a strategy an id of this run. It inherits the conflicts of the strategies it was made of.
void make_own(model::Strategy &strategy, const strategy::StrategyPool &pool, StrategyIds &ids) {
  strategy.id = ids.next();
  for (const std::string &source : strategy.parents)
    if (const model::Strategy *known = pool.find(source))
      for (const std::string &id : known->conflicts)
        if (std::ranges::find(strategy.conflicts, id) == strategy.conflicts.end())
          strategy.conflicts.push_back(id);
}

/// Adds retrieved strategies that the strategist did not use, unchanged.
void fill_up(std::vector<model::Strategy> &strategies, const std::vector<model::Strategy> &retrieved,
             std::size_t count) {
  const auto used = [&](const std::string &id) {
    return std::ranges::any_of(strategies, [&](const model::Strategy &one) {
      return std::ranges::find(one.parents, id) != one.parents.end();
    });
  };
  for (const model::Strategy &one : retrieved) {
    if (strategies.size() >= count) return;
    if (used(one.id)) continue;
    strategies.push_back(one);
    strategies.back().parents = {one.id};
  }
}

void append(std::vector<std::string> &to, const std::vector<std::string> &more) {
  for (const std::string &one : more)
    if (std::ranges::find(to, one) == to.end()) to.push_back(one);
}

/// An individual that a policy made in this search carries its own strategy text (text_of).
std::optional<model::Strategy> made_in_a_run(const model::Individual &individual) {
  const std::size_t form = individual.strategy_text.find("cupilot-strategy ");
  if (individual.strategies.size() != 1 || form == std::string::npos) return std::nullopt;
  model::Strategy strategy = strategy::parse_strategy(individual.strategy_text.substr(form), "").strategy;
  strategy.id = individual.strategies.front();
  return strategy;
}

model::Strategy strategy_of(const model::Individual &individual, const strategy::StrategyPool &pool) {
  if (auto own = made_in_a_run(individual)) return std::move(*own);
  model::Strategy strategy;
  strategy.id = join(individual.strategies, "+");
  strategy.parents = individual.strategies;
  std::vector<std::string> titles;
  for (const std::string &id : individual.strategies) {
    const model::Strategy *known = pool.find(id);
    titles.push_back(known && !known->title.empty() ? known->title : id);
    if (known == nullptr) continue;
    append(strategy.preconditions, known->preconditions);
    append(strategy.steps, known->steps);
    append(strategy.conflicts, known->conflicts);
  }
  strategy.title = join(titles, "; ");
  if (strategy.steps.empty()) strategy.steps = split_lines(individual.strategy_text);
  return strategy;
}

}  // namespace

void ShortHistory::add(const Piece &piece, const Evaluated *base) {
  std::string line = fmt::format("\"{}\"", piece.strategy.title);
  line += base ? " on a base of " + role::factor(score(base->verdict)) : " on the original";
  if (piece.result) {
    line += fmt::format(": {}, {}", model::to_string(piece.result->verdict.kind),
                        role::factor(score(piece.result->verdict)));
  } else {
    // Only the first line: the rest may quote code, which strategists do not see.
    std::string reason = piece.failure.substr(0, std::min(piece.failure.find('\n'), kMostReasonBytes));
    if (reason.size() < piece.failure.size()) reason += " ...";
    line += (piece.refused ? ": " : ": failed, ") + reason;
  }
  add(line);
}

void ShortHistory::add(const std::string &line) {
  lines_.push_back(line);
  if (lines_.size() > kMostRemembered) lines_.erase(lines_.begin());
}

role::Experience ShortHistory::after(role::Experience earlier) const {
  earlier.insert(earlier.end(), lines_.begin(), lines_.end());
  return earlier;
}

std::size_t ids_used(const Evaluator &evaluator, const std::string &prefix) {
  std::size_t highest = 0;
  for (const Evaluated &one : evaluator.all())
    for (const std::string &id : one.individual.strategies) {
      std::size_t number = 0;
      const char *begin = id.data() + std::min(prefix.size(), id.size()), *end = id.data() + id.size();
      if (id.starts_with(prefix) && std::from_chars(begin, end, number).ptr == end)
        highest = std::max(highest, number);
    }
  return highest;
}

std::string describe_effect(const model::Strategy &strategy, double predicted, double observed) {
  return fmt::format("{}: predicted {}, observed {}", strategy.title, role::factor(predicted),
                     role::factor(observed));
}

std::string StrategyIds::next() {
  return numbered_name(prefix_, ++count_);
}

Result<std::vector<model::Strategy>> first_strategies(PolicyContext &context, const role::Analysis &analysis,
                                                      const ShortHistory &remembered, std::size_t count,
                                                      StrategyIds &ids) {
  role::InitialQuestion question{.brief = context.workshop.brief(), .analysis = analysis, .count = count};
  role::Experience earlier;
  if (context.settings.options.retrieval) {
    question.retrieved = offered(context, analysis, count);
    earlier = strategy::experience_of(context.history, context.settings.architecture,
                                      strategy::kernel_features(context.spec), kMostEarlier);
  }
  question.experience = remembered.after(std::move(earlier));
  CUPILOT_TRY(answer, context.models.ask<std::vector<model::Strategy>>(
                          role::initial_request(question), [count](std::string_view text) {
                            return role::parse_strategies_answer(text, count);
                          }));
  std::vector<model::Strategy> strategies;
  if (answer) strategies = std::move(*answer);
  fill_up(strategies, question.retrieved, count);
  for (model::Strategy &one : strategies) make_own(one, context.pool, ids);
  return strategies;
}

Population judged_before(const PolicyContext &context, std::size_t count) {
  Population all;
  for (const Evaluated &one : context.evaluator.all())
    if (one.seed == context.settings.seed && low_score(one.verdict) > 0)
      all.push_back({strategy_of(one.individual, context.pool), &one});
  rank_members(all);
  Population best;
  for (Member &member : all) {
    if (best.size() == count) break;
    const auto same = [&](const Member &other) { return other.strategy.id == member.strategy.id; };
    if (std::ranges::none_of(best, same)) best.push_back(std::move(member));
  }
  return best;
}

model::Strategy plain_strategy(StrategyIds &ids) {
  model::Strategy strategy;
  strategy.id = ids.next();
  strategy.title = "the original as a variant";
  strategy.steps = {
      "write the original's computation as a variant, with the same algorithm, the same launch "
      "configuration and no optimisation: it shows how the original runs"};
  strategy.expected_effect = "the original's own time";
  return strategy;
}

}  // namespace cupilot::search
