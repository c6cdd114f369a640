// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/cases.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "evolution/judge/cases/drawn_sizes.h"
#include "evolution/judge/cases/equal_inputs.h"
#include "evolution/judge/cases/explored_cases.h"
#include "evolution/judge/cases/made_cases.h"
#include "evolution/judge/cases/neighbours.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::cases;
using namespace model;
using namespace spec;
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> ids(const std::vector<Case> &cases) {
  std::vector<std::string> all;
  for (const auto &one : cases) all.push_back(one.id);
  return all;
}
const Case &by_id(const std::vector<Case> &cases, std::string_view id) {
  return *std::ranges::find(cases, id, &Case::id);
}
std::int64_t integer_of(const Case &one, const std::string &name) {
  return std::get<std::int64_t>(one.scalars.at(name));
}
std::string error_of(const KernelSpec &spec) {
  const auto cases = make_cases(spec, {1});
  return cases ? "no error" : cases.error().message;
}

TEST(Cases, EvaluatesTheWorkload) {
  const auto cases = make_cases(fake::scale_spec(), {1});
  ASSERT_TRUE(cases) << cases.error().message;
  const auto &big = cases->at(0);
  EXPECT_EQ(big.id, "big");
  EXPECT_TRUE(big.timed);
  EXPECT_EQ(integer_of(big, "rows"), 64);
  EXPECT_EQ(std::get<double>(big.scalars.at("a")), 0.5);
  ASSERT_EQ(big.buffers.size(), 2u);
  EXPECT_EQ(big.buffers[0].elements, 64000u);
  EXPECT_THAT(big.grid, ElementsAre(250, 1, 1));
  EXPECT_THAT(big.block, ElementsAre(256, 1, 1));
}

TEST(Cases, KeepTheKernelsAssumptions) {
  auto spec = fake::scale_spec();
  spec.assumptions = {{"cols % 8 == 0 && a > 0", {}}, {"rows >= 16", {}}};
  const auto cases = make_cases(spec, {1});
  ASSERT_TRUE(cases) << cases.error().message;
  EXPECT_GT(cases->size(), 3u) << "there are neighbours all the same";
  std::set<std::int64_t> cols;
  for (const auto &one : *cases) {
    EXPECT_EQ(integer_of(one, "cols") % 8, 0) << one.id;
    EXPECT_GE(integer_of(one, "rows"), 16) << one.id;
    cols.insert(integer_of(one, "cols"));
  }
  EXPECT_GT(*cols.rbegin(), 1000);
  EXPECT_LT(*cols.begin(), 1000);
  spec.assumptions = {{"cols % 7 == 0", {}}};
  EXPECT_THAT(error_of(spec), HasSubstr("breaks the assumption 'cols % 7 == 0'"));
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

TEST(Cases, HoldOutsAreForFinalists) {
  auto spec = fake::scale_spec();
  spec.workloads.push_back(spec.workloads[0]);
  spec.workloads[0].holdout = true;
  spec.workloads[1].id = "seen";
  spec.workloads[1].weight = 2.5;
  spec.workloads[1].set[0].expression = "32";
  const auto seen = make_cases(spec, {1}).value();
  for (const auto &one : seen) EXPECT_EQ(one.workload, "seen");
  const auto all = make_cases(spec, {1}, CaseCap::none, CaseReader::finalist).value();
  EXPECT_TRUE(by_id(all, "big").holdout);
  EXPECT_FALSE(by_id(all, "seen").holdout);
  EXPECT_EQ(by_id(all, "seen").weight, 2.5);
}

TEST(Cases, NeighboursReevaluateExtentsAndLaunch) {
  const auto cases = make_cases(fake::scale_spec(), {1}).value();
  EXPECT_THAT(ids(cases), IsSupersetOf({"big/rows-1", "big/rows+1", "big/cols-1", "big/cols+1", "big/small-1",
                                        "big/small-2", "big/small-3", "big/prime"}));
  const auto &more = by_id(cases, "big/cols+1");
  EXPECT_EQ(more.buffers[1].elements, 64u * 1001);
  EXPECT_EQ(more.grid[0], (64u * 1001 + 255) / 256);
  EXPECT_FALSE(more.timed);
  EXPECT_EQ(more.workload, "big");
  const auto &small = by_id(cases, "big/small-2");
  EXPECT_NE(integer_of(small, "rows"), integer_of(small, "cols"));
}

TEST(Cases, AreBoundedAndDifferentFromEachOther) {
  auto spec = fake::scale_spec();
  for (int i = 0; i < 5; ++i) {
    spec.workloads.push_back(spec.workloads[0]);
    spec.workloads.back().id = "more" + std::to_string(i);
    spec.workloads.back().set[0].expression = std::to_string(100 + i);
  }
  const auto cases = make_cases(spec, {1}).value();
  const auto of_scalars = [](const Case &one) { return one.id.contains("scalars-"); };
  const auto drawn =
      std::ranges::count_if(cases, [&](const Case &one) { return one.once && !of_scalars(one); });
  const auto special = special_shapes_of(spec, spec.workloads[0], 1).size();
  EXPECT_LE(cases.size(), 6 + kMaxNeighbours + kScalarNeighbours + special + static_cast<std::size_t>(drawn));
  EXPECT_EQ(drawn, 6 * kLeastDrawnSizes);
  std::set<std::tuple<std::int64_t, std::int64_t, double>> values;
  for (const auto &one : cases)
    if (!one.id.ends_with("=nan"))
      values.insert(
          {integer_of(one, "rows"), integer_of(one, "cols"), std::get<double>(one.scalars.at("a"))});
  EXPECT_EQ(values.size() + 1, cases.size());
}

TEST(Cases, DerivedValuesFollowTheirParts) {
  auto spec = fake::scale_spec();
  spec.parameters.push_back(fake::integer("n"));
  spec.workloads[0].set.push_back({"n", "rows*cols"});
  const auto cases = make_cases(spec, {1}).value();
  for (const auto &one : cases)
    EXPECT_EQ(integer_of(one, "n"), integer_of(one, "rows") * integer_of(one, "cols")) << one.id;
}

TEST(Cases, NeighboursThatCannotBeLaunchedAreLeftOut) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set[0].expression = "1";  // rows-1 is a launch of no blocks
  spec.workloads[0].set[1].expression = "1024";
  spec.workloads[0].launch.block[0] = "cols";  // cols+1 is too large a block
  const auto all = ids(make_cases(spec, {1}).value());
  EXPECT_THAT(all, Not(Contains("big/rows-1")));
  EXPECT_THAT(all, Not(Contains("big/cols+1")));
  EXPECT_THAT(all, Contains("big/cols-1"));
}

