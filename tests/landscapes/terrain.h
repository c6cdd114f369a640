// SPDX-License-Identifier: Apache-2.0
//
// Synthetic landscapes with a known optimum. A structure is a set of moves ("move-03"), each an optimisation
// somebody could apply; some moves bring knobs. The landscape gives every structure a speed-up, every setting
// of its knobs a factor of at most 1 (1 at the best setting), says what excludes what, and how often whoever
// writes a variant gets a move wrong. All of it is drawn from the seed: each seed is another kernel of the
// same kind.
//
// The same for every landscape, so that none is shaped for a policy: twelve moves in an order that says
// nothing; nine of them stand in the pool, among six records that do not apply; three of those nine, drawn
// without regard to what they are worth, can be realised by rules, which never fail.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cupilot::landscapes {

using Moves = std::set<std::string>;
using Settings = std::map<std::string, long long>;

struct MoveKnob {
  std::string name;
  std::vector<long long> values;
  std::size_t best = 0;  ///< position of the value with the factor 1
};

struct Terrain {
  std::string name, words;
  std::uint64_t seed = 0;
  std::vector<std::string> moves;                           ///< twelve
  Moves in_pool, by_rules;                                  ///< by_rules is part of in_pool
  std::set<std::pair<std::string, std::string>> conflicts;  ///< together: does not build, cannot be mended
  std::map<std::string, std::string> needs;                 ///< refused without
  std::map<std::string, std::vector<MoveKnob>> knobs;       ///< by move
  std::function<double(const Moves &)> structure;           ///< speed-up at the best knobs
  std::function<double(const Moves &, const Settings &)> setting;  ///< 0 < factor <= 1; 0: does not build
  double failure = 0.25;                                           ///< that one move is written wrong
  double repair = 0.5;                                             ///< that one repair mends it
  double noise = 0.01;                                             ///< of a measurement, relative
  double optimum = 1;  ///< speed-up, by looking at every structure

  bool possible(const Moves &moves) const;
  double speedup(const Moves &moves, const Settings &settings) const;  ///< 0: does not build
};

struct Landscape {
  const char *name;
  const char *words;  ///< what it is like, and what it stands for
  Terrain (*make)(std::uint64_t seed);
};
const std::vector<Landscape> &landscapes();

}  // namespace cupilot::landscapes
