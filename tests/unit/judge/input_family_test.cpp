// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/data/input_family.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace cupilot {
using namespace judge::data;
using namespace spec;
namespace {

std::vector<double> values(const std::string &family, Fill fill, ElementType type, std::uint64_t count,
                           std::uint64_t seed = 1) {
  const auto rule = input_rule(family, fill, type, count, seed);
  EXPECT_TRUE(rule) << family;
  std::vector<double> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(input_value(*rule, i));
  return all;
}
double mean(const std::vector<double> &all) {
  double sum = 0;
  for (const double value : all) sum += value;
  return sum / static_cast<double>(all.size());
}
double deviation(const std::vector<double> &all) {
  const double middle = mean(all);
  double sum = 0;
  for (const double value : all) sum += (value - middle) * (value - middle);
  return std::sqrt(sum / static_cast<double>(all.size()));
}

TEST(InputFamily, FamiliesHaveTheirMoments) {
  EXPECT_NEAR(mean(values("normal", {}, ElementType::f32, 100000)), 0, 0.02);
  EXPECT_NEAR(deviation(values("normal", {}, ElementType::f32, 100000)), 1, 0.02);
  EXPECT_NEAR(deviation(values("scaled_down", {}, ElementType::f32, 100000)), 1e-3, 2e-5);
  EXPECT_NEAR(deviation(values("scaled_up", {}, ElementType::f32, 100000)), 64, 1.5);
  EXPECT_NEAR(mean(values("large_mean", {}, ElementType::f32, 100000)), 1000, 0.02);
}

TEST(InputFamily, SeedsGiveOtherData) {
  EXPECT_EQ(values("user", {}, ElementType::f32, 50, 3), values("user", {}, ElementType::f32, 50, 3));
  EXPECT_NE(values("user", {}, ElementType::f32, 50, 3), values("user", {}, ElementType::f32, 50, 4));
  EXPECT_NE(derived_seed(1, "x"), derived_seed(1, "y"));
}

TEST(InputFamily, FamiliesLeaveOtherFillsAlone) {
  const Fill ranged{FillKind::uniform, 2, 3, ""};
  for (const double value : values("scaled_up", ranged, ElementType::f32, 1000)) {
    EXPECT_GE(value, 2);
    EXPECT_LT(value, 3);
  }
  for (const double value : values("special", {}, ElementType::i32, 1000)) {
    EXPECT_GE(value, -100);
    EXPECT_LT(value, 100);
  }
  for (const double value : values("normal", {}, ElementType::u8, 1000)) EXPECT_GE(value, 0);
}

TEST(InputFamily, PermutationIsOne) {
  for (const std::uint64_t count : {1, 2, 7, 64, 1000}) {
    const auto all = values("user", {FillKind::permutation, 0, 0, ""}, ElementType::i32, count);
    const std::set<double> distinct(all.begin(), all.end());
    EXPECT_EQ(distinct.size(), count);
    EXPECT_EQ(*distinct.rbegin(), static_cast<double>(count - 1));
  }
}

TEST(InputFamily, SortedOnesNeverGetSmaller) {
  const auto all = values("user", {FillKind::sorted, 0, 3001, ""}, ElementType::i32, 1000);
  EXPECT_TRUE(std::ranges::is_sorted(all));
  EXPECT_EQ(all.front(), 0);
  EXPECT_EQ(all.back(), 3000);
  std::set<double> steps;
  for (std::size_t i = 1; i < all.size(); ++i) steps.insert(all[i] - all[i - 1]);
  EXPECT_GT(steps.size(), 3u) << "rows of a sparse matrix have different lengths";
  EXPECT_FALSE(family_changes("extreme", {FillKind::sorted, 0, 9, ""}, ElementType::i32));
}

TEST(InputFamily, SpecialHasEveryClassAndMostlyNumbers) {
  const auto all = values("special", {}, ElementType::f32, 200000);
  std::size_t nan = 0, infinite = 0, zero = 0, subnormal = 0;
  for (const double value : all) {
    nan += std::isnan(value);
    infinite += std::isinf(value);
    zero += value == 0;
    subnormal += value != 0 && std::abs(value) < 1e-38;
  }
  EXPECT_GT(nan, 10u);
  EXPECT_GT(infinite, 20u);
  EXPECT_GT(zero, 1000u);
  EXPECT_GT(subnormal, 1000u);
  EXPECT_LT(nan + infinite, 1000u);
}

TEST(InputFamily, RampAndOneHot) {
  const auto ramp = values("ramp", {}, ElementType::f32, 11);
  EXPECT_DOUBLE_EQ(ramp.front(), -0.5);
  EXPECT_DOUBLE_EQ(ramp.back(), 1.5);
  const auto hot = values("one_hot", {}, ElementType::f32, 1009 * 40);
  EXPECT_EQ(std::ranges::count(hot, 0.0), 1008 * 40);
  EXPECT_EQ(std::ranges::count(hot, 1.0) + std::ranges::count(hot, 0x1p-10), 40);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(hot, 1.0)), 20, 2);
  EXPECT_EQ(mean(values("one_hot", {}, ElementType::f32, 160)), 1) << "weights do not hide the rows";
}