TEST(Cases, ABlockSizeOfTheLaunchAloneIsNotVaried) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set.push_back({"threads", "128"});
  spec.workloads[0].launch.block[0] = "threads";
  const auto cases = make_cases(spec, {1}).value();
  for (const auto &one : cases) EXPECT_EQ(one.block[0], 128u) << one.id;
}

TEST(Cases, PrimesDifferBetweenAxesAndWithTheSeed) {
  const auto spec = fake::scale_spec();
  const auto first = make_cases(spec, {1}).value(), again = make_cases(spec, {1}).value();
  const auto other = make_cases(spec, {2}).value();
  const auto &prime = by_id(first, "big/prime");
  EXPECT_NE(integer_of(prime, "rows"), integer_of(prime, "cols"));
  EXPECT_EQ(integer_of(by_id(again, "big/prime"), "cols"), integer_of(prime, "cols"));
  EXPECT_NE(integer_of(by_id(other, "big/prime"), "cols"), integer_of(prime, "cols"));
}

TEST(Cases, BooleansAreToggledOnly) {
  auto spec = fake::scale_spec();
  spec.parameters.push_back(fake::integer("flag", ElementType::boolean, "bool"));
  spec.workloads[0].set.push_back({"flag", "1"});
  std::vector<std::string> suffixes;
  for (const auto &neighbour :
       neighbours_of(spec, spec.workloads[0], Steps::single, Scalars::other_values, 1))
    suffixes.push_back(neighbour.suffix);
  EXPECT_THAT(suffixes, Contains("flag-1"));
  EXPECT_THAT(suffixes, Not(Contains("flag+1")));
}

