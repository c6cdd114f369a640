// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/drawn_cases.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "case_lists.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/judge/cases/drawn_sizes.h"
#include "evolution/judge/cases/explored_cases.h"
#include "evolution/judge/cases/made_cases.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::cases;
using namespace model;
using namespace spec;
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> drawn_ids(const KernelSpec &spec, const Draw &draw,
                                   CaseReader reader = CaseReader::search) {
  std::vector<std::string> all;
  const auto made = make_cases(spec, draw, CaseCap::none, reader).value();
  for (const auto &one : made)
    if (one.once && !one.id.contains("scalars-")) all.push_back(one.id);
  return all;
}

TEST(MadeCases, GiveEachSizeAndScalarTheConstant) {
  const auto spec = fake::scale_spec();
  const auto cases = make_cases(spec, {1}).value();
  const auto made = made_cases(spec, cases, {{77}, {-3.25}});
  EXPECT_THAT(ids(made),
              IsSupersetOf({"big/rows=77", "big/cols=77", "big/rows=78", "big/cols=76", "big/a=-3.25"}));
  EXPECT_EQ(integer_of(by_id(made, "big/cols=77"), "cols"), 77);
  EXPECT_EQ(std::get<double>(by_id(made, "big/a=-3.25").scalars.at("a")), -3.25);
  for (const auto &one : made) {
    EXPECT_FALSE(one.timed) << one.id;
    EXPECT_THAT(ids(cases), Not(Contains(one.id)));
  }
}

TEST(MadeCases, ChangeOtherScalarsToo) {
  const auto spec = fake::scale_spec();
  const auto made = made_cases(spec, make_cases(spec, {1}).value(), {{77}, {}});
  EXPECT_NE(std::get<double>(by_id(made, "big/cols=77").scalars.at("a")), 0.5);
}

TEST(MadeCases, StayInTheDomainAndSmall) {
  auto spec = fake::scale_spec();
  spec.assumptions = {{"cols % 8 == 0", {}}};
  const auto made = made_cases(spec, make_cases(spec, {1}).value(), {{77, 1 << 20}, {}});
  EXPECT_THAT(ids(made), Contains("big/rows=77"));
  EXPECT_THAT(ids(made), Not(Contains("big/cols=77")));
  EXPECT_THAT(ids(made), Not(Contains(HasSubstr("1048576"))));
}

TEST(MadeCases, AnAlignedStepBesideAConstantIsTried) {
  auto spec = fake::scale_spec();
  spec.assumptions = {{"cols % 4 == 0", {}}};
  const auto made = made_cases(spec, make_cases(spec, {1}).value(), {{512, 16}, {}});
  EXPECT_THAT(ids(made), IsSupersetOf({"big/cols=480", "big/cols=544", "big/cols=12", "big/cols=20"}));
}

TEST(MadeCases, ALargeSizeStandsAlone) {
  const auto spec = fake::scale_spec();
  const auto made = made_cases(spec, make_cases(spec, {1}).value(), {{3000, 300000}, {}});
  EXPECT_EQ(integer_of(by_id(made, "big/cols=3000"), "rows"), 5) << "few others";
  EXPECT_EQ(integer_of(by_id(made, "big/cols=300000"), "rows"), 1);
}

TEST(ExploredCases, AreLegalSmallAndDifferent) {
  auto spec = fake::scale_spec();
  spec.assumptions = {{"cols % 8 == 0", {}}};
  const auto explored = explored_cases(spec, {77, 40}, 1);
  EXPECT_GT(explored.size(), 100U);
  std::set<std::string> seen;
  for (const auto &[call, which] : explored) {
    EXPECT_TRUE(seen.insert(which.id).second) << which.id;
    EXPECT_EQ(integer_of(which, "cols") % 8, 0) << which.id;
    EXPECT_LE(integer_of(which, "rows"), 64) << which.id;
    EXPECT_TRUE(fits_a_made_case(which)) << which.id;
    EXPECT_NE(std::get<double>(which.scalars.at("a")), 0.5) << "a workload's own hides what is wrong";
  }
  EXPECT_EQ(ids({explored_case(spec, explored.front().call).value()}), ids({explored.front().which}));
}

