// SPDX-License-Identifier: Apache-2.0
//
// Draws sizes between one and those of a workload from a secret seed, so that every judging tries others. A
// variant that is wrong for a part of its domain cannot know which sizes to get right. Pure.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "evolution/judge/cases/neighbours.h"

namespace cupilot::judge::cases {

/// Every second draw takes all sizes up to the workload's as equally likely: faults are found in proportion
/// to the part of the domain that they spoil. The others alternate between all magnitudes equally likely
/// (most launches of programs are smaller than a workload), and sizes that are the workload's own or equal to
/// it modulo a power of two (most branches of variants ask for that).
enum class DrawKind { even, magnitude, alike };
DrawKind draw_kind(std::size_t index);

/// One value for each name, from 1 to its own, named "rows=77,cols=613". `index` picks the kind, and with
/// `attempt` the random numbers.
Neighbour drawn_size(const std::vector<ShapeName> &names, std::uint64_t seed, std::size_t index, int attempt);

/// Other values for floating scalars: of both signs and of all magnitudes from a thousandth of their own (or
/// of one, in place of zero) to a thousand times it, so that eight draws one after the other have them all;
/// one of the eight reaches from 2^-30 to 2^30. One scalar of one draw in 16 is infinite. If later attempts
/// are needed, because an assumption such as `alpha > 0` forbids a draw, they are positive, and at last the
/// workload's own (an empty map).
std::map<std::string, double> drawn_scalars(const std::map<std::string, double> &own, std::uint64_t seed,
                                            std::size_t index, int attempt);

/// "rows=77,cols=613", in the order of `names`.
std::string size_text(const std::vector<ShapeName> &names, const Neighbour &neighbour);

}  // namespace cupilot::judge::cases
