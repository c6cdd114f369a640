// SPDX-License-Identifier: Apache-2.0
//
// Policy `sce`: the strategy-coordinated evolution of cuPilot (arXiv 2512.16465, Algorithm 1). It evolves the
// text of strategies. The first population comes from pool, history and strategist. Each generation
// translates, revises, aligns and judges its strategies. Selection uses elitism and tournaments on the lower
// confidence bound. Children cross the texts of two parents and are realised on the better parent's code.
// Epochs restart from the best variants.

#include "evolution/search/policy.h"

#include <fmt/format.h>
#include <algorithm>

#include "annotate/support/text.h"
#include "evolution/search/crossover.h"
#include "evolution/search/population.h"

namespace cupilot::search {
namespace {

class Evolution {
public:
  explicit Evolution(PolicyContext &context)
      : context_(context), options_(context.settings.options), draw_(context.settings.seed) {}

  Result<void> run() {
    population_ = judged_before(context_, kElite);
    for (const Member &member : population_) lineage_.add(member.strategy);
    CUPILOT_CHECKED(look_at_the_original());
    for (std::size_t epoch = 0; epoch < options_.epochs && !over(); ++epoch) {
      const double before = best_score();
      CUPILOT_CHECKED(run_epoch(epoch));
      // The first epoch starts from nothing, so its gain does not predict that of the next one.
      if (epoch > 0 && best_score() < (1 + context_.settings.plateau) * before) break;
    }
    return {};
  }

private:
  struct Offspring {
    std::vector<WorkOrder> orders;
    std::vector<provider::RoleRequest> questions;  ///< empty: the workshop makes the questions
  };

  bool over() const { return !context_.workshop.done_because().empty() || context_.evaluator.at_roof(); }
  double best_score() const { return population_.empty() ? 0 : low_score(population_.front().made->verdict); }
  std::string name_of(std::size_t epoch, std::size_t generation) const {
    return fmt::format("epoch {} generation {}", epoch, generation);
  }

  /// The original's roofline class selects strategies. If times alone do not show the class, a variant must
  /// first be timed together with the original, with counters.
  Result<void> look_at_the_original() {
    if (!options_.guidance) return {};
    CUPILOT_TRY(known, context_.workshop.analysis_of(nullptr));
    if (!known.roofline_class.empty() || context_.workshop.counted_original()) return {};
    WorkOrder order{.strategy = plain_strategy(ids_)};
    CUPILOT_TRY(question, context_.workshop.question_for(order));
    order.strategy.steps.clear();  // no strategy evolves from it, so it needs no alignment
    CUPILOT_CHECKED(context_.workshop.make("the original", {order}, {question}));
    return {};
  }

  Result<void> run_epoch(std::size_t epoch) {
    CUPILOT_CHECKED(begin_epoch(epoch));
    std::size_t flat = 0;
    for (std::size_t generation = 1; generation < options_.generations && flat < kFlatGenerations && !over();
         ++generation) {
      const double before = best_score();
      const auto depth = static_cast<int>(epoch * options_.generations + generation);
      CUPILOT_TRY(offspring, offspring_of(depth));
      CUPILOT_CHECKED(make(name_of(epoch, generation), offspring));
      flat = best_score() < (1 + context_.settings.plateau) * before ? flat + 1 : 0;
    }
    return {};
  }

  /// New strategies on the original and, from the second epoch on, on the best variants.
  Result<void> begin_epoch(std::size_t epoch) {
    const auto depth = static_cast<int>(epoch * options_.generations);
    CUPILOT_TRY(orders, fresh_orders(depth, options_.population, epoch == 0));
    return make(name_of(epoch, 0), {.orders = std::move(orders)});
  }

  /// Applies them in turn to each of the elite (and to the original).
  Result<std::vector<WorkOrder>> fresh_orders(int depth, std::size_t count, bool original_too) {
    std::vector<const Evaluated *> bases;
    for (std::size_t i = 0; i < std::min(kElite, population_.size()); ++i)
      bases.push_back(population_[i].made);
    if (original_too || bases.empty()) bases.push_back(nullptr);
    CUPILOT_TRY(analysis, context_.workshop.analysis_at(depth, bases.front()));
    CUPILOT_TRY(strategies, first_strategies(context_, analysis, told_with(bases), count, ids_));
    std::vector<WorkOrder> orders;
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      lineage_.add(strategies[i]);
      const Evaluated *base = bases[i % bases.size()];
      orders.push_back({.strategy = std::move(strategies[i]), .base = base, .depth = depth});
      if (base != nullptr) orders.back().parents = {base->individual.id};
    }
    return orders;
  }

