// SPDX-License-Identifier: Apache-2.0
//
// The table of policies and landscapes: how many candidates are judged until the best is within 5 % of the
// optimum. Ends with 1 where `auto` needs more than 1.2 times (--allowed) what the best policy needs.
//
//   landscapes                         the whole table, 11 seeds: a minute or two
//   landscapes --seeds 3 --only noisy  less of it
//   landscapes --describe              the landscapes in words

#include <algorithm>
#include <atomic>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "evolution/search/policy.h"
#include "tests/landscapes/game.h"

namespace cupilot::landscapes {
using namespace cupilot::search;
namespace {

/// All that ask a model; `auto`, which is compared with the others, is the last.
const std::vector<std::string> &compared_policies() {
  static const auto names = [] {
    auto all = policy_names(ModelUse::required);
    std::ranges::copy(policy_names(ModelUse::optional), std::back_inserter(all));
    return all;
  }();
  return names;
}

struct Options {
  std::size_t seeds = 11, candidates = 300;
  double allowed = 1.2;
  std::vector<std::string> only, policies;
  bool describe = false, each = false;
};

using Cell = std::pair<std::string, std::string>;  ///< landscape, policy
using Table = std::map<Cell, std::vector<Game>>;   ///< in the order of the seeds

bool wanted(const std::vector<std::string> &list, const std::string &name) {
  return list.empty() || std::ranges::find(list, name) != list.end();
}

Table play_all(const Options &options) {
  struct Task {
    const Landscape *landscape;
    std::string policy;
    std::uint64_t seed;
    Game *game;
  };
  Table table;
  std::vector<Task> tasks;
  for (const Landscape &landscape : landscapes())
    for (const std::string &policy : compared_policies()) {
      if (!wanted(options.only, landscape.name) || !wanted(options.policies, policy)) continue;
      auto &games = table[{landscape.name, policy}];
      games.resize(options.seeds);
      for (std::size_t i = 0; i < options.seeds; ++i) tasks.push_back({&landscape, policy, i + 1, &games[i]});
    }
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++)
      *tasks[i].game = play(tasks[i].landscape->make(tasks[i].seed), tasks[i].policy, options.candidates);
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) workers.emplace_back(work);
  workers.clear();
  return table;
}

/// A search that never gets there counts as more than the budget.
std::size_t median(const std::vector<Game> &games, std::size_t candidates) {
  std::vector<std::size_t> counts;
  for (const Game &game : games) counts.push_back(game.evaluations.value_or(candidates + 1));
  std::ranges::sort(counts);
  return counts[counts.size() / 2];
}

std::string cell_text(const std::vector<Game> &games, std::size_t candidates) {
  const std::size_t middle = median(games, candidates);
  const auto there =
      std::ranges::count_if(games, [](const Game &one) { return one.evaluations.has_value(); });
  std::string text = middle > candidates ? ">" + std::to_string(candidates) : std::to_string(middle);
  return text + " (" + std::to_string(there) + ")";
}

/// False: `auto` needs too many.
bool print_row(const Table &table, const std::string &landscape, const Options &options) {
  std::printf("%-12s", landscape.c_str());
  std::size_t best = options.candidates + 1, own = 0;
  for (const std::string &policy : compared_policies()) {
    const auto found = table.find({landscape, policy});
    if (found == table.end()) continue;
    std::printf(" %11s", cell_text(found->second, options.candidates).c_str());
    const std::size_t middle = median(found->second, options.candidates);
    best = std::min(best, middle);
    if (policy == "auto") own = middle;
  }
  // Where nobody gets there nobody is the best.
  const double ratio = static_cast<double>(own) / static_cast<double>(best);
  const bool good = ratio <= options.allowed;
  if (own > 0) std::printf("   %5.2f%s", ratio, good ? "" : "  too many");
  std::printf("\n");
  return own == 0 || good;
}

void print_each(const Table &table) {
  for (const auto &[cell, games] : table)
    for (std::size_t i = 0; i < games.size(); ++i)
      std::printf("%s %s seed %zu: %s of %zu judged, %.0f %% of the optimum, %s\n", cell.first.c_str(),
                  cell.second.c_str(), i + 1,
                  games[i].evaluations ? std::to_string(*games[i].evaluations).c_str() : "never",
                  games[i].judged, 100 * games[i].reached, games[i].stopped_because.c_str());
}

bool engine_failed(const Table &table) {
  bool failed = false;
  for (const auto &[cell, games] : table)
    for (const Game &game : games)
      if (game.broken) {
        std::fprintf(stderr, "landscapes: error: %s on %s: %s\n", cell.second.c_str(), cell.first.c_str(),
                     game.stopped_because.c_str());
        failed = true;
      }
  return failed;
}

int run(const Options &options) {
  if (options.describe) {
    for (const Landscape &one : landscapes()) std::printf("%s\n  %s\n", one.name, one.words);
    return 0;
  }
  const Table table = play_all(options);
  if (options.each) print_each(table);
  std::printf(
      "candidates judged to %.0f %% of the optimum: median of %zu seeds (seeds that got there), at most "
      "%zu\n",
      100 * kNear, options.seeds, options.candidates);
  std::printf("%-12s", "");
  for (const std::string &policy : compared_policies())
    if (wanted(options.policies, policy)) std::printf(" %11s", policy.c_str());
  std::printf("   auto / best\n");
  bool good = true;
  for (const Landscape &one : landscapes())
    if (wanted(options.only, one.name)) good = print_row(table, one.name, options) && good;
  if (engine_failed(table)) return 2;
  return good ? 0 : 1;
}

}  // namespace
}  // namespace cupilot::landscapes

int main(int argc, char **argv) {
  cupilot::landscapes::Options options;
  CLI::App app("how many candidates each search policy needs on landscapes with a known optimum");
  app.add_option("--seeds", options.seeds, "landscapes of each kind")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--candidates", options.candidates, "budget of one search")->capture_default_str();
  app.add_option("--allowed", options.allowed, "how many times the best policy's candidates auto may need")
      ->capture_default_str();
  app.add_option("--only", options.only, "these landscapes")->delimiter(',');
  app.add_option("--policies", options.policies, "these policies")->delimiter(',');
  app.add_flag("--each", options.each, "one line for each search first");
  app.add_flag("--describe", options.describe, "the landscapes in words");
  CLI11_PARSE(app, argc, argv);
  return cupilot::landscapes::run(options);
}
