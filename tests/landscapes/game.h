// SPDX-License-Identifier: Apache-2.0
//
// One search of one policy on one landscape, through the real engine: run database, roles' real prompts and
// parsers, workshop, evaluator. Only the model, the rules and the judge are the landscape's.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tests/landscapes/terrain.h"

namespace cupilot::landscapes {

/// Of the optimum: as near as a search has to come.
inline constexpr double kNear = 0.95;

struct Game {
  /// Candidates judged until the best measured one was really near the optimum; empty: never.
  std::optional<std::size_t> evaluations;
  std::size_t judged = 0;       ///< in all
  double reached = 1;           ///< share of the optimum at the end
  std::string stopped_because;  ///< or the engine's error
  bool broken = false;          ///< the engine failed
};
Game play(const Terrain &terrain, const std::string &policy, std::size_t candidates);

}  // namespace cupilot::landscapes
