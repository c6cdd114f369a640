// SPDX-License-Identifier: Apache-2.0
#include "tests/landscapes/game.h"

#include <algorithm>
#include <cmath>

#include "evolution/schedule/frame.h"
#include "tests/landscapes/scripted_model.h"
#include "tests/unit/search/landscape.h"

namespace cupilot::landscapes {
using namespace cupilot::model;
using namespace cupilot::strategy;
namespace {

/// What the judge says, and who is ahead.
class Referee {
public:
  Referee(const Terrain &terrain, std::atomic<bool> &stop)
      : terrain_(terrain), dice_(terrain.seed), stop_(stop) {}

  cupilot::Terrain judge(const Point &point) {
    Moves moves;
    std::string key;
    for (const std::string &rule : point.rules) {
      key += rule + " ";
      if (rule.starts_with(kFlawPrefix)) return count({VerdictKind::wrong, 0, reason_of_flaw(rule)}, 0);
      if (rule != "plain") moves.insert(rule);
    }
    for (const auto &[knob, value] : point.knobs) key += knob + "=" + std::to_string(value) + " ";
    const double truth = terrain_.speedup(moves, point.knobs);
    if (truth <= 0) return count({VerdictKind::build_failed, 0, "these parts exclude each other"}, 0);
    return count(speed(truth * std::exp(terrain_.noise * dice_.normal("measured " + key))), truth);
  }
  Game game;

private:
  cupilot::Terrain count(cupilot::Terrain answer, double truth) {
    ++game.judged;
    if (answer.kind == VerdictKind::faster && answer.speedup > best_measured_) {
      best_measured_ = answer.speedup;
      game.reached = truth / terrain_.optimum;
      if (game.reached >= kNear && !game.evaluations) {
        game.evaluations = game.judged;
        stop_ = true;
      }
    }
    return answer;
  }
  const Terrain &terrain_;
  Dice dice_;
  std::atomic<bool> &stop_;
  double best_measured_ = 0;
};

Strategy record(const std::string &id, double gain, bool rule) {
  Strategy strategy;
  strategy.id = strategy.title = id;
  strategy.steps = {"apply " + id};
  strategy.gain = gain;
  if (rule) strategy.rule = id;
  return strategy;
}

/// The pool's gains are what the moves gave elsewhere: right on average, and far off for a single kernel.
StrategyPool pool_of(const Terrain &terrain) {
  const Dice dice(terrain.seed);
  std::vector<Strategy> records;
  const auto typical = [&](const std::string &id, double truth) {
    return std::clamp(truth * std::exp(0.3 * dice.normal("typical " + id)), 1.01, 5.0);
  };
  for (const std::string &move : terrain.in_pool)
    records.push_back(
        record(move, typical(move, terrain.structure({move})), terrain.by_rules.contains(move)));
  for (int i = 1; i <= 6; ++i) {
    const std::string id = "off-" + std::to_string(i);
    records.push_back(record(id, typical(id, 1.15), false));
  }
  return StrategyPool::of(records).value();
}

/// Rules apply what they know without a mistake; of the rest they know nothing.
std::vector<FakeRule> rules_of(const Terrain &terrain) {
  const Dice dice(terrain.seed);
  std::vector<FakeRule> rules;
  for (const std::string &move : terrain.moves) {
    FakeRule rule{.name = move, .gain = 1, .knob_line = {}, .refusal = {}, .unless_with = {}};
    if (!terrain.by_rules.contains(move)) rule.refusal = "no rule does this";
    if (const auto needed = terrain.needs.find(move); rule.refusal.empty() && needed != terrain.needs.end())
      rule.refusal = "needs " + needed->second, rule.unless_with = needed->second;
    if (const auto knobs = terrain.knobs.find(move); knobs != terrain.knobs.end()) {
      const MoveKnob &knob = knobs->second.front();
      rule.knob_line = schedule::knob_lines(
          {{knob.name, knob.values, knob.values[dice.below(knob.values.size(), "rule " + knob.name)]}});
    }
    rules.push_back(rule);
  }
  for (int i = 1; i <= 6; ++i) rules.push_back({"off-" + std::to_string(i), 1, "", "no rule does this", ""});
  return rules;
}

}  // namespace

Game play(const Terrain &terrain, const std::string &policy, std::size_t candidates) {
  Referee *referee = nullptr;
  Playground ground(rules_of(terrain), [&](const Point &point) { return referee->judge(point); });
  Referee judging(terrain, ground.stop);
  referee = &judging;
  ScriptedModel model(terrain);
  ground.pool = pool_of(terrain);
  ground.model = &model;
  ground.settings.policy = policy;
  ground.settings.seed = terrain.seed;
  ground.settings.budget.candidates = candidates;
  ground.settings.budget.wall = std::chrono::hours(24 * 365);
  ground.settings.confirmations = 0;
  const auto outcome = ground.run();
  Game game = judging.game;
  game.broken = !outcome;
  game.stopped_because = outcome ? outcome->stopped_because : outcome.error().message;
  return game;
}

}  // namespace cupilot::landscapes
