// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/crossover.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>

namespace cupilot::search {
namespace {

using Words = std::vector<std::string>;

/// The words of a text in lower case, without punctuation; "%", "==" and the like are words.
Words words_of(const std::string &text) {
  Words words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (const char raw : text) {
    const auto c = static_cast<unsigned char>(raw);
    if (std::isspace(c) || raw == ',' || raw == ';' || raw == '.' || raw == '(' || raw == ')')
      end();
    else if (raw != '\'')
      word += static_cast<char>(std::tolower(c));
  }
  end();
  return words;
}

constexpr std::array kNegations{"not", "no", "never", "without", "cannot", "isnt", "arent", "doesnt", "dont"};
/// Words that only express a negation: "does not fit" negates "fit".
constexpr std::array kCarriers{"does", "do", "is", "are", "must", "the", "a", "an", "any"};
constexpr std::array<std::pair<const char *, const char *>, 12> kOpposites{{{"even", "odd"},
                                                                            {"small", "large"},
                                                                            {"short", "long"},
                                                                            {"few", "many"},
                                                                            {"aligned", "unaligned"},
                                                                            {"contiguous", "strided"},
                                                                            {"fits", "exceeds"},
                                                                            {"below", "above"},
                                                                            {"least", "most"},
                                                                            {"less", "more"},
                                                                            {"fewer", "more"},
                                                                            {"one", "several"}}};

bool is_one_of(const auto &list, const std::string &word) {
  return std::ranges::any_of(list, [&](const char *each) { return word == each; });
}

struct Statement {
  Words words;
  bool negated = false;
};

Statement statement_of(const std::string &text) {
  Statement statement;
  for (std::string &word : words_of(text)) {
    if (is_one_of(kNegations, word))
      statement.negated = !statement.negated;
    else if (!is_one_of(kCarriers, word))
      statement.words.push_back(std::move(word));
  }
  return statement;
}

bool opposite(const std::string &one, const std::string &other) {
  return std::ranges::any_of(kOpposites, [&](const auto &pair) {
    return (one == pair.first && other == pair.second) || (one == pair.second && other == pair.first);
  });
}

/// Treats "fit" and "fits" as the same verb.
bool same_word(const std::string &one, const std::string &other) {
  return one == other || one + "s" == other || one == other + "s";
}

void add_forbidden(const model::Strategy &one, const std::set<std::string> &other_names,
                   const model::Strategy &other, std::vector<std::string> &found) {
  for (const std::string &id : one.conflicts)
    if (other_names.contains(id))
      found.push_back(fmt::format("{} cannot be combined with {}{}", one.id, id,
                                  id == other.id ? "" : fmt::format(", of which {} was made", other.id)));
}

}  // namespace

std::set<std::string> Lineage::names_of(const model::Strategy &strategy) const {
  std::set<std::string> names{strategy.id};
  std::vector<std::string> open = strategy.parents;
  while (!open.empty()) {
    const std::string id = std::move(open.back());
    open.pop_back();
    if (!names.insert(id).second) continue;
    if (const auto known = parents_.find(id); known != parents_.end())
      open.insert(open.end(), known->second.begin(), known->second.end());
  }
  return names;
}

bool contradict(const std::string &one, const std::string &other) {
  const Statement a = statement_of(one), b = statement_of(other);
  if (a.words.empty() || a.words.size() != b.words.size()) return false;
  int opposites = 0;
  for (std::size_t i = 0; i < a.words.size(); ++i) {
    if (same_word(a.words[i], b.words[i])) continue;
    if (!opposite(a.words[i], b.words[i])) return false;
    ++opposites;
  }
  return (opposites + (a.negated != b.negated ? 1 : 0)) % 2 == 1;
}

std::vector<std::string> conflicts_between(const model::Strategy &one, const model::Strategy &other,
                                           const Lineage &lineage) {
  std::vector<std::string> found;
  add_forbidden(one, lineage.names_of(other), other, found);
  add_forbidden(other, lineage.names_of(one), one, found);
  for (const std::string &need : one.preconditions)
    for (const std::string &against : other.preconditions)
      if (contradict(need, against))
        found.push_back(fmt::format(R"({} needs "{}", {} needs "{}")", one.id, need, other.id, against));
  return found;
}

std::vector<Pair> draw_pairs(const Population &population, std::size_t count, CrossedPairs &crossed,
                             Draw &draw) {
  std::vector<Pair> pairs;
  if (population.size() < 2) return pairs;
  const auto add = [&](std::size_t a, std::size_t b) {
    const auto &[low, high] = std::minmax(a, b);
    if (!crossed.emplace(population[low].made->individual.id, population[high].made->individual.id).second)
      return false;
    pairs.push_back({population[low], population[high]});
    return true;
  };
  // A small population has few pairs: after a number of draws the best remaining pairs are taken in order.
  constexpr std::size_t kDrawsEach = 8;
  for (std::size_t i = 0; i < kDrawsEach * count && pairs.size() < count; ++i) {
    const std::size_t a = tournament(population, draw);
    Population others = population;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(a));
    const std::size_t b = tournament(others, draw);
    add(a, b < a ? b : b + 1);
  }
  for (std::size_t b = 1; b < population.size(); ++b)
    for (std::size_t a = 0; a < b && pairs.size() < count; ++a) add(a, b);
  return pairs;
}

model::Strategy combined_strategy(const Pair &pair) {
  model::Strategy strategy;
  strategy.title = "the optimisations of two variants in one";
  strategy.steps = {"keep what makes the base fast", "add to it what makes the other variant fast"};
  strategy.gain = std::max(1.0, score(pair.first.made->verdict));
  return strategy;
}

provider::RoleRequest with_second_code(provider::RoleRequest question, const Member &second) {
  question.prompt +=
      fmt::format("\n\nThe other variant:\n\n```cuda\n{}\n```\n", second.made->individual.variant);
  question.prompt_version += ", two parents 1";
  return question;
}

}  // namespace cupilot::search