TEST(Cases, PromisedDataGetNoFamilyThatBreaksThePromise) {
  auto spec = fake::scale_spec();
  EXPECT_THAT(make_cases(spec, {1}).value()[0].families, Contains("infinities"));
  spec.assumptions = {{"range(x, -2, 3)", {"scale.cu", 3, 1}}};
  const auto cases = make_cases(spec, {1}).value();
  for (const char *family : {"special", "infinities", "nans", "masked_low", "masked_high", "sparse"})
    EXPECT_THAT(cases[0].families, Not(Contains(family)));
  EXPECT_TRUE(cases[0].buffers[0].finite);
  EXPECT_THAT(cases[0].buffers[0].range, ElementsAre(-2, 3));
  EXPECT_FALSE(cases[0].buffers[1].finite);
}

TEST(Cases, BigOnesGetFewFamilies) {
  auto spec = fake::scale_spec();
  const auto small = make_cases(spec, {1}).value();
  EXPECT_GT(small[0].families.size(), 16u);
  EXPECT_EQ(small[0].families[0], "user");
  EXPECT_LT(by_id(small, "big/rows+1").families.size(), 9u) << "neighbours take turns";
  std::set<std::string> together;
  for (const auto &one : small)
    if (one.id != "big" && !one.once)
      for (const auto &family : one.families) together.insert(family.substr(0, family.find(":")));
  EXPECT_GE(together.size() + 5, small[0].families.size())
      << "three patchworks, and few whose turn did not come";
  for (const auto &one : small) {
    if (one.once || one.id.contains("scalars-")) continue;
    EXPECT_THAT(one.families, IsSupersetOf({"nans", "infinities"})) << one.id;
  }
  spec.workloads[0].set[0].expression = "8192";
  const auto big = make_cases(spec, {1}).value();
  EXPECT_EQ(big[0].families.size(), 4u);
  EXPECT_EQ(by_id(big, "big/rows+1").families.size(), 2u);
  EXPECT_NE(by_id(big, "big/rows+1").families[1], by_id(big, "big/rows-1").families[1]);
}

TEST(Cases, LargeWorkloadsStepAllNamesTogether) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set[0].expression = "16384";
  const auto cases = make_cases(spec, {1}).value();
  EXPECT_THAT(ids(cases), IsSupersetOf({"big/all+1", "big/all-1"}));
  EXPECT_THAT(ids(cases), Not(Contains("big/rows+1")));
  EXPECT_EQ(integer_of(by_id(cases, "big/all+1"), "rows"), 16385);
  EXPECT_EQ(integer_of(by_id(cases, "big/all+1"), "cols"), 1001);
}

TEST(Cases, IntegersHaveFamiliesOfTheirRange) {
  auto spec = fake::scale_spec();
  spec.parameters[0].element = ElementType::i32;
  const auto cases = make_cases(spec, {1}).value();
  EXPECT_THAT(cases[0].families, ElementsAre("user", "sorted", "extreme", "constant", "patchwork",
                                             "patchwork:1", "patchwork:2"));
  EXPECT_THAT(by_id(cases, "big/small-1").families, Contains("constant"));
}

TEST(Cases, DataWithAPropertyIsKept) {
  auto spec = fake::scale_spec();
  for (const FillKind kind : {FillKind::iota, FillKind::permutation, FillKind::zeros}) {
    spec.workloads[0].buffers[0].fill.kind = kind;
    const auto cases = make_cases(spec, {1}).value();
    for (const auto &one : cases) {
      if (one.id.contains("scalars-2^")) continue;
      EXPECT_THAT(one.families, ElementsAre("user"));
    }
  }
  spec.workloads[0].buffers[0].fill = {FillKind::uniform, 0.5, 0.97, ""};
  EXPECT_THAT(make_cases(spec, {1}).value()[0].families,
              ElementsAre("user", "patchwork", "patchwork:1", "patchwork:2"));
}

TEST(Cases, EverySmallNeighbourHasAPatchworkInItsTurn) {
  const auto cases = make_cases(fake::scale_spec(), {1}).value();
  std::set<std::string> turns;
  for (const auto &one : cases) {
    if (one.once || one.id == "big" || one.id.contains("scalars-")) continue;
    EXPECT_TRUE(one.families.back().starts_with("patchwork:")) << one.id;
    EXPECT_TRUE(turns.insert(one.families.back()).second) << one.id;
  }
  EXPECT_GE(turns.size(), 12u);
}

