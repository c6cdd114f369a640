// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/further_cases.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "evolution/judge/cases/made_cases.h"
#include "evolution/judge/screen/constants.h"

namespace cupilot::judge::engine {

namespace {

/// How telling the value of an argument is; what is beside a constant comes after the constants themselves.
/// Multiples are those of a size that is divided before it is compared.
enum Rank : int { of_a_gap, beside_a_gap, multiple_for_a_gap, of_an_open_one, beside_an_open_one, kFar };

using Value = std::variant<std::int64_t, double>;

/// Cases are made of a constant itself and of what lies a hundredth beside it (cases::made_cases()); texts
/// write more digits than a float has.
constexpr double kSame = 1e-6, kBeside = 0.02;

/// Constants of conditions, each with its rank.
class Constants {
public:
  explicit Constants(const launches::Coverage &coverage) {
    const auto gaps = launches::gaps_of(coverage).conditions;
    for (const launches::Condition &gap : gaps)
      for (const std::int64_t value : gap.integers)
        if (value >= launches::kLeastThreshold) divided_.insert(value);
    add(gaps, of_a_gap);
    add(coverage.conditions, of_an_open_one);
  }

  int rank(const Value &value) const {
    if (const auto *integer = std::get_if<std::int64_t>(&value)) {
      const auto known = integers_.find(*integer);
      const int usual = known == integers_.end() ? int{kFar} : known->second;
      return is_multiple(*integer) ? std::min(usual, int{multiple_for_a_gap}) : usual;
    }
    return rank_of_real(std::get<double>(value));
  }

private:
  void add(const std::vector<launches::Condition> &conditions, int rank) {
    for (const launches::Condition &condition : conditions) {
      if (condition.both()) continue;
      for (const std::int64_t value : condition.integers) {
        note(integers_, value, rank);
        const std::int64_t step = cases::aligned_step(value);
        for (const std::int64_t beside : {value - 1, value + 1, value - step, value + step})
          note(integers_, beside, rank + 1);
      }
      for (const double value : condition.reals) note(reals_, value, rank);
    }
  }

  template <class T>
  static void note(std::map<T, int> &ranks, T value, int rank) {
    const auto [known, fresh] = ranks.try_emplace(value, rank);
    known->second = std::min(known->second, rank);
  }

  bool is_multiple(std::int64_t value) const {
    return std::ranges::any_of(
        divided_, [&](std::int64_t constant) { return value > constant && (value + 1) % constant <= 2; });
  }

  int rank_of_real(double value) const {
    int least = kFar;
    for (const auto &[constant, rank] : reals_) {
      const double distance = std::abs(value - constant), size = std::abs(constant);
      if (distance <= kSame * size)
        least = std::min(least, rank);
      else if (distance <= kBeside * size)
        least = std::min(least, rank + 1);
    }
    return least;
  }

  std::map<std::int64_t, int> integers_;
  std::map<double, int> reals_;
  std::set<std::int64_t> divided_;
};

}  // namespace

std::vector<std::size_t> further_cases(const std::vector<model::Case> &reserve,
                                       const launches::Coverage &coverage, const std::set<std::size_t> &tried,
                                       Nearness nearness, std::size_t most) {
  const Constants constants(coverage);
  // All cases of a workload share the values of most arguments: each value of an argument tells once, or a
  // constant that is one of those values makes all cases look near.
  std::set<std::tuple<std::string, std::string, Value>> told;
  std::vector<std::pair<int, std::size_t>> ranked;
  for (std::size_t i = 0; i < reserve.size(); ++i) {
    if (tried.contains(i)) continue;
    int rank = kFar;
    for (const auto &[name, value] : reserve[i].scalars)
      if (const int here = constants.rank(value);
          here < kFar && told.emplace(reserve[i].workload, name, value).second)
        rank = std::min(rank, here);
    if (nearness == Nearness::any || rank < kFar) ranked.emplace_back(rank, i);
  }
  std::ranges::sort(ranked);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) chosen.push_back(ranked[i].second);
  std::ranges::sort(chosen);
  return chosen;
}

namespace {

bool is_odd(std::int64_t value) {
  constexpr std::int64_t kLeast = 64, kWarp = 32;
  const auto power = [](std::int64_t one) { return std::has_single_bit(static_cast<std::uint64_t>(one)); };
  return value > kLeast && value % kWarp != 0 && !power(value - 1) && !power(value + 1);
}

}  // namespace

launches::Coverage odd_numbers(std::string_view variant, const launches::Coverage &coverage) {
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  screen::add_constants(variant, integers, reals);
  std::erase_if(integers, [&](std::int64_t value) {
    return !is_odd(value) ||
           std::ranges::any_of(coverage.conditions, [&](const launches::Condition &condition) {
             return condition.both() && std::ranges::binary_search(condition.integers, value);
           });
  });
  launches::Coverage odd;
  for (const std::int64_t value : integers)
    launches::add(odd, launches::Condition{
                           .test = launches::TestKind::equality, .seen_false = true, .integers = {value}});
  return odd;
}

}  // namespace cupilot::judge::engine
