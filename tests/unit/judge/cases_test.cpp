// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/cases.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "evolution/judge/cases/neighbours.h"
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
  const auto cases = make_cases(spec, 1);
  return cases ? "no error" : cases.error().message;
}

TEST(Cases, EvaluatesTheWorkload) {
  const auto cases = make_cases(fake::scale_spec(), 1);
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
  const auto cases = make_cases(spec, 1);
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
  const auto seen = make_cases(spec, 1).value();
  for (const auto &one : seen) EXPECT_EQ(one.workload, "seen");
  const auto all = make_cases(spec, 1, CaseCap::none, CaseReader::finalist).value();
  EXPECT_TRUE(by_id(all, "big").holdout);
  EXPECT_FALSE(by_id(all, "seen").holdout);
  EXPECT_EQ(by_id(all, "seen").weight, 2.5);
}

TEST(Cases, NeighboursReevaluateExtentsAndLaunch) {
  const auto cases = make_cases(fake::scale_spec(), 1).value();
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
  const auto cases = make_cases(spec, 1).value();
  EXPECT_EQ(cases.size(), 6 + kMaxNeighbours + kScalarNeighbours);
  std::set<std::tuple<std::int64_t, std::int64_t, double>> values;
  for (const auto &one : cases)
    values.insert({integer_of(one, "rows"), integer_of(one, "cols"), std::get<double>(one.scalars.at("a"))});
  EXPECT_EQ(values.size(), cases.size());
}

TEST(Cases, DerivedValuesFollowTheirParts) {
  auto spec = fake::scale_spec();
  spec.parameters.push_back(fake::integer("n"));
  spec.workloads[0].set.push_back({"n", "rows*cols"});
  const auto cases = make_cases(spec, 1).value();
  for (const auto &one : cases)
    EXPECT_EQ(integer_of(one, "n"), integer_of(one, "rows") * integer_of(one, "cols")) << one.id;
}

TEST(Cases, NeighboursThatCannotBeLaunchedAreLeftOut) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set[0].expression = "1";  // rows-1 is a launch of no blocks
  spec.workloads[0].set[1].expression = "1024";
  spec.workloads[0].launch.block[0] = "cols";  // cols+1 is too large a block
  const auto all = ids(make_cases(spec, 1).value());
  EXPECT_THAT(all, Not(Contains("big/rows-1")));
  EXPECT_THAT(all, Not(Contains("big/cols+1")));
  EXPECT_THAT(all, Contains("big/cols-1"));
}

TEST(Cases, ABlockSizeOfTheLaunchAloneIsNotVaried) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set.push_back({"threads", "128"});
  spec.workloads[0].launch.block[0] = "threads";
  const auto cases = make_cases(spec, 1).value();
  for (const auto &one : cases) EXPECT_EQ(one.block[0], 128u) << one.id;
}