TEST(InputFamily, ANudgeMovesEveryValueByOneRounding) {
  auto rule = *input_rule("normal", {}, ElementType::f32, 1000, 3);
  auto nudged = rule;
  nudged.nudge = 0x1p-23;
  int up = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double before = input_value(rule, i), after = input_value(nudged, i);
    EXPECT_NEAR(std::abs(after - before), 0x1p-23 * std::abs(before), 1e-12);
    up += std::abs(after) > std::abs(before);
  }
  EXPECT_GT(up, 400);
  EXPECT_LT(up, 600);
  EXPECT_TRUE(can_be_nudged(rule.shape));
  EXPECT_FALSE(can_be_nudged(InputShape::permutation));
}

TEST(InputFamily, OnlyDataFarFromZeroMeanIsStructured) {
  EXPECT_TRUE(is_structured("large_mean"));
  EXPECT_TRUE(is_structured("one_hot"));
  EXPECT_FALSE(is_structured("user"));
  EXPECT_FALSE(is_structured("scaled_up"));
}

TEST(InputFamily, EveryFamilyIsWhatItsNameSays) {
  const auto f32 = [](const std::string &family) { return values(family, {}, ElementType::f32, 20000); };
  for (const double value : f32("negative")) EXPECT_LT(value, 0);
  for (const double value : f32("zeros")) EXPECT_EQ(value, 0);
  const auto zeros = f32("zeros");
  EXPECT_TRUE(std::ranges::any_of(zeros, [](double value) { return std::signbit(value); }));
  const auto unique = f32("unique");
  EXPECT_EQ(std::set<double>(unique.begin(), unique.end()).size(), unique.size());
  EXPECT_TRUE(std::ranges::is_sorted(f32("sorted"), std::greater{}));
  for (const double value : f32("either_sign")) EXPECT_GE(std::abs(value), 1);
  EXPECT_NEAR(mean(f32("either_sign")), 0, 0.05);
  for (const double value : f32("positive")) EXPECT_GT(value, 0);
  EXPECT_FALSE(is_structured("positive")) << "no order of a sum is unlucky with it";
  const auto heavy = f32("heavy_tail");
  EXPECT_NEAR(
      static_cast<double>(std::ranges::count_if(heavy, [](double value) { return std::abs(value) > 40; })),
      20000.0 / 509, 10);
}

TEST(InputFamily, StretchesHaveScalesOfTheirOwn) {
  const auto scales = values("scales", {}, ElementType::f32, 8 * 512);
  std::set<int> powers;
  for (std::size_t stretch = 0; stretch < 8; ++stretch) {
    double squares = 0;
    for (std::size_t i = 0; i < 512; ++i) squares += std::pow(scales[stretch * 512 + i], 2);
    powers.insert(std::ilogb(std::sqrt(squares / 512)));
  }
  EXPECT_GT(powers.size(), 4u);
  EXPECT_GT(*powers.rbegin() - *powers.begin(), 20);
}

