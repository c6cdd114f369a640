// SPDX-License-Identifier: Apache-2.0
#include "driver/worker/plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "evolution/device/input_family.h"

namespace cupilot {
namespace {

Bundle bundle_with(std::vector<std::pair<std::uint64_t, bool>> sizes) {
  Bundle bundle;
  Parameter y;
  y.name = "y";
  y.pointer = true;
  y.element = ElementType::f32;
  y.element_bytes = 4;
  bundle.parameters = {y};
  for (const auto &[elements, timed] : sizes) {
    Case which;
    which.id = which.workload = "w" + std::to_string(bundle.cases.size());
    which.timed = timed;
    which.buffers = {{"y", BufferRole::out, elements, {}}};
    which.families = input_families();
    bundle.cases.push_back(which);
  }
  return bundle;
}
constexpr std::uint64_t kLarge = 32 << 20, kSmall = 1000, kPlenty = 1ull << 40;

std::size_t runs_of(const Plan &plan, std::size_t index, Placement placement) {
  return static_cast<std::size_t>(
      std::count_if(plan.runs.begin(), plan.runs.end(), [&](const PlannedRun &run) {
        return plan.inputs[run.inputs].case_index == index && run.placement == placement &&
               !run.reference_only;
      }));
}

TEST(Plan, SmallCasesRunWithEverything) {
  const auto plan = make_plan(bundle_with({{kSmall, false}}), kPlenty);
  ASSERT_TRUE(plan);
  EXPECT_EQ(runs_of(*plan, 0, Placement::base), input_families().size());
  EXPECT_EQ(runs_of(*plan, 0, Placement::moved), 1u);
  EXPECT_EQ(runs_of(*plan, 0, Placement::misaligned), 1u);
}

TEST(Plan, LargeCasesTakeTurnsWithFamilies) {
  const auto plan = make_plan(bundle_with({{kLarge, true}, {kLarge, false}, {kSmall, false}}), kPlenty);
  ASSERT_TRUE(plan);
  EXPECT_EQ(runs_of(*plan, 0, Placement::base), 2u);
  EXPECT_EQ(runs_of(*plan, 0, Placement::misaligned), 0u);
  EXPECT_EQ(plan->inputs[0].family, "user");
  EXPECT_NE(plan->inputs[1].family, plan->inputs[3].family);
}

TEST(Plan, WhatIsEstimatedHasNoReferenceRun) {
  auto bundle = bundle_with({{kLarge, true}, {kSmall, false}});
  bundle.cases[0].verified = false;
  const auto plan = make_plan(bundle, kPlenty, true);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->estimated, std::vector<std::size_t>{0});
  EXPECT_TRUE(plan->timing.empty());
  for (const PlannedRun &run : plan->runs) EXPECT_EQ(plan->inputs[run.inputs].case_index, 1u);
  EXPECT_LT(plan->dump_bytes, kLarge) << "nothing of the large case is kept";
  bundle.request.time = false;
  EXPECT_TRUE(make_plan(bundle, kPlenty, true)->estimated.empty());
}

TEST(Plan, OnlyLargeCasesAreMisalignedToo) {
  const auto plan = make_plan(bundle_with({{kLarge, true}}), kPlenty);
  ASSERT_TRUE(plan);
  EXPECT_EQ(runs_of(*plan, 0, Placement::misaligned), 1u);
}

TEST(Plan, TimingHasDataOfItsOwn) {
  const auto plan = make_plan(bundle_with({{kSmall, true}}), kPlenty);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->timing.size(), 4u);
  std::set<std::uint64_t> seeds;
  for (const auto &inputs : plan->inputs) seeds.insert(inputs.seed);
  EXPECT_EQ(seeds.size(), plan->inputs.size());
}

TEST(Plan, TimedLaunchesOfLargeCasesTakeTwoContentsInTurn) {
  constexpr std::uint64_t kVeryLarge = 128u << 20;
  const auto plan = make_plan(bundle_with({{kVeryLarge, true}, {kSmall, true}}), 1ull << 40);
  ASSERT_TRUE(plan) << plan.error().message;
  std::vector<std::size_t> cases;
  for (const std::size_t index : plan->timing) cases.push_back(plan->inputs[index].case_index);
  EXPECT_EQ(cases, (std::vector<std::size_t>{0, 0, 1, 1, 1, 1}));
}

TEST(Plan, MisalignedRunsComeLast) {
  const auto plan = make_plan(bundle_with({{kSmall, true}, {kSmall, false}}), kPlenty);
  ASSERT_TRUE(plan);
  const auto first = std::find_if(plan->runs.begin(), plan->runs.end(),
                                  [](const auto &r) { return r.placement == Placement::misaligned; });
  EXPECT_TRUE(std::all_of(first, plan->runs.end(),
                          [](const auto &r) { return r.placement == Placement::misaligned; }));
}

TEST(Plan, KeepsToItsBudgetOrSaysWhy) {
  const Bundle bundle = bundle_with({{kLarge, true}});
  const auto reduced = make_plan(bundle, kLarge * 4 * 2 + 4096);
  ASSERT_TRUE(reduced) << reduced.error().message;
  EXPECT_EQ(runs_of(*reduced, 0, Placement::base), 1u);
  const auto none = make_plan(bundle, 1 << 20);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("host memory"), std::string::npos);
}

TEST(RunsOn, ArchitecturesAreCompatibleWithinAMajor) {
  EXPECT_TRUE(runs_on("sm_90", "sm_90"));
  EXPECT_TRUE(runs_on("sm_80", "sm_86"));
  EXPECT_TRUE(runs_on("sm_90a", "sm_90"));
  EXPECT_FALSE(runs_on("sm_86", "sm_80"));
  EXPECT_FALSE(runs_on("sm_80", "sm_90"));
  EXPECT_FALSE(runs_on("sm_100", "sm_120"));
  EXPECT_FALSE(runs_on("sm_100a", "sm_103"));
  EXPECT_FALSE(runs_on("", "sm_90"));
}

}  // namespace
}  // namespace cupilot