TEST(Cases, ScalarsAreSmallAndNan) {
  const auto cases = make_cases(fake::scale_spec(), {1, 2}).value();
  const auto &small = by_id(cases, "big/scalars-2^-24");
  const double least = std::get<double>(small.scalars.at("a"));
  EXPECT_GT(least, 0.5 * 0x1p-24);
  EXPECT_LT(least, 0.5 * 0x1p-23);
  EXPECT_THAT(small.families, ElementsAre("zeros_in_others", "zeros_in_one"));
  const auto &nan = by_id(cases, "big/scalars-a=nan");
  EXPECT_TRUE(std::isnan(std::get<double>(nan.scalars.at("a"))));
  EXPECT_TRUE(nan.once);
}

TEST(Cases, MembersOfStructuresHaveFamilies) {
  auto spec = fake::scale_spec();
  spec.parameters[0].element = ElementType::opaque;
  spec.parameters[0].element_type = "Particle";
  EXPECT_THAT(make_cases(spec, {1}).value()[0].families, ElementsAre("user")) << "bytes";
  spec.parameters[0].members = {{"cell", ElementType::i32, 0, 1}};
  EXPECT_THAT(make_cases(spec, {1}).value()[0].families, Contains("constant"));
  spec.parameters[0].members.push_back({"mass", ElementType::f32, 4, 1});
  EXPECT_THAT(make_cases(spec, {1}).value()[0].families,
              IsSupersetOf({"large_mean", "plateaus", "subnormal"}));
  spec.workloads[0].buffers[0].fill = {.kind = FillKind::randint, .a = 0, .b = 512};
  EXPECT_THAT(make_cases(spec, {1}).value()[0].families, IsSupersetOf({"plateaus", "whole", "zeros"}))
      << "a range of whole numbers is for the whole numbers";
  spec.parameters[0].element = ElementType::f32, spec.parameters[0].members.clear();
  EXPECT_THAT(make_cases(spec, {1}).value()[0].families, Not(Contains("plateaus")));
}

TEST(Cases, SubnormalDoublesAreLeftAlone) {
  auto spec = fake::scale_spec();
  const auto single = make_cases(spec, {1}).value();
  EXPECT_THAT(single[0].families, Contains("subnormal"));
  spec.parameters[0].element = ElementType::f64;
  const auto wide = make_cases(spec, {1}).value();
  EXPECT_THAT(wide[0].families, Not(Contains("subnormal")));
}

TEST(Cases, OnlySizesNextToALargeWorkloadsOwnAreAsLarge) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set[0].expression = "64000";  // 256 MiB a buffer
  const auto cases = make_cases(spec, {1}).value();
  EXPECT_EQ(by_id(cases, "big").buffers[0].elements, 64'000'000u);
  const auto &other = by_id(cases, "big/scalars-large");
  EXPECT_EQ(std::get<double>(other.scalars.at("a")), 500);
  EXPECT_LE(other.buffers[0].elements, 4u << 20);
  EXPECT_GT(other.buffers[0].elements, 1u << 20);
  EXPECT_GT(
      std::ranges::count_if(cases, [](const Case &one) { return one.buffers[0].elements > 63'000'000u; }), 1);
}

TEST(Cases, FloatingScalarsChangeToo) {
  auto spec = fake::scale_spec();
  const auto cases = make_cases(spec, {1}).value();
  const auto &other = by_id(cases, "big/scalars");
  EXPECT_NE(std::get<double>(other.scalars.at("a")), 0.5);
  EXPECT_GT(std::get<double>(other.scalars.at("a")), 0);
  EXPECT_LT(std::get<double>(other.scalars.at("a")), 0.5);
  EXPECT_EQ(integer_of(other, "rows"), 64);
  EXPECT_EQ(std::get<double>(by_id(cases, "big/scalars-zero").scalars.at("a")), 0);
  EXPECT_EQ(std::get<double>(by_id(cases, "big/scalars-negative").scalars.at("a")), -0.5);
  EXPECT_EQ(std::get<double>(by_id(cases, "big/scalars-large").scalars.at("a")), 500);
  EXPECT_EQ(by_id(cases, "big/scalars-large").families.size(), 3u) << "the workload itself has them all";
  spec.workloads[0].set[2].expression = "0";  // as people write beta
  const auto again = make_cases(spec, {1}).value();
  EXPECT_GT(std::get<double>(by_id(again, "big/scalars").scalars.at("a")), 0);
  spec.workloads[0].set[2].expression = "32.0";
  spec.workloads[0].buffers[0].extent = "rows * cols + a";  // a size, too
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/scalars")));
}