TEST(InputFamily, RowsOfOneConstantManyMagnitudesAndTheEdgesOfTilesAreTried) {
  const auto plateaus = values("plateaus", {}, ElementType::f32, 4096);
  EXPECT_EQ(std::set<double>(plateaus.begin(), plateaus.end()).size(), 8u);
  EXPECT_EQ(std::set<double>(plateaus.begin(), plateaus.begin() + 512).size(), 1u);

  for (const auto type : {ElementType::f16, ElementType::f32}) {
    const double least = type == ElementType::f16 ? 0x1p-5 : 0x1p-38, most = 1 / least;
    const auto magnitudes = values("magnitudes", {}, type, 20000);
    EXPECT_TRUE(std::ranges::any_of(magnitudes, [&](double value) { return std::abs(value) < least; }));
    EXPECT_TRUE(std::ranges::any_of(magnitudes, [&](double value) { return value > most; }));
    EXPECT_TRUE(std::ranges::any_of(magnitudes, [&](double value) { return value < -most; }));
    EXPECT_TRUE(
        std::ranges::all_of(magnitudes, [](double value) { return value != 0 && std::isfinite(value); }));
  }

  const auto edges = values("tile_edges", {}, ElementType::f32, 20000);
  std::size_t outliers = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (std::abs(edges[i]) < 40) continue;
    ++outliers;
    EXPECT_TRUE(i % 32 == 0 || i % 32 == 31) << i;
  }
  EXPECT_NEAR(static_cast<double>(outliers), 20000.0 / 32 * 2 / 16, 30);
}

std::size_t different(std::vector<double> all) {
  std::ranges::sort(all);
  return static_cast<std::size_t>(std::ranges::distance(all.begin(), std::ranges::unique(all).begin()));
}

TEST(InputFamily, WholeBuffersLieFarFromOneOnTheSideOfTheirName) {
  for (const auto type : {ElementType::f16, ElementType::f32, ElementType::f64})
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      const double least = type == ElementType::f16 ? 0x1p4 : type == ElementType::f32 ? 0x1p55 : 0x1p300;
      const double huge = deviation(values("huge", {}, type, 4000, seed));
      const double minute = deviation(values("minute", {}, type, 4000, seed));
      EXPECT_GT(huge, least * 0.9);
      EXPECT_LT(minute, 1.1 / least);
      EXPECT_GT(huge * minute, 0) << "the product of both is a normal number";
      EXPECT_LT(huge * huge, type == ElementType::f16 ? 65504 : type == ElementType::f32 ? 3e38 : 1e308);
    }
  const auto seeds = [](const std::string &family) {
    std::vector<double> all;
    for (std::uint64_t seed = 0; seed < 64; ++seed)
      all.push_back(std::round(std::log2(deviation(values(family, {}, ElementType::f32, 2000, seed)))));
    return different(all);
  };
  EXPECT_GE(seeds("huge"), 3u);
  EXPECT_GE(seeds("minute"), 3u);
}

TEST(InputFamily, LevelsAreWhereExponentialsLeaveTheRange) {
  for (const auto &[type, most] : {std::pair{ElementType::f16, 11.0}, {ElementType::f32, 88.0}})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      int low = 0, high = 0;
      constexpr std::size_t kLength = 512;
      const auto levels = values("levels", {}, type, 8 * kLength - 1, seed);
      for (std::size_t at = 0; at < levels.size(); at += kLength) {
        const std::span stretch(&levels[at], kLength - 1);
        // Its largest number is no cause to subtract it, and others vanish if it is not.
        low += std::ranges::max(stretch) > -most && std::ranges::max(stretch) < 0 &&
               std::ranges::min(stretch) < -most;
        high += std::ranges::max(stretch) > most;
      }
      EXPECT_GE(low, 1);
      EXPECT_GE(high, 1);
    }
}

TEST(InputFamily, OneNumberOverflowsWhenItIsDoubled) {
  for (const auto &[type, most] : {std::pair{ElementType::f16, 65504.0}, {ElementType::f32, 3.4028234e38}})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto extreme = values("topmost", {}, type, 3000, seed);
      EXPECT_EQ(std::ranges::count_if(extreme, [&](double v) { return v > most / 2 && v <= most; }), 1);
    }
}

