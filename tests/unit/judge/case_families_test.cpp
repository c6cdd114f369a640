// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/case_families.h"

#include <gmock/gmock.h>

#include <set>

#include "case_lists.h"
#include "evolution/judge/cases/cases.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::cases;
using namespace model;
using namespace spec;
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

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

TEST(Cases, InfinitiesStandInOneOfSeveralInputsAlone) {
  const auto cases = make_cases(reading_spec({{"w", "cols"}}), {1}).value();
  for (const auto &one : cases) {
    if (one.once || one.id.contains("scalars-")) continue;
    EXPECT_THAT(one.families, IsSupersetOf({"nans", "infinities_in_one", "infinities_in_others"})) << one.id;
  }
  const auto single = make_cases(fake::scale_spec(), {1}).value();
  EXPECT_THAT(single[0].families, Not(Contains("infinities_in_one")));
}

}  // namespace
}  // namespace cupilot