std::vector<std::string> drawn_ids(const KernelSpec &spec, const Draw &draw,
                                   CaseReader reader = CaseReader::search) {
  std::vector<std::string> all;
  const auto made = make_cases(spec, draw, CaseCap::none, reader).value();
  for (const auto &one : made)
    if (one.once && !one.id.contains("scalars-")) all.push_back(one.id);
  return all;
}

/// scale_spec with further inputs.
KernelSpec reading_spec(const std::vector<std::pair<std::string, std::string>> &inputs) {
  auto spec = fake::scale_spec();
  for (const auto &[name, extent] : inputs) {
    spec.parameters.push_back(fake::pointer(name, "const float *", true));
    spec.workloads[0].buffers.push_back(fake::use(name, BufferRole::in, extent));
  }
  return spec;
}
std::vector<std::string> shared_inputs(const KernelSpec &spec, std::uint64_t secret, bool overlap) {
  std::vector<std::string> all;
  const auto made = make_cases(spec, {1, secret}).value();
  for (const auto &one : made)
    if (std::ranges::any_of(one.buffers, [&](const CaseBuffer &b) {
          return !b.same_as.empty() && overlap == (b.begins > 0);
        }))
      all.push_back(one.id);
  return all;
}
std::vector<std::string> equal_inputs(const KernelSpec &spec, std::uint64_t secret = 7) {
  return shared_inputs(spec, secret, false);
}

TEST(Cases, InputsOverlapToo) {
  auto spec = reading_spec({{"w", "rows*cols"}});
  EXPECT_THAT(shared_inputs(spec, 7, true),
              testing::UnorderedElementsAre("big/w=x+1", "big/w=x+8000", "big/x=w+1", "big/x=w+8000"));
  const auto cases = make_cases(spec, {1, 7}).value();
  const auto &one = by_id(cases, "big/w=x+1");
  EXPECT_TRUE(one.once);
  EXPECT_FALSE(one.timed);
  EXPECT_EQ(one.buffers[2].begins, 1u);
  EXPECT_THAT(one.families, ElementsAre("user", "large_mean"));
  for (auto &buffer : spec.workloads[0].buffers) buffer.fill.kind = FillKind::permutation;
  EXPECT_THAT(shared_inputs(spec, 7, true), ElementsAre()) << "no permutation is left where two overlap";
}

TEST(Cases, EveryPairOfAlikeInputsIsOneBufferOnce) {
  auto spec = reading_spec({{"w", "rows*cols"}, {"v", "rows*cols"}});
  EXPECT_THAT(equal_inputs(spec), ElementsAre("big/w=x", "big/v=x", "big/v=w"));
  const auto cases = make_cases(spec, {1, 7}).value();
  const auto &one = by_id(cases, "big/w=x");
  EXPECT_TRUE(one.once);
  EXPECT_FALSE(one.timed);
  EXPECT_EQ(one.buffers[2].same_as, "x");
  spec.workloads[0].buffers[2].fill = {FillKind::uniform, 0, 1, ""};
  EXPECT_THAT(equal_inputs(spec), ElementsAre("big/v=x")) << "positive data may be needed";
  spec.parameters.back().element_type = "int";
  EXPECT_THAT(equal_inputs(spec), ElementsAre());
}

TEST(Cases, InputsOfOtherExtentsAreOneBufferWhereTheSizesAreTheSame) {
  const auto spec = reading_spec({{"w", "rows*rows"}, {"v", "rows*rows*rows"}});
  ASSERT_THAT(equal_inputs(spec), ElementsAre("big/w=x"));
  const auto cases = make_cases(spec, {1, 7}).value();
  EXPECT_EQ(integer_of(by_id(cases, "big/w=x"), "cols"), integer_of(by_id(cases, "big/w=x"), "rows"));
}