TEST(InputFamily, ANanStandsRightBehindAnInfinityToo) {
  int low = 0, high = 0;
  const auto special = values("special", {}, ElementType::f32, 200'000);
  for (std::size_t i = 1; i < special.size(); ++i) {
    if (!std::isnan(special[i]) || std::isnan(special[i - 1])) continue;
    EXPECT_TRUE(std::isinf(special[i - 1]));
    ++(special[i - 1] < 0 ? low : high);
  }
  EXPECT_GT(low, 10);
  EXPECT_GT(high, 10);
}

TEST(InputFamily, WholeNumbersAreEqualOften) {
  const auto whole = values("whole", {}, ElementType::f16, 8000);
  for (const double value : whole) EXPECT_EQ(value * 8, std::round(value * 8));
  EXPECT_EQ(different({whole.begin(), whole.begin() + 900}), 5u) << "-2 to 2 in the first stretch";
  EXPECT_GT(different({whole.end() - 900, whole.end()}), 200u);
  EXPECT_TRUE(std::ranges::count(whole, 2.0) > 100);
  EXPECT_TRUE(std::ranges::any_of(whole, [](double value) { return value != std::round(value); }));
}

TEST(InputFamily, MasksHideStretchesAndStripes) {
  for (const auto &[family, infinity] :
       {std::pair("masked_low", -HUGE_VAL), std::pair("masked_high", HUGE_VAL)}) {
    int stretches = 0, stripes = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const auto all = values(family, {}, ElementType::f32, 8192, seed);
      for (std::size_t begin = 0; begin + 1000 <= all.size(); begin += 1025)
        stretches +=
            std::all_of(all.begin() + static_cast<long>(begin), all.begin() + static_cast<long>(begin) + 1000,
                        [&](double value) { return value == infinity; });
      for (std::size_t lane = 0; lane < 32; ++lane) {
        bool stripe = true;
        for (std::size_t i = lane; i < all.size(); i += 32) stripe = stripe && all[i] == infinity;
        stripes += stripe;
      }
      EXPECT_FALSE(
          std::ranges::any_of(all, [&](double value) { return value == -infinity || std::isnan(value); }));
    }
    EXPECT_GE(stretches, 8);
    EXPECT_GE(stripes, 8);
  }
}

TEST(InputFamily, LevelRowsHaveAnErrorInThem) {
  const auto all = values("nearly_level", {}, ElementType::f32, 8000);
  const auto level = static_cast<double>(std::ranges::count(all, all[0] == all[1] ? all[0] : all[2]));
  EXPECT_NEAR(level, 1001 * 60 / 61.0, 20);
  EXPECT_GT(different(all), 80u);
  const auto vector = values("nearly_level", {}, ElementType::f32, 256);
  EXPECT_GT(std::ranges::count(vector, vector[0] == vector[1] ? vector[0] : vector[2]), 230) << "one level";
}

/// How many runs of zeros there are of each width, rounded down to a power of two.
std::map<std::size_t, int> zero_widths(const std::vector<double> &all) {
  std::map<std::size_t, int> widths;
  for (std::size_t i = 0, run = 0; i <= all.size(); ++i) {
    if (i < all.size() && all[i] == 0)
      ++run;
    else if (run > 0)
      ++widths[std::bit_floor(std::exchange(run, 0))];
  }
  return widths;
}

TEST(InputFamily, ZerosStandInRunsOfManyWidthsAndAtEveryOtherPlace) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const auto all = values("sparse", {}, ElementType::f32, 16384, seed);
    const auto widths = zero_widths(all);
    for (const std::size_t width : {1, 4, 16, 64, 128}) EXPECT_TRUE(widths.contains(width)) << width;
    int odd = 0, even = 0;
    for (std::size_t begin = 0; begin < all.size(); begin += 8) {
      const auto zero = [&](std::size_t i) { return all[begin + i] == 0; };
      even += zero(0) && zero(2) && zero(4) && zero(6) && !zero(1) && !zero(3) && !zero(5) && !zero(7);
      odd += zero(1) && zero(3) && zero(5) && zero(7) && !zero(0) && !zero(2) && !zero(4) && !zero(6);
    }
    EXPECT_GE(even, 3);
    EXPECT_GE(odd, 3);
    EXPECT_GE(std::ranges::count(all, HUGE_VAL), 2);
    EXPECT_GE(std::ranges::count(values("sparse", {}, ElementType::f32, 256, seed), HUGE_VAL), 2);
  }
}

