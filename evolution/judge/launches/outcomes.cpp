// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/outcomes.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace cupilot::judge::launches {

namespace {

using Tokens = std::vector<std::uint32_t>;

/// Calls that tell the same count as one; so do outcomes that always come together. What all have tells
/// nothing.
constexpr std::size_t kMostKinds = 512, kMostTokens = 128, kMostOfTriples = 40;

/// A kind of calls.
struct Kind {
  Tokens tokens;  ///< ascending
  std::size_t first = 0, calls = 0;
  bool seen = false;
};

class Chooser {
public:
  Chooser(const std::vector<Outcomes> &seen, const std::vector<Outcomes> &calls) {
    std::map<Outcomes, std::size_t> index;
    std::vector<const Outcomes *> distinct;
    const auto add = [&](const Outcomes &one, std::size_t first, bool is_seen) {
      const auto [at, fresh] = index.try_emplace(one, kinds_.size());
      if (fresh) {
        kinds_.push_back({.tokens = {}, .first = first, .seen = is_seen});
        distinct.push_back(&at->first);
      }
      ++kinds_[at->second].calls;
    };
    for (const Outcomes &one : seen) add(one, 0, true);
    for (std::size_t i = 0; i < calls.size(); ++i) add(calls[i], i, false);
    make_tokens(distinct);
  }

  std::vector<std::size_t> choose(const OutcomeLimits &limits) {
    for (const Kind &kind : kinds_)
      if (kind.seen) take(kind);
    while (chosen_.size() < limits.single && choose_by([&](const Kind &kind) { return new_tokens(kind); })) {
    }
    keep_rarest();
    const std::size_t pairs_end = chosen_.size() + limits.pairs;
    while (chosen_.size() < pairs_end && choose_by([&](const Kind &kind) { return new_pairs(kind); })) {
    }
    const std::size_t end = chosen_.size() + limits.triples;
    while (chosen_.size() < end && choose_by([&](const Kind &kind) { return new_triples(kind); })) {
    }
    std::ranges::sort(chosen_);
    return std::move(chosen_);
  }

private:
  /// One token for all outcomes that the same kinds have.
  void make_tokens(const std::vector<const Outcomes *> &distinct) {
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> having;
    for (std::size_t i = 0; i < distinct.size(); ++i)
      for (const std::uint64_t one : *distinct[i]) having[one].push_back(static_cast<std::uint32_t>(i));
    std::map<std::vector<std::uint32_t>, std::uint64_t> columns;  // ordered: the same choice every time
    for (const auto &[one, kinds] : having) {
      if (kinds.size() == distinct.size()) continue;
      const auto [at, fresh] = columns.try_emplace(kinds, one);
      at->second = std::min(at->second, one);  // the kinds of less worth have the larger numbers
    }
    std::uint32_t token = 0;
    for (const bool together : {true, false}) {
      for (const auto &[kinds, one] : columns) {
        if (is_order(one) == together) continue;
        for (const std::uint32_t kind : kinds) kinds_[kind].tokens.push_back(token);
        ++token;
      }
      if (together) together_ = token;
    }
  }

  static bool is_order(std::uint64_t one) {
    return one >> kOutcomeBits == static_cast<std::uint64_t>(OutcomeKind::order);
  }
  /// How many of a kind's tokens, which are the first ones, count together.
  std::size_t together(const Kind &kind, std::size_t most) const {
    const auto end = std::ranges::lower_bound(kind.tokens, together_);
    return std::min(static_cast<std::size_t>(end - kind.tokens.begin()), most);
  }
  static std::uint64_t pair(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }
  template <class Visit>
  void each_pair(const Kind &kind, const Visit &visit) const {
    const std::size_t most = together(kind, kMostTokens);
    for (std::size_t i = 0; i < most; ++i)
      for (std::size_t j = i + 1; j < most; ++j) visit(pair(kind.tokens[i], kind.tokens[j]));
  }

  template <class Visit>
  void each_triple(const Kind &kind, const Visit &visit) const {
    const std::size_t most = together(kind, kMostOfTriples);
    for (std::size_t i = 0; i < most; ++i)
      for (std::size_t j = i + 1; j < most; ++j)
        for (std::size_t k = j + 1; k < most; ++k)
          visit((std::uint64_t{kind.tokens[i]} << 42) | (std::uint64_t{kind.tokens[j]} << 21) |
                kind.tokens[k]);
  }

  void take(const Kind &kind) {
    tokens_.insert(kind.tokens.begin(), kind.tokens.end());
    each_pair(kind, [&](std::uint64_t both) { pairs_.insert(both); });
    each_triple(kind, [&](std::uint64_t all) { triples_.insert(all); });
  }

  template <class Worth>
  bool choose_by(const Worth &worth) {
    Kind *best = nullptr;
    std::size_t most = 0;
    for (Kind &kind : kinds_) {
      if (kind.seen) continue;
      if (const std::size_t here = worth(kind); here > most) best = &kind, most = here;
    }
    if (!best) return false;
    best->seen = true;
    chosen_.push_back(best->first);
    take(*best);
    return true;
  }

  std::size_t new_tokens(const Kind &kind) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(kind.tokens, [&](std::uint32_t token) { return !tokens_.contains(token); }));
  }
  std::size_t new_pairs(const Kind &kind) const {
    std::size_t count = 0;
    each_pair(kind, [&](std::uint64_t both) { count += !pairs_.contains(both); });
    return count;
  }
  std::size_t new_triples(const Kind &kind) const {
    std::size_t count = 0;
    each_triple(kind, [&](std::uint64_t all) { count += !triples_.contains(all); });
    return count;
  }

  /// What few calls do is what nobody happens upon.
  void keep_rarest() {
    if (kinds_.size() <= kMostKinds) return;
    std::ranges::stable_sort(kinds_, {}, [](const Kind &kind) { return kind.calls; });
    kinds_.resize(kMostKinds);
  }

  std::vector<Kind> kinds_;
  std::uint32_t together_ = 0;  ///< tokens below this one count in pairs, too
  std::unordered_set<std::uint32_t> tokens_;
  std::unordered_set<std::uint64_t> pairs_, triples_;
  std::vector<std::size_t> chosen_;
};

}  // namespace

std::vector<std::size_t> calls_with_new_outcomes(const std::vector<Outcomes> &seen,
                                                 const std::vector<Outcomes> &calls,
                                                 const OutcomeLimits &limits) {
  return Chooser(seen, calls).choose(limits);
}

}  // namespace cupilot::judge::launches
