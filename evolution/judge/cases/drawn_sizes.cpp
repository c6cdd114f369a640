// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/drawn_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::cases {
namespace {

/// Sizes are alike modulo 2 to 256, which are the widths of vectors, warps and tiles.
constexpr std::uint64_t kMostAlikePower = 8;

/// Magnitudes of scalars: 2^-10 to 2^10, in four bands that draws take in turn.
constexpr double kOctaves = 10;
constexpr std::size_t kBands = 4, kInfiniteEvery = 16, kInfinite = 5;
/// 2^-30 to 2^30 or 2^-100 to 2^100 in one of eight draws: step sizes, counts, units, physical constants.
constexpr double kWideOctaves = 30, kWidestOctaves = 100;
constexpr std::size_t kWideEvery = 8, kWide = 6;
/// Near the workload's own value in one of eight draws, by 2^-1 to 2^-20 of it: half of them by 2^-10 or
/// less.
constexpr double kNearOctaves = 10;
constexpr std::size_t kNearEvery = 8, kNear = 3;
/// Infinite in float and narrower types; JSON has no infinity.
constexpr double kBeyond = 1e300;
/// From these attempts on scalars are positive, and the workload's own.
constexpr int kPositiveScalars = 2, kOwnScalars = 4;

class Random {
public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t count) { return data::input_bits(seed_, next_++) % count; }
  /// In [0, 1).
  double unit() { return static_cast<double>(data::input_bits(seed_, next_++) >> 11) * 0x1p-53; }

private:
  std::uint64_t seed_ = 0, next_ = 0;
};

double near(double own, bool nearer, Random &random) {
  const double share = std::exp2(-kNearOctaves * (random.unit() + (nearer ? 1 : 0)));
  return own + (random.below(2) == 1 ? share : -share) * (own == 0 ? 1 : own);
}

std::int64_t even(std::int64_t own, Random &random) {
  return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(own)));
}

std::int64_t of_any_magnitude(std::int64_t own, Random &random) {
  const double value = std::exp(random.unit() * std::log(static_cast<double>(own) + 1));
  return std::clamp(static_cast<std::int64_t>(value), std::int64_t{1}, own);
}

std::int64_t alike(std::int64_t own, Random &random) {
  const bool keep = random.below(2) == 0;
  const auto step = std::int64_t{1} << (1 + random.below(kMostAlikePower));
  const auto steps =
      static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>((own - 1) / step + 1)));
  return keep ? own : own - step * steps;
}

}  // namespace

DrawKind draw_kind(std::size_t index) {
  if (index % 2 == 0) return DrawKind::even;
  return index % 4 == 1 ? DrawKind::magnitude : DrawKind::alike;
}

Neighbour drawn_size(const std::vector<ShapeName> &names, std::uint64_t seed, std::size_t index,
                     int attempt) {
  Random random(data::derived_seed(seed, fmt::format("size {}/{}", index, attempt)));
  Neighbour drawn;
  for (const ShapeName &name : names) {
    if (name.value < 1) continue;
    switch (draw_kind(index)) {
      case DrawKind::even:
        drawn.values[name.name] = even(name.value, random);
        break;
      case DrawKind::magnitude:
        drawn.values[name.name] = of_any_magnitude(name.value, random);
        break;
      case DrawKind::alike:
        drawn.values[name.name] = alike(name.value, random);
        break;
    }
  }
  drawn.suffix = size_text(names, drawn);
  return drawn;
}

std::map<std::string, double> drawn_scalars(const std::map<std::string, double> &own, std::uint64_t seed,
                                            std::size_t index, int attempt) {
  if (attempt >= kOwnScalars) return {};
  Random random(data::derived_seed(seed, fmt::format("scalars {}/{}", index, attempt)));
  const std::size_t infinite =
      index % kInfiniteEvery == kInfinite && attempt == 0
          ? static_cast<std::size_t>(random.below(std::max<std::size_t>(own.size(), 1)))
          : own.size();
  std::map<std::string, double> drawn;
  for (const auto &[name, value] : own) {
    const std::size_t place = drawn.size(), band = (index / 2 + place) % kBands;
    if (const std::size_t round = index / kNearEvery; index % kNearEvery == kNear + round % 2) {
      const double close = near(value, (round + place) % 2 == 0, random);
      drawn[name] = attempt < kPositiveScalars ? close : std::abs(close);
      continue;
    }
    const bool wide = index % kWideEvery == kWide;
    const double reach = !wide ? kOctaves : index / kWideEvery % 2 ? kWideOctaves : kWidestOctaves;
    const double octave = -reach + (static_cast<double>(band) + random.unit()) * (2 * reach / kBands);
    const bool turned = place == 0 ? index % 2 == 1 : random.below(2) == 1;
    const double size = place == infinite ? kBeyond : (value == 0 ? 1 : value) * std::exp2(octave);
    drawn[name] = turned && attempt < kPositiveScalars ? -size : size;
  }
  return drawn;
}

std::string size_text(const std::vector<ShapeName> &names, const Neighbour &neighbour) {
  std::string text;
  for (const ShapeName &name : names)
    if (const auto value = neighbour.values.find(name.name); value != neighbour.values.end())
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", name.name, value->second);
  return text;
}

}  // namespace cupilot::judge::cases