std::vector<double> patched(std::uint64_t turn, std::uint64_t count, std::uint64_t row, std::uint64_t seed) {
  InputRule rule = *input_rule(in_turn(turn), {}, ElementType::f32, count, seed, "x");
  rule.patchwork.row = row;
  std::vector<double> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(input_value(rule, i));
  return all;
}

TEST(Patchwork, RowsHaveEveryStructure) {
  constexpr std::uint64_t kRow = 160;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto all = patched(1, 64 * kRow, kRow, seed);
    int level = 0, rising = 0, reordered = 0, repeated = 0, one_only = 0, whole = 0;
    for (std::size_t begin = 0; begin < all.size(); begin += kRow) {
      const std::vector<double> row(all.begin() + static_cast<long>(begin),
                                    all.begin() + static_cast<long>(begin + kRow));
      const bool same = std::ranges::all_of(row, [&](double value) { return value == row[0]; });
      level += same;
      rising += !same && std::is_sorted(row.begin(), row.begin() + 12);
      one_only += std::ranges::count(row, 0.0) == static_cast<long>(kRow) - 1;
      whole += std::ranges::all_of(row, [](double value) { return value == std::floor(value); }) && !same;
      if (begin == 0 || same) continue;
      std::vector<double> before(all.begin() + static_cast<long>(begin - kRow),
                                 all.begin() + static_cast<long>(begin)),
          sorted = row;
      repeated += before == row;
      const bool moved = before != row;
      std::ranges::sort(before), std::ranges::sort(sorted);
      reordered += moved && before == sorted;
    }
    EXPECT_GE(level, 1);
    EXPECT_GE(rising, 2);
    EXPECT_GE(reordered, 2);
    EXPECT_GE(repeated, 1);
    EXPECT_GE(one_only, 1);
    EXPECT_GE(whole, 5);
    EXPECT_TRUE(std::ranges::any_of(
        all, [](double value) { return value == std::floor(value) && value > 5000 && value < 1e6; }));
  }
}

TEST(Patchwork, AShortBufferTakesFormsInTurn) {
  int level = 0, large = 0, one_only = 0;
  for (std::uint64_t turn = 0; turn < 9; ++turn) {
    const auto all = patched(turn, 160, 0, turn);
    const bool same = std::ranges::all_of(all, [&](double value) { return value == all[0]; });
    level += same, large += same && std::abs(all[0]) > 1000;
    one_only += std::ranges::count(all, 0.0) == 159;
  }
  EXPECT_GE(level, 3);
  EXPECT_GE(large, 2);
  EXPECT_GE(one_only, 3);
}

TEST(Patchwork, ScalesAreAroundOneLargeOrSmall) {
  const auto typical = [](std::uint64_t turn) {
    auto sizes = patched(turn, 20000, 100, 5);
    for (double &size : sizes) size = std::abs(size);
    std::erase(sizes, 0);
    std::ranges::sort(sizes);
    return sizes[sizes.size() / 2];
  };
  EXPECT_GT(typical(0), 0x1p-4);
  EXPECT_LT(typical(0), 0x1p10);
  EXPECT_GT(typical(1), 0x1p10);
  EXPECT_LT(typical(2), 0x1p-4);
  for (std::uint64_t turn = 0; turn < 3; ++turn)
    for (const double value : values(in_turn(turn), {}, ElementType::f16, 20000))
      EXPECT_LT(std::abs(value), 4096);
}

