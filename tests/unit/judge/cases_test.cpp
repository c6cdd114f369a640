// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/cases.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "case_lists.h"
#include "evolution/judge/cases/drawn_sizes.h"
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

TEST(Cases, FillsAreEvaluatedAtTheirSizes) {
  auto spec = fake::scale_spec();
  auto &buffer = spec.workloads[0].buffers[0];
  buffer.fill = {FillKind::randint, 0, 999, "", "0", "cols - 1"};
  const auto cases = make_cases(spec, {1});
  ASSERT_TRUE(cases) << cases.error().message;
  std::set<double> ends;
  for (const auto &one : *cases) {
    if (one.workload != spec.workloads[0].id) continue;
    const auto &fill = one.buffers[0].fill;
    EXPECT_EQ(fill.b, static_cast<double>(integer_of(one, "cols") - 1)) << one.id;
    EXPECT_TRUE(one.buffers[0].elements == 0 || fill.a < fill.b) << one.id << ": there would be no data";
    EXPECT_TRUE(fill.high.empty());
    ends.insert(fill.b);
  }
  EXPECT_GT(ends.size(), 2u);
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
