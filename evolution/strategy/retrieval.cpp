// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/retrieval.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "annotate/support/text.h"
#include "evolution/strategy/applicability.h"
#include "evolution/strategy/outcome_tally.h"

namespace cupilot::strategy {
namespace {

// Outside its class a strategy keeps a third of its expected gain. Each missing feature halves it; if the
// pattern it is made for is missing, almost nothing is left.
constexpr double kOtherClassGain = 1.0 / 3, kMissingFeature = 0.5, kMissingPattern = 1.0 / 30;
constexpr std::array<std::string_view, 23> kPatterns{
    "matmul",      "triangular",    "dot-product",    "reduction", "arg-reduction",  "scan",
    "softmax",     "normalisation", "stencil",        "window",    "gather",         "sparse",
    "row-wise",    "column-wise",   "strided",        "atomic",    "half",           "mixed-double",
    "elementwise", "division",      "transcendental", "integer",   "narrow-integers"};
// The strategy's own gain counts as much as two outcomes on the same kind of kernel. The chance starts with
// one success and one failure.
constexpr double kPriorOutcomes = 2, kPriorSuccesses = 1, kPriorFailures = 1;
constexpr double kPriorChance = kPriorSuccesses / (kPriorSuccesses + kPriorFailures);
constexpr double kConflict = 0.7;       ///< likeness of two strategies that exclude each other
constexpr std::size_t kWordBytes = 4;   ///< shorter words are ignored
constexpr double kLeastPromise = 0.01;  ///< in the menu: every strategy keeps a small chance
constexpr std::array<double, 3> kShares{0.5, 0.3, 0.2};  ///< retrieved, menu, brainstormed

bool has_class(const model::Strategy &strategy, const std::string &roofline_class) {
  return roofline_class.empty() ||
         std::ranges::find(strategy.roofline_classes, roofline_class) != strategy.roofline_classes.end();
}

std::vector<std::string> missing_features(const model::Strategy &strategy, const RetrievalQuery &query) {
  std::vector<std::string> missing;
  for (const std::string &feature : strategy.features)
    if (!query.features.contains(feature)) missing.push_back(feature);
  return missing;
}

bool is_pattern(const std::string &feature) {
  return std::ranges::find(kPatterns, feature) != kPatterns.end();
}

double prior_gain(const model::Strategy &strategy, const RetrievalQuery &query) {
  double gain = strategy.gain - 1;
  if (!has_class(strategy, query.roofline_class)) gain *= kOtherClassGain;
  for (const std::string &missing : missing_features(strategy, query))
    gain *= is_pattern(missing) ? kMissingPattern : kMissingFeature;
  return 1 + gain;
}

std::string why_in_words(const model::Strategy &strategy, const OutcomeTally &tally,
                         const RetrievalQuery &query) {
  std::string text = fmt::format("{}: {}", strategy.id, tally.words(query.architecture));
  if (tally.empty()) text += fmt::format("no history, typically {:.4g}x", strategy.gain);
  if (!has_class(strategy, query.roofline_class))
    text += fmt::format("; made for {} kernels", join(strategy.roofline_classes, ", "));
  if (const auto missing = missing_features(strategy, query); !missing.empty())
    text += "; this kernel shows no " + join(missing, ", ");
  return text;
}

RetrievedStrategy weighed(const model::Strategy &strategy, const OutcomeTally &tally,
                          const RetrievalQuery &query) {
  const double logs = kPriorOutcomes * std::log(prior_gain(strategy, query)) + tally.log_speedups;
  const double gain =
      tally.timed > 0 ? std::exp(logs / (kPriorOutcomes + tally.timed)) : prior_gain(strategy, query);
  RetrievedStrategy one;
  one.strategy = strategy;
  one.chance =
      (kPriorSuccesses + tally.realised) / (kPriorSuccesses + kPriorFailures + tally.realised + tally.failed);
  // A loss does not become smaller because attempts fail.
  one.expected_gain = gain > 1 ? 1 + (gain - 1) * one.chance / kPriorChance : gain;
  one.why = why_in_words(strategy, tally, query);
  return one;
}

/// A hash that is equal on every machine: FNV-1a of the id, mixed with the seed by the finaliser of
/// splitmix64.
std::uint64_t draw(std::string_view id, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  hash += seed * 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

/// A number between 0 and 1, both excluded.
double uniform(std::string_view id, std::uint64_t seed) {
  return (static_cast<double>(draw(id, seed) >> 11) + 0.5) * 0x1p-53;
}

std::set<std::string> words_of(const model::Strategy &strategy) {
  std::string text =
      fmt::format("{} {} {}", strategy.title, join(strategy.steps, " "), strategy.expected_effect);
  for (char &c : text)
    c = std::isalnum(static_cast<unsigned char>(c))
            ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
            : ' ';
  std::set<std::string> words;
  for (std::string &word : split(text, ' '))
    if (word.size() >= kWordBytes) words.insert(std::move(word));
  return words;
}

bool excludes(const model::Strategy &one, const model::Strategy &other) {
  return std::ranges::find(one.conflicts, other.id) != one.conflicts.end();
}

/// A strategy and its words. likeness() of two of them is 0 without common words and 1 for equal ones.
struct Compared {
  const model::Strategy &strategy;
  std::set<std::string> words;
};
double likeness(const Compared &one, const Compared &other) {
  const auto common = static_cast<double>(
      std::ranges::count_if(one.words, [&](const std::string &word) { return other.words.contains(word); }));
  const double all = static_cast<double>(one.words.size() + other.words.size()) - common;
  const double same_words = all > 0 ? common / all : 0;
  const bool conflict = excludes(one.strategy, other.strategy) || excludes(other.strategy, one.strategy);
  return conflict ? std::max(kConflict, same_words) : same_words;
}

/// Draws in proportion to the expected gain, without replacement (Efraimidis and Spirakis, 2006).
std::vector<RetrievedStrategy> menu_of(const StrategyPool &pool, RetrievalQuery query,
                                       const std::vector<RetrievedStrategy> &taken, std::size_t count) {
  query.history = {};
  std::vector<std::pair<double, RetrievedStrategy>> drawn;
  for (RetrievedStrategy &one : rank_strategies(pool, query)) {
    const auto is_taken = [&](const RetrievedStrategy &other) {
      return other.strategy.id == one.strategy.id;
    };
    if (!has_class(one.strategy, query.roofline_class) || std::ranges::any_of(taken, is_taken) ||
        std::ranges::any_of(missing_features(one.strategy, query), is_pattern))
      continue;
    const double promise = std::max(one.expected_gain - 1, kLeastPromise);
    const double key = -std::log(uniform(one.strategy.id, query.seed)) / promise;
    one.why += query.roofline_class.empty()
                   ? "; from the menu"
                   : fmt::format("; from the menu of {} kernels", query.roofline_class);
    drawn.emplace_back(key, std::move(one));
  }
  std::ranges::stable_sort(drawn, {}, &std::pair<double, RetrievedStrategy>::first);
  std::vector<RetrievedStrategy> menu;
  for (std::size_t i = 0; i < std::min(count, drawn.size()); ++i) menu.push_back(std::move(drawn[i].second));
  return menu;
}

/// Integers nearest to the shares that add up to `size` (largest remainder method; the earlier one of
/// equals).
std::array<std::size_t, 3> parts_of(std::size_t size) {
  std::array<std::size_t, 3> parts{};
  std::array<double, 3> remainders{};
  std::size_t given = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double exact = kShares[i] * static_cast<double>(size);
    parts[i] = static_cast<std::size_t>(exact + 1e-9);
    remainders[i] = std::round((exact - static_cast<double>(parts[i])) * 1e6);
    given += parts[i];
  }
  for (; given < size; ++given) {
    const auto most = std::ranges::max_element(remainders);
    ++parts[static_cast<std::size_t>(most - remainders.begin())];
    *most = -1;
  }
  return parts;
}

}  // namespace

std::vector<RetrievedStrategy> rank_strategies(const StrategyPool &pool, const RetrievalQuery &query) {
  const auto tallies = tallies_of(query.history, {.architecture = query.architecture,
                                                  .features = query.features,
                                                  .roofline_class = query.roofline_class,
                                                  .kernel_id = query.kernel_id});
  const OutcomeTally none;
  std::vector<RetrievedStrategy> ranked;
  for (const model::Strategy &strategy : pool.strategies()) {
    if (query.only_rules && strategy.rule.empty()) continue;
    if (why_excluded(strategy, query.architecture, query.precision)) continue;
    const auto tally = tallies.find(strategy.id);
    ranked.push_back(weighed(strategy, tally == tallies.end() ? none : tally->second, query));
  }
  std::ranges::sort(ranked, {}, [&](const RetrievedStrategy &one) {
    const std::uint64_t among_equals = query.seed == 0 ? 0 : draw(one.strategy.id, query.seed);
    return std::tuple(-one.expected_gain, among_equals, std::string_view(one.strategy.id));
  });
  return ranked;
}

std::vector<model::Strategy> retrieve(const StrategyPool &pool, const RetrievalQuery &query) {
  std::vector<model::Strategy> found;
  for (RetrievedStrategy &one : rank_strategies(pool, query)) {
    one.strategy.gain = one.expected_gain;
    found.push_back(std::move(one.strategy));
  }
  return found;
}

std::vector<RetrievedStrategy> select_strategies(const std::vector<RetrievedStrategy> &ranked,
                                                 std::size_t count) {
  std::vector<double> worth;  // expected gain beyond 1, reduced by what is selected
  std::vector<Compared> compared;
  for (const RetrievedStrategy &one : ranked) {
    worth.push_back(one.expected_gain - 1);
    compared.push_back({one.strategy, words_of(one.strategy)});
  }
  std::vector<bool> is_taken(ranked.size(), false);
  std::vector<RetrievedStrategy> selected;
  while (selected.size() < std::min(count, ranked.size())) {
    std::size_t best = ranked.size();
    for (std::size_t i = 0; i < ranked.size(); ++i)
      if (!is_taken[i] && (best == ranked.size() || worth[i] > worth[best])) best = i;
    is_taken[best] = true;
    selected.push_back(ranked[best]);
    for (std::size_t i = 0; i < ranked.size(); ++i)
      if (!is_taken[i] && worth[i] > 0) worth[i] *= 1 - likeness(compared[i], compared[best]);
  }
  return selected;
}

FirstPopulation first_population(const StrategyPool &pool, const RetrievalQuery &query, std::size_t size) {
  const auto [retrieved, menu, brainstormed] = parts_of(size);
  FirstPopulation population;
  population.retrieved = select_strategies(rank_strategies(pool, query), retrieved);
  population.menu = menu_of(pool, query, population.retrieved, menu);
  population.brainstormed = size - population.retrieved.size() - population.menu.size();
  return population;
}

}  // namespace cupilot::strategy
