// SPDX-License-Identifier: Apache-2.0
#include "tests/landscapes/terrain.h"

#include <algorithm>
#include <cmath>

#include "tests/landscapes/dice.h"

namespace cupilot::landscapes {
namespace {

constexpr std::size_t kMoves = 12, kInPool = 9, kByRules = 3;

std::string move_name(std::size_t index) {
  return "move-" + std::string(index < 9 ? "0" : "") + std::to_string(index + 1);
}

/// The moves in an order drawn from the seed: roles are dealt out along it.
std::vector<std::string> shuffled(const std::vector<std::string> &moves, const Dice &dice,
                                  const std::string &why) {
  std::vector<std::string> order = moves;
  std::ranges::sort(order, {}, [&](const std::string &move) { return dice.number(why + move); });
  return order;
}

Terrain bare(std::uint64_t seed, const std::string &name) {
  Terrain terrain;
  terrain.name = name;
  terrain.seed = seed;
  for (std::size_t i = 0; i < kMoves; ++i) terrain.moves.push_back(move_name(i));
  const auto order = shuffled(terrain.moves, Dice(seed), "pool");
  terrain.in_pool = Moves(order.begin(), order.begin() + kInPool);
  terrain.by_rules = Moves(order.begin(), order.begin() + kByRules);
  terrain.setting = [](const Moves &, const Settings &) { return 1.0; };
  return terrain;
}

Terrain with_optimum(Terrain terrain) {
  for (unsigned bits = 0; bits < 1u << kMoves; ++bits) {
    Moves moves;
    for (std::size_t i = 0; i < kMoves; ++i)
      if (bits >> i & 1) moves.insert(terrain.moves[i]);
    if (terrain.possible(moves)) terrain.optimum = std::max(terrain.optimum, terrain.structure(moves));
  }
  return terrain;
}

/// Each move's own factor: exponentials of logarithms, so a few are worth much and most little; one in five
/// does harm.
std::map<std::string, double> own_gains(const Terrain &terrain, double mean) {
  const Dice dice(terrain.seed);
  std::map<std::string, double> logs;
  for (const std::string &move : terrain.moves) {
    const double size = mean * dice.exponential("gain " + move);
    logs[move] = dice.chance(0.2, "harm " + move) ? -0.5 * size : size;
  }
  return logs;
}

std::function<double(const Moves &)> product_of(std::map<std::string, double> logs) {
  return [logs = std::move(logs)](const Moves &moves) {
    double sum = 0;
    for (const std::string &move : moves) sum += logs.at(move);
    return std::exp(sum);
  };
}

Terrain gentle(std::uint64_t seed) {
  Terrain terrain = bare(seed, "gentle");
  terrain.structure = product_of(own_gains(terrain, 0.15));
  return with_optimum(std::move(terrain));
}

Terrain noisy(std::uint64_t seed) {
  Terrain terrain = bare(seed, "noisy");
  terrain.structure = product_of(own_gains(terrain, 0.15));
  terrain.noise = 0.06;
  return with_optimum(std::move(terrain));
}

Terrain failing(std::uint64_t seed) {
  Terrain terrain = bare(seed, "failing");
  terrain.structure = product_of(own_gains(terrain, 0.15));
  terrain.failure = 0.6;
  terrain.repair = 0.25;
  return with_optimum(std::move(terrain));
}

Terrain deceptive(std::uint64_t seed) {
  Terrain terrain = bare(seed, "deceptive");
  const auto order = shuffled(terrain.moves, Dice(seed), "roles");
  const std::string first = order[0], second = order[1];
  const Moves lures{order[2], order[3], order[4]};
  auto rest = own_gains(terrain, 0.04);
  for (std::size_t i = 0; i < 5; ++i) rest[order[i]] = 0;
  terrain.structure = [=, small = product_of(rest)](const Moves &moves) {
    const bool deep = moves.contains(first), deeper = moves.contains(second);
    double factor = small(moves) * (deep && deeper ? 3.2 : deep ? 0.85 : deeper ? 0.9 : 1);
    for (const std::string &lure : lures)
      if (moves.contains(lure)) factor *= deep && deeper ? 0.75 : 1.3;
    return factor;
  };
  return with_optimum(std::move(terrain));
}

Terrain interacting(std::uint64_t seed) {
  Terrain terrain = bare(seed, "interacting");
  const Dice dice(seed);
  auto own = own_gains(terrain, 0.12);
  std::map<std::pair<std::string, std::string>, double> pairs;
  for (const std::string &one : terrain.moves)
    for (const std::string &other : terrain.moves)
      if (one < other && dice.chance(0.3, "pair " + one + other))
        pairs[{one, other}] = 0.12 * dice.normal("effect " + one + other);
  const auto order = shuffled(terrain.moves, dice, "exclude");
  for (std::size_t i = 0; i < 8; i += 2)
    terrain.conflicts.insert({std::min(order[i], order[i + 1]), std::max(order[i], order[i + 1])});
  for (std::size_t i = 0; i < 4; i += 2) terrain.needs[order[i + 8]] = order[i];
  terrain.structure = [own = product_of(own), pairs](const Moves &moves) {
    double sum = 0;
    for (const auto &[pair, effect] : pairs)
      if (moves.contains(pair.first) && moves.contains(pair.second)) sum += effect;
    return own(moves) * std::exp(sum);
  };
  return with_optimum(std::move(terrain));
}

Terrain rugged(std::uint64_t seed) {
  Terrain terrain = bare(seed, "rugged");
  const Dice dice(seed);
  terrain.structure = product_of(own_gains(terrain, 0.12));
  const auto order = shuffled(terrain.moves, dice, "knobs");
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string name = "kKnob" + std::to_string(i + 1);
    terrain.knobs[order[i]] = {{name, {1, 2, 4, 8, 16, 32}, dice.below(6, "best " + name)}};
  }
  // Two neighbours share a resource: what one may use beyond its best the other has to give.
  std::vector<MoveKnob> all;
  std::vector<std::string> owner;
  for (std::size_t i = 0; i < 4; ++i) owner.push_back(order[i]), all.push_back(terrain.knobs[order[i]][0]);
  terrain.setting = [=](const Moves &moves, const Settings &settings) {
    std::vector<double> off;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto value = settings.find(all[i].name);
      if (!moves.contains(owner[i]) || value == settings.end()) {
        off.push_back(0);
        continue;
      }
      const auto place = std::ranges::find(all[i].values, value->second) - all[i].values.begin();
      off.push_back(static_cast<double>(place) - static_cast<double>(all[i].best));
    }
    double loss = 0;
    for (std::size_t i = 0; i < off.size(); i += 2) {
      if (off[i] + off[i + 1] > 2) return 0.0;
      loss += 0.03 * (off[i] * off[i] + off[i + 1] * off[i + 1]) +
              0.06 * (off[i] + off[i + 1]) * (off[i] + off[i + 1]);
      for (const double one : {off[i], off[i + 1]}) loss += std::fmod(std::abs(one), 2.0) == 1 ? 0.05 : 0;
    }
    return std::exp(-loss);
  };
  return with_optimum(std::move(terrain));
}

}  // namespace