TEST(Patchwork, AUniformFillKeepsItsRangeAndHasItsEnds) {
  const Fill range{FillKind::uniform, 0.5, 0.97, ""};
  bool low = false, high = false;
  for (std::uint64_t turn = 0; turn < 12; ++turn)
    for (const std::uint64_t count : {64, 4000})
      for (const double value : values(in_turn(turn), range, ElementType::f32, count, turn)) {
        ASSERT_GE(value, 0.5);
        ASSERT_LT(value, 0.97);
        low = low || value == 0.5, high = high || value > 0.97 - 1e-6;
      }
  EXPECT_TRUE(low && high);
  EXPECT_FALSE(family_changes("plateaus", range, ElementType::f32));
  EXPECT_TRUE(family_changes("patchwork:4", range, ElementType::f32));
}

TEST(Patchwork, IntegersComeInTurn) {
  const Fill keys{FillKind::randint, 3, 67, ""};
  const auto turn = values("patchwork", keys, ElementType::i32, 1000);
  for (std::size_t i = 0; i < 125; ++i) EXPECT_EQ(turn[i], static_cast<double>(3 + i % 64));
  EXPECT_NE(turn.back(), static_cast<double>(3 + 999 % 64)) << "the end is another";
  EXPECT_EQ(values(in_turn(2), keys, ElementType::i32, 1000)[0], 66) << "and downwards";
  std::set<std::vector<double>> different;
  for (std::size_t i = 0; i < 16; ++i) different.insert(values(in_turn(i), keys, ElementType::i32, 1000, 9));
  EXPECT_EQ(different.size(), 9u) << "eight forms of a whole buffer, and patches";
}

TEST(InputFamily, SomeNansAreSignallingInEveryType) {
  int quiet = 0, signalling = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const double value : values("nans", {}, ElementType::f32, 64, seed)) {
      if (value == value) continue;
      const bool signals = !(float_bits(float_of(value)) & 0x400000u);
      EXPECT_NE(float_of(value), float_of(value));
      EXPECT_TRUE(std::isnan(float_from_f16(f16_of(value))) && std::isnan(float_from_bf16(bf16_of(value))));
      EXPECT_EQ(!(f16_of(value) & 0x200u), signals);
      EXPECT_EQ(!(bf16_of(value) & 0x40u), signals);
      (signals ? signalling : quiet) += 1;
    }
  EXPECT_GT(quiet, 10);
  EXPECT_GT(signalling, 10);
}

TEST(InputFamily, BuffersMayBeNearToEachOther) {
  auto one = *input_rule("alike", {}, ElementType::f32, 1000, 1),
       other = *input_rule("alike", {}, ElementType::f32, 1000, 2);
  one.common_seed = other.common_seed = 3;
  int same = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double a = input_value(one, i), b = input_value(other, i);
    EXPECT_NEAR(a, b, std::abs(a) / 16);
    same += a == b;
  }
  EXPECT_LT(same, 5);
}

TEST(InputFamily, SpecialsStandAtBothEnds) {
  for (const std::uint64_t elements : {2, 37, 12001}) {
    const auto nans = values("nans", {}, ElementType::f32, elements);
    const auto infinities = values("infinities", {}, ElementType::f32, elements);
    EXPECT_TRUE(std::isnan(nans.front()) && std::isnan(nans.back())) << elements;
    EXPECT_TRUE(std::isinf(infinities.front()) && std::isinf(infinities.back())) << elements;
  }
}

TEST(InputFamily, SpecialClassesComeAloneToo) {
  const auto count = [](const std::string &family, std::uint64_t elements, auto is) {
    const auto all = values(family, {}, ElementType::f32, elements);
    return std::ranges::count_if(all, is);
  };
  const auto infinite = [](double value) { return std::isinf(value); };
  const auto nan = [](double value) { return std::isnan(value); };
  for (const std::uint64_t elements : {1, 2, 3, 129, 100000}) {
    EXPECT_GE(count("infinities", elements, infinite), 1) << elements;
    EXPECT_EQ(count("infinities", elements, nan), 0);
    EXPECT_GE(count("nans", elements, nan), 1) << elements;
    EXPECT_EQ(count("nans", elements, infinite), 0);
    const auto extreme = count("extreme", elements, [](double value) { return value > 1e36; });
    EXPECT_GE(extreme, 1) << elements;
    EXPECT_LE(extreme, 2) << elements;
  }
}