TEST(Cases, PrimesDifferBetweenAxesAndWithTheSeed) {
  const auto spec = fake::scale_spec();
  const auto first = make_cases(spec, 1).value(), again = make_cases(spec, 1).value();
  const auto other = make_cases(spec, 2).value();
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

TEST(Cases, BigOnesGetFewFamilies) {
  auto spec = fake::scale_spec();
  const auto small = make_cases(spec, 1).value();
  EXPECT_GT(small[0].families.size(), 16u);
  EXPECT_EQ(small[0].families[0], "user");
  EXPECT_LT(by_id(small, "big/rows+1").families.size(), 9u) << "neighbours take turns";
  std::set<std::string> together;
  for (const auto &one : small)
    if (one.id != "big") together.insert(one.families.begin(), one.families.end());
  EXPECT_EQ(together.size(), small[0].families.size());
  spec.workloads[0].set[0].expression = "8192";
  const auto big = make_cases(spec, 1).value();
  EXPECT_EQ(big[0].families.size(), 4u);
  EXPECT_EQ(by_id(big, "big/rows+1").families.size(), 2u);
  EXPECT_NE(by_id(big, "big/rows+1").families[1], by_id(big, "big/rows-1").families[1]);
}

TEST(Cases, LargeWorkloadsStepAllNamesTogether) {
  auto spec = fake::scale_spec();
  spec.workloads[0].set[0].expression = "16384";
  const auto cases = make_cases(spec, 1).value();
  EXPECT_THAT(ids(cases), IsSupersetOf({"big/all+1", "big/all-1"}));
  EXPECT_THAT(ids(cases), Not(Contains("big/rows+1")));
  EXPECT_EQ(integer_of(by_id(cases, "big/all+1"), "rows"), 16385);
  EXPECT_EQ(integer_of(by_id(cases, "big/all+1"), "cols"), 1001);
}

TEST(Cases, IntegersHaveFamiliesOfTheirRange) {
  auto spec = fake::scale_spec();
  spec.parameters[0].element = ElementType::i32;
  const auto cases = make_cases(spec, 1).value();
  EXPECT_THAT(cases[0].families, ElementsAre("user", "sorted", "extreme", "constant"));
  EXPECT_THAT(by_id(cases, "big/small-1").families, Contains("constant"));
}

TEST(Cases, DataWithAPropertyIsKept) {
  auto spec = fake::scale_spec();
  for (const FillKind kind : {FillKind::iota, FillKind::permutation, FillKind::zeros, FillKind::uniform}) {
    spec.workloads[0].buffers[0].fill.kind = kind;
    const auto cases = make_cases(spec, 1).value();
    for (const auto &one : cases) EXPECT_THAT(one.families, ElementsAre("user"));
  }
}

TEST(Cases, SubnormalDoublesAreLeftAlone) {
  auto spec = fake::scale_spec();
  const auto single = make_cases(spec, 1).value();
  EXPECT_THAT(single[0].families, Contains("subnormal"));
  spec.parameters[0].element = ElementType::f64;
  const auto wide = make_cases(spec, 1).value();
  EXPECT_THAT(wide[0].families, Not(Contains("subnormal")));
}

TEST(Cases, FloatingScalarsChangeToo) {
  auto spec = fake::scale_spec();
  const auto cases = make_cases(spec, 1).value();
  const auto &other = by_id(cases, "big/scalars");
  EXPECT_NE(std::get<double>(other.scalars.at("a")), 0.5);
  EXPECT_GT(std::get<double>(other.scalars.at("a")), 0);
  EXPECT_LT(std::get<double>(other.scalars.at("a")), 0.5);
  EXPECT_EQ(integer_of(other, "rows"), 64);
  EXPECT_EQ(std::get<double>(by_id(cases, "big/scalars-zero").scalars.at("a")), 0);
  EXPECT_EQ(std::get<double>(by_id(cases, "big/scalars-negative").scalars.at("a")), -0.5);
  EXPECT_EQ(std::get<double>(by_id(cases, "big/scalars-large").scalars.at("a")), 500);
  spec.workloads[0].set[2].expression = "0";  // as people write beta
  const auto again = make_cases(spec, 1).value();
  EXPECT_GT(std::get<double>(by_id(again, "big/scalars").scalars.at("a")), 0);
  spec.workloads[0].set[2].expression = "32.0";
  spec.workloads[0].buffers[0].extent = "rows * cols + a";  // a size, too
  EXPECT_THAT(ids(make_cases(spec, 1).value()), Not(Contains("big/scalars")));
}

TEST(Cases, NothingAtAllIsTriedWhereItCanBeLaunched) {
  auto spec = fake::scale_spec();
  EXPECT_THAT(ids(make_cases(spec, 1).value()), Not(Contains("big/empty"))) << "no grid of no blocks";
  spec.workloads[0].launch.grid[0] = "128";
  const auto cases = make_cases(spec, 1).value();
  EXPECT_EQ(by_id(cases, "big/empty").buffers[0].elements, 0u);
}

TEST(Cases, ACheckWorkloadIsNotTimed) {
  auto spec = fake::scale_spec();
  spec.workloads[0].check = true;
  EXPECT_FALSE(make_cases(spec, 1).value()[0].timed);
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