TEST(ExploredCases, PutNumbersTogether) {
  const auto explored = explored_cases(fake::scale_spec(), {11, 400}, 1);
  const auto any = [&](const auto &is) {
    return std::ranges::any_of(explored, [&](const auto &one) {
      return is(integer_of(one.which, "rows"), integer_of(one.which, "cols"));
    });
  };
  EXPECT_TRUE(any([](auto rows, auto cols) { return rows % 11 == 0 && cols % 11 == 0; })) << "both multiples";
  EXPECT_TRUE(any([](auto rows, auto cols) { return rows == 11 && cols == 400; }));
  EXPECT_TRUE(any([](auto, auto cols) { return cols == 811; })) << "twice 400, and 11";
}

TEST(Cases, SizesAreDrawnFromTheSecret) {
  const auto spec = fake::scale_spec();
  const auto first = drawn_ids(spec, {1, 7});
  EXPECT_EQ(first.size(), kDrawnSizes);
  EXPECT_EQ(drawn_ids(spec, {1, 7}), first) << "a record's seeds repeat its sizes";
  EXPECT_THAT(drawn_ids(spec, {1, 8}), Not(testing::ElementsAreArray(first)));
  EXPECT_THAT(drawn_ids(spec, {2, 7}), Not(testing::ElementsAreArray(first)));
  const auto last = drawn_ids(spec, {1, 7}, CaseReader::finalist);
  EXPECT_EQ(last.size(), 2 * kDrawnSizes);
  EXPECT_THAT(last, IsSupersetOf(first));
}

TEST(Cases, DrawnSizesLieBelowTheWorkloadAndRunOnce) {
  const auto cases = make_cases(fake::scale_spec(), {1, 7}).value();
  for (const auto &one : cases) {
    if (!one.once || one.id.contains("scalars-")) continue;
    const auto rows = integer_of(one, "rows"), cols = integer_of(one, "cols");
    EXPECT_THAT(one.id,
                HasSubstr("big/rows=" + std::to_string(rows) + ",cols=" + std::to_string(cols) + ",a="));
    EXPECT_TRUE(rows >= 1 && rows <= 64 && cols >= 1 && cols <= 1000) << one.id;
    EXPECT_EQ(one.buffers[1].elements, static_cast<std::uint64_t>(rows * cols));
    EXPECT_THAT(one.families, ElementsAre("user"));
    EXPECT_FALSE(one.timed);
  }
}

TEST(Cases, DrawnSizesKeepAssumptionsAndAreNamedByTheirValues) {
  auto spec = fake::scale_spec();
  spec.assumptions = {{"cols % 8 == 0", {}}};
  std::size_t drawn = 0;
  const auto made = make_cases(spec, {1, 7}).value();
  for (const auto &one : made) {
    if (!one.once || one.id.contains("scalars-")) continue;
    ++drawn;
    const auto cols = integer_of(one, "cols");
    EXPECT_EQ(cols % 8, 0);
    EXPECT_THAT(one.id, HasSubstr("cols=" + std::to_string(cols)));
  }
  EXPECT_GT(drawn, kDrawnSizes / 2);
}

TEST(Cases, LargeWorkloadsHaveFewDrawnSizes) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set[0].expression = "16384";
  EXPECT_EQ(drawn_ids(spec, {1, 7}).size(), kLeastDrawnSizes);
}

/// The share of judgings in which at least one of `count` drawn sizes is spoilt.
template <class Spoilt>
double caught(const std::vector<ShapeName> &names, std::size_t count, const Spoilt &spoilt) {
  constexpr int kJudgings = 1000;
  int found = 0;
  for (std::uint64_t seed = 0; seed < kJudgings; ++seed) {
    bool any = false;
    for (std::size_t index = 0; index < count; ++index)
      any = any || spoilt(drawn_size(names, seed, index, 0).values);
    found += any ? 1 : 0;
  }
  return static_cast<double>(found) / kJudgings;
}