  /// What new strategies must add to, in the texts of the bases.
  ShortHistory told_with(const std::vector<const Evaluated *> &bases) const {
    ShortHistory told = remembered_;
    for (const Member &member : population_)
      if (std::ranges::find(bases, member.made) != bases.end())
        told.add(fmt::format(
            "strategies asked for now are added to variants like this one, which does so already: "
            "\"{}\": {}",
            member.strategy.title, join(member.strategy.steps, "; ")));
    return told;
  }

  Result<Offspring> offspring_of(int depth) {
    const std::size_t wanted = std::max<std::size_t>(options_.population, kElite + 1) - kElite;
    const std::vector<Pair> pairs = draw_pairs(population_, wanted, crossed_, draw_);
    Offspring offspring;
    if (pairs.empty()) {  // too few members to cross: asks for new strategies, with what failed
      CUPILOT_TRY(orders, fresh_orders(depth, wanted, false));
      offspring.orders = std::move(orders);
      return offspring;
    }
    if (options_.code_crossover) {
      CUPILOT_CHECKED(combine_codes(pairs, depth, offspring));
    } else {
      CUPILOT_CHECKED(cross_strategies(pairs, depth, offspring));
    }
    return offspring;
  }

  WorkOrder order_for(model::Strategy child, const Pair &pair, int depth) {
    child.id = ids_.next();
    child.parents = {pair.first.strategy.id, pair.second.strategy.id};
    for (const Member *parent : {&pair.first, &pair.second})
      for (const std::string &id : parent->strategy.conflicts)
        if (std::ranges::find(child.conflicts, id) == child.conflicts.end()) child.conflicts.push_back(id);
    lineage_.add(child);
    return {.strategy = std::move(child),
            .base = pair.first.made,
            .parents = {pair.first.made->individual.id, pair.second.made->individual.id},
            .depth = depth};
  }

  Result<void> cross_strategies(const std::vector<Pair> &pairs, int depth, Offspring &offspring) {
    std::vector<provider::RoleRequest> questions;
    for (const Pair &pair : pairs) {
      CUPILOT_TRY(analysis, context_.workshop.analysis_at(depth, pair.first.made));
      questions.push_back(role::crossover_request(
          {.brief = context_.workshop.brief(),
           .analysis = std::move(analysis),
           .first = pair.first.strategy,
           .second = pair.second.strategy,
           .first_score = score(pair.first.made->verdict),
           .second_score = score(pair.second.made->verdict),
           .conflicts = conflicts_between(pair.first.strategy, pair.second.strategy, lineage_),
           .experience = remembered_.after({})}));
    }
    CUPILOT_TRY(answers,
                context_.models.ask_all<std::vector<model::Strategy>>(
                    questions, [](std::string_view text) { return role::parse_strategies_answer(text, 1); }));
    for (std::size_t i = 0; i < pairs.size(); ++i)
      if (answers[i]) offspring.orders.push_back(order_for(std::move(answers[i]->front()), pairs[i], depth));
    return {};
  }

  Result<void> combine_codes(const std::vector<Pair> &pairs, int depth, Offspring &offspring) {
    for (const Pair &pair : pairs) {
      offspring.orders.push_back(order_for(combined_strategy(pair), pair, depth));
      CUPILOT_TRY(question, context_.workshop.question_for(offspring.orders.back()));
      offspring.questions.push_back(with_second_code(std::move(question), pair.second));
    }
    return {};
  }

  /// Adds survivors to the population and remembers the outcome of every piece.
  Result<void> make(const std::string &round, const Offspring &offspring) {
    if (offspring.orders.empty()) return {};
    CUPILOT_TRY(pieces, offspring.questions.empty()
                            ? context_.workshop.make(round, offspring.orders)
                            : context_.workshop.make(round, offspring.orders, offspring.questions));
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      remembered_.add(pieces[i], offspring.orders[i].base);
      if (pieces[i].result != nullptr)
        population_.push_back({std::move(pieces[i].strategy), pieces[i].result});
    }
    population_ = select_members(std::move(population_), options_.population, draw_);
    return {};
  }

  PolicyContext &context_;
  const PolicySettings &options_;
  Draw draw_;
  StrategyIds ids_{"s", ids_used(context_.evaluator, "s")};
  Lineage lineage_;
  ShortHistory remembered_;
  CrossedPairs crossed_;
  Population population_;  ///< ranked
};

}  // namespace

Result<void> run_sce(PolicyContext &context) {
  return Evolution(context).run();
}

}  // namespace cupilot::search