TEST(Cases, AccumulatorsOfZerosAreTriedWithOtherContent) {
  auto spec = fake::scale_spec();
  spec.workloads[0].buffers[1].role = BufferRole::inout;
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=random"))) << "its content is random";
  spec.workloads[0].buffers[1].fill.kind = FillKind::zeros;
  auto cases = make_cases(spec, {1}).value();
  ASSERT_THAT(ids(cases), Contains("big/y=random"));
  EXPECT_TRUE(by_id(cases, "big/y=random").once);
  EXPECT_EQ(by_id(cases, "big/y=random").buffers[1].fill.kind, FillKind::automatic);
  spec.parameters[1].element = ElementType::u32;
  cases = make_cases(spec, {1}).value();
  EXPECT_EQ(by_id(cases, "big/y=random").buffers[1].fill.kind, FillKind::randint) << "small, as counts are";
  EXPECT_EQ(by_id(cases, "big/y=random").buffers[1].fill.a, 0);
  spec.workloads[0].buffers[1].extent = "1";
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=random"))) << "a ticket";
}

TEST(Cases, CountersThatHaveRunForLongAreTried) {
  auto spec = fake::scale_spec();
  spec.workloads[0].buffers[1].role = BufferRole::inout;
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=large"))) << "floats";
  spec.parameters[1].element = ElementType::u32;
  const auto cases = make_cases(spec, {1}).value();
  const auto &large = by_id(cases, "big/y=large");
  EXPECT_EQ(large.buffers[1].fill.b, 0x1p32);
  EXPECT_TRUE(large.once && large.buffers[1].refilled);
  spec.parameters.push_back(fake::pointer("places", "float *", false));
  spec.workloads[0].buffers.push_back(fake::use("places", BufferRole::out, "rows"));
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=large"))) << "y may count places";
}

TEST(Cases, AnInputMayBeTheBufferThatIsUpdated) {
  auto spec = fake::scale_spec();
  spec.workloads[0].buffers[1].role = BufferRole::inout;
  for (Parameter &parameter : spec.parameters) parameter.restrict_qualified = false;
  spec.parameters[1].element_type = spec.parameters[0].element_type;
  const auto cases = make_cases(spec, {1}).value();
  EXPECT_EQ(by_id(cases, "big/y=x").buffers[1].same_as, "x");
  spec.parameters[0].restrict_qualified = true;
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=x")));
}

TEST(Cases, OneInputInTwoPlacesIsTriedWithInfinitiesToo) {
  auto spec = reading_spec({{"w", "rows*cols"}});
  auto cases = make_cases(spec, {1}).value();
  EXPECT_THAT(by_id(cases, "big/w=x").families, ElementsAre("user", "infinities"));
  spec.assumptions = {{"finite(x)", {}}};
  cases = make_cases(spec, {1}).value();
  EXPECT_THAT(by_id(cases, "big/w=x").families, ElementsAre("user"));
}

TEST(Cases, InfinitiesStandInOneOfSeveralInputsAlone) {
  const auto cases = make_cases(reading_spec({{"w", "cols"}}), {1}).value();
  for (const auto &one : cases) {
    if (one.once || one.id.contains("scalars-")) continue;
    EXPECT_THAT(one.families, IsSupersetOf({"nans", "infinities_in_one", "infinities_in_others"})) << one.id;
  }
  const auto single = make_cases(fake::scale_spec(), {1}).value();
  EXPECT_THAT(single[0].families, Not(Contains("infinities_in_one")));
}

TEST(Cases, SpecialShapesAreNarrowAndSquare) {
  const auto cases = make_cases(fake::scale_spec(), {1}).value();
  EXPECT_EQ(integer_of(by_id(cases, "big/cols=13"), "rows"), 64);
  EXPECT_THAT(by_id(cases, "big/cols=13").families, IsSupersetOf({"user", "magnitudes", "huge", "nans"}));
  const auto &square = by_id(cases, "big/square");
  EXPECT_EQ(integer_of(square, "rows"), 31);
  EXPECT_EQ(integer_of(square, "cols"), 31);
  EXPECT_THAT(square.families, Contains("nearly_level"));
  EXPECT_THAT(by_id(cases, "big/scalars").families, Contains("subnormal"));
}