// docs/judge.md promises at least 1 - (1 - p)^(half of the draws) for a fault in a p-th of the sizes.
TEST(DrawnSizes, FindFaultsAsOftenAsDocumented) {
  const std::vector<ShapeName> names{{"rows", 4096, true}, {"cols", 1000, false}};
  using Values = std::map<std::string, std::int64_t>;
  const auto band = [](const Values &v) { return v.at("cols") > 500 && v.at("cols") <= 625; };
  const auto quadrant = [](const Values &v) { return v.at("rows") > 2048 && v.at("cols") <= 500; };
  const auto residue = [](const Values &v) { return v.at("cols") % 16 == 5; };
  constexpr double kNoise = 0.03;
  EXPECT_GT(caught(names, kDrawnSizes, band), 1 - std::pow(1 - 1.0 / 8, 8) - kNoise);
  EXPECT_GT(caught(names, kDrawnSizes, quadrant), 1 - std::pow(1 - 1.0 / 4, 8) - kNoise);
  EXPECT_GT(caught(names, kDrawnSizes, residue), 1 - std::pow(1 - 1.0 / 16, 8) - kNoise);
  const auto small = [](const Values &v) { return v.at("rows") <= 64 && v.at("rows") > 8; };
  EXPECT_GT(caught(names, kDrawnSizes, small), 0.6)
      << "a seventieth of the sizes, a quarter of the magnitudes";
  const auto own = [](const Values &v) { return v.at("cols") == 1000 && v.at("rows") < 4096; };
  EXPECT_GT(caught(names, kDrawnSizes, own), 0.6) << "one side is the workload's own";
}

TEST(DrawnSizes, ScalarsHaveBothSignsAndAllMagnitudes) {
  const std::map<std::string, double> own{{"alpha", 0.5}, {"beta", 0}};
  int all_wide = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::set<int> bands;
    int infinite = 0, wide = 0;
    for (std::size_t index = 0; index < 16; ++index) {
      const auto drawn = drawn_scalars(own, seed, index, 0);
      const double alpha = drawn.at("alpha"), beta = drawn.at("beta");
      infinite += std::isinf(static_cast<float>(alpha)) || std::isinf(static_cast<float>(beta));
      if (std::abs(alpha) > 1e10) continue;
      EXPECT_TRUE(std::abs(alpha) >= 0x1p-31 && std::abs(alpha) <= 0x1p29);
      wide += std::abs(alpha) < 0x1p-11 || std::abs(alpha) > 0x1p9;
      if (std::abs(alpha) < 0x1p-11 || std::abs(alpha) > 0x1p9) continue;
      bands.insert((alpha < 0 ? -1 : 1) * (1 + static_cast<int>(std::log2(std::abs(alpha) * 2048) / 5)));
    }
    EXPECT_EQ(infinite, 1);
    EXPECT_LE(wide, 2);
    all_wide += wide;
    EXPECT_GE(bands.size(), 6u) << "four magnitudes, both signs; one may have been infinite, one wide";
  }
  EXPECT_GT(all_wide, 20);
}

TEST(DrawnSizes, SomeScalarsAreNearTheWorkloadsOwn) {
  const std::map<std::string, double> own{{"alpha", 1}, {"beta", 0}};
  int near = 0, nearer = 0, near_zero = 0;
  constexpr int kSeeds = 100;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    for (std::size_t index = 0; index < 16; ++index) {
      const auto drawn = drawn_scalars(own, seed, index, 0);
      const double off = std::abs(drawn.at("alpha") - 1);
      EXPECT_NE(off, 0);
      near += off <= 0.5 && off > 1e-3, nearer += off <= 1e-3;
      near_zero += std::abs(drawn.at("beta")) <= 1e-3;
    }
  EXPECT_GE(near, kSeeds);
  EXPECT_NEAR(nearer, kSeeds, kSeeds / 5) << "once in 16";
  EXPECT_GE(near_zero, kSeeds);
}

TEST(DrawnSizes, ScalarsThatAreForbiddenBecomePositiveAndThenTheWorkloads) {
  const std::map<std::string, double> own{{"alpha", 0.5}, {"beta", 2}};
  for (std::size_t index = 0; index < 16; ++index) {
    for (const auto &[name, value] : drawn_scalars(own, 1, index, 2)) EXPECT_GT(value, 0) << name;
    EXPECT_TRUE(drawn_scalars(own, 1, index, 4).empty());
  }
}

TEST(DrawnSizes, StayInTheirRange) {
  const std::vector<ShapeName> names{{"one", 1, true}, {"none", 0, false}, {"n", 3, false}};
  std::set<std::int64_t> seen;
  for (std::size_t index = 0; index < 64; ++index) {
    const auto values = drawn_size(names, 3, index, 0).values;
    EXPECT_EQ(values.at("one"), 1);
    EXPECT_FALSE(values.contains("none"));
    seen.insert(values.at("n"));
  }
  EXPECT_THAT(seen, ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace cupilot