bool Terrain::possible(const Moves &chosen) const {
  for (const auto &[one, other] : conflicts)
    if (chosen.contains(one) && chosen.contains(other)) return false;
  for (const auto &[move, needed] : needs)
    if (chosen.contains(move) && !chosen.contains(needed)) return false;
  return true;
}

double Terrain::speedup(const Moves &chosen, const Settings &settings) const {
  return possible(chosen) ? structure(chosen) * setting(chosen, settings) : 0;
}

const std::vector<Landscape> &landscapes() {
  static const std::vector<Landscape> all = {
      {"gentle",
       "Effects multiply and do not depend on each other; a few moves are worth much, most little, one in "
       "five "
       "does harm. A quarter of the translations of a move fail. The plain case.",
       gentle},
      {"deceptive",
       "Three moves give 1.3x each and lead to 2.2x; two others are slower alone (0.85x, 0.9x), 3.2x "
       "together, "
       "and then the first three do harm. A restructuring that pays off only when it is finished.",
       deceptive},
      {"noisy",
       "Like gentle, but every measurement is off by 6 % (one standard deviation), so that the best measured "
       "is often not the best.",
       noisy},
      {"failing",
       "Like gentle, but 60 % of the translations of a move fail and a repair mends one failure in four: a "
       "kernel at the edge of what the model can write.",
       failing},
      {"rugged",
       "Like gentle, but four moves bring a knob with six values each; knobs share resources by twos (a "
       "diagonal valley with bumps, and settings beyond the limit do not build). Written at a random "
       "setting.",
       rugged},
      {"interacting",
       "Three pairs in ten help or hinder each other; four pairs of moves exclude each other, two moves need "
       "another one first. Good parts do not always add up.",
       interacting},
  };
  return all;
}

}  // namespace cupilot::landscapes