TEST(Cases, DistancesBetweenRowsGrowByThemselves) {
  auto spec = fake::scale_spec();
  spec.parameters.push_back(fake::integer("pitch"));
  spec.parameters.push_back(fake::integer("n"));
  spec.workloads[0].set.push_back({"pitch", "cols + 32"});
  spec.workloads[0].set.push_back({"n", "rows * pitch"});
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/pitch=1033")))
      << "no extent depends on it";
  spec.workloads[0].buffers[0].extent = "rows * pitch";
  const auto cases = make_cases(spec, {1}).value();
  EXPECT_THAT(ids(cases), IsSupersetOf({"big/pitch=1033", "big/pitch=2067"}));
  const auto &wide = by_id(cases, "big/pitch=2067");
  EXPECT_EQ(integer_of(wide, "cols"), 1000);
  EXPECT_EQ(wide.buffers[0].elements, 64u * 2067);
  EXPECT_THAT(ids(cases), Not(Contains(HasSubstr("big/n="))));
}

TEST(Cases, ManyPairsOfInputsTakeTurns) {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (const char *name : {"b", "c", "d", "e"}) inputs.emplace_back(name, "rows*cols");
  const auto spec = reading_spec(inputs);
  EXPECT_EQ(equal_inputs(spec).size(), kMostEqualInputs);
  std::set<std::string> seen;
  for (std::uint64_t secret = 1; secret < 40; ++secret)
    for (const auto &id : equal_inputs(spec, secret)) seen.insert(id);
  EXPECT_EQ(seen.size(), 10u);
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

TEST(Cases, NothingAtAllIsTriedWhereItCanBeLaunched) {
  auto spec = fake::scale_spec();
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/empty"))) << "no grid of no blocks";
  spec.workloads[0].launch.grid[0] = "128";
  const auto cases = make_cases(spec, {1}).value();
  EXPECT_EQ(by_id(cases, "big/empty").buffers[0].elements, 0u);
}

TEST(Cases, ACheckWorkloadIsNotTimed) {
  auto spec = fake::scale_spec();
  spec.workloads[0].check = true;
  EXPECT_FALSE(make_cases(spec, {1}).value()[0].timed);
}

TEST(Cases, ErrorsAreLocatedAndNameTheWayOut) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set.erase(spec.workloads[0].set.begin() + 2);
  EXPECT_EQ(error_of(spec),
            "scale.cu:3:1: workload 'big': the parameter 'a' has no value; add it to set(...)");

  spec = fake::scale_spec();
  spec.workloads[0].buffers.pop_back();
  EXPECT_THAT(error_of(spec), HasSubstr("the pointer 'y' has no extent"));

  spec = fake::scale_spec();
  spec.workloads.clear();
  EXPECT_THAT(error_of(spec), HasSubstr("has no workload"));
}

TEST(Cases, OverflowingExtentsAreErrors) {
  auto spec = fake::scale_spec();
  spec.workloads[0].buffers[0].extent = "rows * 1000000000000 * 1000000000";
  EXPECT_THAT(error_of(spec), HasSubstr("scale.cu:3:40: workload 'big': extent of 'x'"));
  spec.workloads[0].buffers[0].extent = "rows * 100000000000000000";  // fits, its bytes do not
  EXPECT_THAT(error_of(spec), HasSubstr("overflows 64 bits"));
  spec.workloads[0].buffers[0].extent = "rows - 64";
  EXPECT_THAT(error_of(spec), HasSubstr("a buffer needs at least one element"));
}

TEST(Cases, ImpossibleLaunchesAreErrors) {
  auto spec = fake::scale_spec();
  spec.workloads[0].launch.grid[0] = "rows / 65";
  EXPECT_THAT(error_of(spec), HasSubstr("launch grid.x: 'rows / 65' is 0"));
  spec = fake::scale_spec();
  spec.workloads[0].launch.block = {"64", "32", "1"};
  EXPECT_THAT(error_of(spec), HasSubstr("2048 threads; a block can have at most 1024"));
  spec = fake::scale_spec();
  spec.workloads[0].launch.shared_bytes = "1 << 20";
  EXPECT_THAT(error_of(spec), HasSubstr("1048576 bytes of dynamic shared memory"));
}

TEST(Cases, AValueMustFitItsType) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set[0].expression = "3000000000";
  EXPECT_THAT(error_of(spec), HasSubstr("rows = 3000000000 does not fit into 'int'"));
}

}  // namespace
}  // namespace cupilot