TEST(InputFamily, SaysWhetherItHoldsNanOrInfinities) {
  for (const std::string &family : input_families())
    for (const auto type : {ElementType::f16, ElementType::bf16, ElementType::f32, ElementType::f64}) {
      const auto all = values(family, {}, type, 20000);
      const bool finite = std::ranges::all_of(all, [](double value) { return std::isfinite(value); });
      EXPECT_EQ(finite, !has_non_finite(family)) << family;
    }
}

TEST(InputFamily, ExtremesAreOfTheType) {
  for (const double value : values("subnormal", {}, ElementType::f32, 1000))
    EXPECT_LT(std::abs(value), 0x1p-123);
  for (const double value : values("subnormal", {}, ElementType::f16, 1000))
    EXPECT_LT(std::abs(value), 0x1p-11);
  const auto around = values("subnormal", {}, ElementType::f32, 9000);
  const auto below = std::ranges::count_if(around, [](double value) { return std::abs(value) < 0x1p-126; });
  EXPECT_NEAR(static_cast<double>(below), 9000 * 0.68, 200) << "on both sides of the smallest normal number";
  const auto half = values("extreme", {}, ElementType::f16, 1000);
  EXPECT_EQ(std::ranges::max(half), 384);
  EXPECT_TRUE(
      std::isfinite(static_cast<float>(std::ranges::max(values("extreme", {}, ElementType::f32, 9)))));
}

TEST(InputFamily, IntegersStayInTheirRange) {
  const Fill indices{FillKind::randint, 3, 50, ""};
  for (const char *family : {"sorted", "extreme", "constant", "user", "special", "patchwork", "patchwork:5"})
    for (const double value : values(family, indices, ElementType::i32, 1000)) {
      EXPECT_GE(value, 3) << family;
      EXPECT_LT(value, 50) << family;
    }
  const auto sorted = values("sorted", indices, ElementType::i32, 1000);
  EXPECT_TRUE(std::ranges::is_sorted(sorted));
  EXPECT_EQ(sorted.back(), 49);
  const auto ends = values("extreme", indices, ElementType::i32, 1000);
  EXPECT_EQ((std::set<double>(ends.begin(), ends.end())), (std::set<double>{3, 49}));
  const auto constant = values("constant", indices, ElementType::i32, 1000);
  EXPECT_EQ(std::set<double>(constant.begin(), constant.end()).size(), 1u);
  EXPECT_TRUE(family_changes("sorted", indices, ElementType::i32));
  EXPECT_FALSE(family_changes("sorted", {FillKind::permutation, 0, 0, ""}, ElementType::i32));
  EXPECT_FALSE(family_changes("constant", {}, ElementType::f32));
}

std::vector<std::size_t> changed(const std::vector<double> &a, const std::vector<double> &b) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) places.push_back(i);
  return places;
}
std::vector<double> probed(const std::string &family, Fill fill, ElementType type, std::uint64_t count,
                           const std::string &parameter = "x") {
  const auto rule = input_rule(family, fill, type, count, 7, parameter);
  EXPECT_TRUE(rule) << family;
  std::vector<double> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(input_value(*rule, i));
  return all;
}

TEST(InputProbe, ChangesOneRegionOfOneBuffer) {
  const auto base = values("normal", {}, ElementType::f32, 6400, 7);
  EXPECT_EQ(probed("impulse/x/63", {}, ElementType::f32, 6400)[6399], 4096);
  EXPECT_EQ(changed(base, probed("impulse/x/0", {}, ElementType::f32, 6400)), std::vector<std::size_t>{0});
  EXPECT_EQ(changed(base, probed("impulse/x/0", {}, ElementType::f32, 6400, "w")).size(), 0u);
  const auto impulse = changed(base, probed("impulse/x/5", {}, ElementType::f32, 6400));
  ASSERT_EQ(impulse.size(), 1u);
  EXPECT_EQ(impulse[0] / 100, 5u);
  const auto block = changed(base, probed("block/x/5", {}, ElementType::f32, 6400));
  EXPECT_EQ(block.size(), 100u);
  EXPECT_EQ(block.front(), 500u);
}

