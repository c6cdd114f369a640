// SPDX-License-Identifier: Apache-2.0
//
// How many candidates a search without a model needs on spaces that were judged exhaustively on a GPU: every
// setting of the knobs of every schedule that applies (`cupilot tune --policy exhaustive`, written small by
// space_of.py). The real engine searches; the file answers for the judge. Beside it what drawing settings at
// random needs: of N settings of which K are good, the first good one is drawn after (N + 1) / (K + 1) draws
// in the mean.
//
//   spaces FILE...                 the table
//   spaces --most 0.1 FILE...      ends with 1 where the search needs more than this share of a space
//   spaces --each FILE...          what was judged, in order
//   spaces --anywhere FILE...      each schedule alone, begun at every correct setting in turn: the median
//
// The last is to be compared with searches that know no setting to begin with (kernel_tuner_beside.py).

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "evolution/schedule/frame.h"
#include "tests/landscapes/game.h"
#include "tests/unit/search/landscape.h"

namespace cupilot::landscapes {
namespace {

using nlohmann::json;

/// One schedule: its knobs as it sets them, and a speed-up for every setting; 0 where there was none.
struct Structure {
  std::string id;
  double gain = 1;
  std::vector<Knob> knobs;
  std::map<std::vector<long long>, double> speedups;
};
struct Space {
  std::string kernel, device;
  std::vector<Structure> structures;
  double best = 0;
  std::size_t size = 0, correct = 0, good = 0;
};

/// Counts the settings.
void survey(Space &space) {
  space.best = 0, space.size = space.correct = space.good = 0;
  for (const Structure &one : space.structures)
    for (const auto &[setting, speedup] : one.speedups) space.best = std::max(space.best, speedup);
  for (const Structure &one : space.structures)
    for (const auto &[setting, speedup] : one.speedups) {
      ++space.size;
      space.correct += speedup > 0;
      space.good += speedup >= kNear * space.best;
    }
}

Structure structure_of(const json &told) {
  Structure one{.id = told.at("id"), .gain = told.at("gain"), .knobs = {}, .speedups = {}};
  for (const json &knob : told.at("knobs"))
    one.knobs.push_back({knob.at("name"), knob.at("values"), knob.at("start")});
  const std::vector<double> speedups = told.at("speedups");
  const auto settings = every_setting(one.knobs);
  if (settings.size() != speedups.size())
    throw std::runtime_error(one.id + " has " + std::to_string(settings.size()) + " settings and " +
                             std::to_string(speedups.size()) + " speed-ups");
  for (std::size_t i = 0; i < settings.size(); ++i) one.speedups[settings[i]] = speedups[i];
  return one;
}

Space space_of(const std::string &path) {
  const auto text = read_file(path);
  if (!text) throw std::runtime_error(text.error().message);
  const json told = json::parse(*text);
  Space space{.kernel = told.at("kernel"), .device = told.at("device"), .structures = {}};
  for (const json &one : told.at("structures")) space.structures.push_back(structure_of(one));
  survey(space);
  return space;
}

Game search_in(const Space &space, bool each) {
  std::vector<FakeRule> rules;
  for (const Structure &one : space.structures)
    rules.push_back({.name = one.id,
                     .gain = one.gain,
                     .knob_line = schedule::knob_lines(one.knobs),
                     .refusal = {},
                     .unless_with = {}});
  Game game;
  double best = 0;
  Playground ground(rules, [&](const Point &point) -> cupilot::Terrain {
    const auto found = std::ranges::find(space.structures, *point.rules.begin(), &Structure::id);
    std::vector<long long> setting;
    for (const Knob &knob : found->knobs) setting.push_back(point.knob(knob.name, knob.value));
    const double speedup = point.rules.size() == 1 ? found->speedups.at(setting) : 0;
    ++game.judged;
    best = std::max(best, speedup);
    if (!game.evaluations && best >= kNear * space.best) game.evaluations = game.judged;
    if (each) {
      std::vector<Knob> knobs = found->knobs;
      for (std::size_t i = 0; i < knobs.size(); ++i) knobs[i].value = setting[i];
      std::printf("%4zu  %-26s %-60s %.3f of the best\n", game.judged, found->id.c_str(),
                  describe_knobs(knobs).c_str(), speedup / space.best);
    }
    if (speedup <= 0) return {VerdictKind::build_failed, 0, "not built, refused or wrong"};
    return speed(speedup);
  });
  ground.settings.policy = "rules";
  ground.settings.confirmations = 0;
  ground.settings.budget.candidates = space.size;
  ground.settings.budget.wall = std::chrono::hours(24 * 365);
  const auto outcome = ground.run();
  if (!outcome) throw std::runtime_error(outcome.error().message);
  game.reached = best / space.best;
  return game;
}

/// Draws until one of `good` of `size` comes, without putting any back: a mean.
double drawn(std::size_t size, std::size_t good) {
  return static_cast<double>(size + 1) / static_cast<double>(good + 1);
}

/// One schedule alone, from every correct setting.
void print_from_anywhere(const Space &whole) {
  for (const Structure &structure : whole.structures) {
    Space space{.kernel = whole.kernel, .device = whole.device, .structures = {structure}};
    survey(space);
    if (space.size < 2) continue;
    std::vector<std::size_t> counts;
    std::size_t reached = 0;
    for (const auto &[setting, speedup] : structure.speedups) {
      if (speedup <= 0) continue;
      Structure &begun = space.structures.front();
      for (std::size_t i = 0; i < setting.size(); ++i) begun.knobs[i].value = setting[i];
      const auto needed = search_in(space, false).evaluations;
      reached += needed.has_value();
      counts.push_back(needed.value_or(space.size + 1));
    }
    std::ranges::sort(counts);
    std::printf("%-20s %-26s %8zu %8zu %8.1f %8zu (%zu of %zu)\n", space.kernel.c_str(), structure.id.c_str(),
                space.size, space.good, drawn(space.size, space.good), counts[counts.size() / 2], reached,
                counts.size());
  }
}

int run(const std::vector<std::string> &files, double most, bool each, bool anywhere) {
  if (anywhere) {
    std::printf("%-20s %-26s %8s %8s %8s %8s\n", "kernel", "schedule", "settings", "good", "random",
                "search");
    for (const std::string &file : files) print_from_anywhere(space_of(file));
    return 0;
  }
  std::printf(
      "candidates until one is within 5 %% of the best of all settings\n%-20s %8s %8s %8s %8s %8s %8s %8s "
      "%8s\n",
      "kernel", "settings", "correct", "good", "random", "search", "share", "in all", "reached");
  bool held = true;
  for (const std::string &file : files) {
    const Space space = space_of(file);
    const Game game = search_in(space, each);
    const double share = static_cast<double>(game.evaluations.value_or(0)) / static_cast<double>(space.size);
    const bool good = game.evaluations && share <= most;
    held = held && good;
    std::printf("%-20s %8zu %8zu %8zu %8.1f %8s %7.1f%% %8zu %7.1f%%%s\n", space.kernel.c_str(), space.size,
                space.correct, space.good, drawn(space.size, space.good),
                game.evaluations ? std::to_string(*game.evaluations).c_str() : "never", 100 * share,
                game.judged, 100 * game.reached, good ? "" : "  too many");
  }
  return held ? 0 : 1;
}

}  // namespace
}  // namespace cupilot::landscapes

int main(int argc, char **argv) {
  std::vector<std::string> files;
  double most = 1;
  bool each = false, anywhere = false;
  CLI::App app("how many candidates a search without a model needs on spaces that were judged exhaustively");
  app.add_option("files", files, "what space_of.py wrote")->required()->check(CLI::ExistingFile);
  app.add_option("--most", most, "share of a space that the search may need")->capture_default_str();
  app.add_flag("--each", each, "one line for each candidate first");
  app.add_flag("--anywhere", anywhere, "each schedule alone, begun at every correct setting in turn");
  CLI11_PARSE(app, argc, argv);
  try {
    return cupilot::landscapes::run(files, most, each, anywhere);
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "spaces: error: %s\n", problem.what());
    return 2;
  }
}