TEST(InputProbe, RedrawsWhatMustKeepItsRange) {
  const Fill indices{FillKind::randint, 0, 1000000, ""};
  const auto base = values("normal", indices, ElementType::i32, 640, 7);
  const auto drawn = probed("redraw/x/2", indices, ElementType::i32, 640);
  EXPECT_EQ(changed(base, drawn).size(), 10u);
  for (const double value : drawn) EXPECT_LT(value, 1000000);
  EXPECT_EQ(probe_kinds(indices, ElementType::i32), std::vector<ProbeKind>{ProbeKind::redraw});
  EXPECT_TRUE(probe_kinds({FillKind::iota, 0, 0, ""}, ElementType::f32).empty());
}

TEST(InputProbe, RegionsCoverTheBufferWhateverItsLength) {
  for (const std::uint64_t count : {1, 2, 63, 64, 65, 1000, 123457}) {
    std::uint64_t end = 0;
    for (int region = 0; region < kProbeRegions; ++region) {
      const RegionRange range = region_range(count, region);
      if (count >= 64) {
        EXPECT_EQ(range.begin, end);
        EXPECT_LT(range.begin, range.end);
      }
      if (range.begin != range.end) end = range.end;
    }
    EXPECT_EQ(end, count);
    EXPECT_EQ(region_range(count, 0).begin, 0u);
    EXPECT_LT(region_range(count, 0).begin, region_range(count, 0).end);
  }
}

TEST(InputProbe, NamesAreReadStrictly) {
  const auto probe = probe_of("block/weights/7");
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->parameter, "weights");
  EXPECT_EQ(probe->region, 7);
  EXPECT_EQ(to_family(*probe), "block/weights/7");
  for (const char *other :
       {"normal", "impulse/x", "impulse/x/64", "impulse/x/-1", "impulse/x/1a", "push/x/1", "//"})
    EXPECT_FALSE(probe_of(other)) << other;
  EXPECT_TRUE(is_structured("impulse/x/3"));
  EXPECT_EQ(describe_region({ProbeKind::impulse, "x", 63}), "the last 1/64 of 'x'");
}

TEST(InputFamily, UnknownFamilyAndFilesAreErrors) {
  EXPECT_FALSE(input_rule("weird", {}, ElementType::f32, 1, 1));
  const auto file = input_rule("user", {FillKind::file, 0, 0, "x.npy"}, ElementType::f32, 1, 1);
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.find("x.npy"), std::string::npos);
}

TEST(PromotedInputs, HoldTheValuesOfTheNarrowType) {
  InputRule rule = *input_rule("normal", {}, ElementType::f32, 1000, 7);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    InputRule wide = rule;
    promote_rule(wide, ElementType::f32, PrecisionKind::same);
    const auto narrow = static_cast<float>(input_value(rule, i));
    EXPECT_EQ(input_value(wide, i), static_cast<double>(narrow));
    promote_rule(wide, ElementType::f16, PrecisionKind::same);
    EXPECT_EQ(input_value(wide, i), static_cast<double>(float_from_f16(f16_from_float(narrow))));
    promote_rule(wide, ElementType::f32, PrecisionKind::tf32);
    EXPECT_EQ(float_bits(static_cast<float>(input_value(wide, i))) & 0x1fffu, 0u);
    EXPECT_NEAR(input_value(wide, i), static_cast<double>(narrow),
                0x1p-11 * std::abs(static_cast<double>(narrow)));
  }
}

TEST(PromotedInputs, IntegersAreNotRounded) {
  InputRule rule = *input_rule("user", {}, ElementType::i32, 10, 7);
  promote_rule(rule, ElementType::i32, PrecisionKind::bf16);
  EXPECT_EQ(rule.rounding, InputRounding::none);
  EXPECT_EQ(rule.operands, InputRounding::none);
}

}  // namespace
}  // namespace cupilot
