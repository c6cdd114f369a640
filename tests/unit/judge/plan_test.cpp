// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/cases/mixed_shifts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "evolution/judge/data/input_family.h"

namespace cupilot {
using namespace judge::cases;
using namespace judge::data;
using namespace model;
using namespace spec;
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
  for (const auto shifted : {Placement::misaligned, Placement::misaligned_two, Placement::misaligned_four})
    EXPECT_EQ(runs_of(*plan, 0, shifted), 1u);
}

TEST(Plan, NeighboursTakeTurnsWithShifts) {
  auto bundle = bundle_with({{kSmall, true}, {kSmall, false}, {kSmall, false}, {kSmall, false}});
  for (std::size_t c = 1; c < 4; ++c) bundle.cases[c].workload = "w0";
  const auto plan = make_plan(bundle, kPlenty);
  ASSERT_TRUE(plan);
  std::set<Placement> seen;
  for (std::size_t c = 1; c < 4; ++c)
    for (const auto shifted : {Placement::misaligned, Placement::misaligned_two, Placement::misaligned_four})
      if (runs_of(*plan, c, shifted) == 1) seen.insert(shifted);
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(
      std::ranges::count_if(plan->runs, [](const PlannedRun &run) { return is_misaligned(run.placement); }),
      5 + 3);
}

TEST(Plan, DrawnSizesRunOnce) {
  auto bundle = bundle_with({{kSmall, true}, {kSmall, false}});
  bundle.cases[1].id = "w0/n=77";
  bundle.cases[1].once = true;
  bundle.cases[1].families = {"user"};
  for (const bool estimates : {false, true}) {
    const auto plan = make_plan(bundle, kPlenty, estimates);
    ASSERT_TRUE(plan);
    EXPECT_EQ(runs_of(*plan, 1, Placement::base), 1u);
    std::vector<PlannedRun> further;
    for (const PlannedRun &run : plan->runs)
      if (plan->inputs[run.inputs].case_index == 1 && run.placement != Placement::base)
        further.push_back(run);
    ASSERT_EQ(further.size(), estimates ? 0u : 1u);
    for (const PlannedRun &run : further) {
      EXPECT_TRUE(run.reference_only) << "the original alone";
      EXPECT_TRUE(run.other_poison) << "does it read past an end?";
    }
  }
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
                                  [](const auto &r) { return is_misaligned(r.placement); });
  EXPECT_TRUE(std::all_of(first, plan->runs.end(), [](const auto &r) { return is_misaligned(r.placement); }));
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

/// A row sum of x, with weights w and indices i.
Bundle reading_bundle(std::uint64_t elements) {
  Bundle bundle;
  for (const char *name : {"x", "w", "i", "y"}) {
    Parameter parameter;
    parameter.name = name;
    parameter.pointer = true;
    parameter.element = *name == 'i' ? ElementType::i32 : ElementType::f32;
    parameter.element_type = *name == 'i' ? "int" : "float";
    parameter.element_bytes = 4;
    bundle.parameters.push_back(parameter);
  }
  Case which;
  which.id = which.workload = "sum";
  which.buffers = {{"x", BufferRole::in, elements, {}},
                   {"w", BufferRole::in, 100, {FillKind::iota, 0, 1, ""}},
                   {"i", BufferRole::in, elements, {FillKind::randint, 0, 9, ""}},
                   {"y", BufferRole::out, elements, {}}};
  which.families = {"user", "normal"};
  bundle.cases = {which};
  bundle.request.seed = 5;
  bundle.request.secret = 77;
  return bundle;
}
std::vector<std::string> families(const Plan &plan) {
  std::vector<std::string> all;
  for (const PlannedInputs &inputs : plan.inputs) all.push_back(inputs.family);
  return all;
}
std::size_t starting_with(const std::vector<std::string> &all, const std::string &start) {
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [&](const std::string &one) { return one.starts_with(start); }));
}

TEST(Plan, SmallCasesAreProbedEverywhere) {
  const auto plan = make_plan(reading_bundle(10000), kPlenty);
  ASSERT_TRUE(plan);
  const auto all = families(*plan);
  EXPECT_EQ(starting_with(all, "impulse/x/"), 64u);
  EXPECT_EQ(starting_with(all, "redraw/i/"), 64u);
  EXPECT_GT(starting_with(all, "block/x/"), 4u);
  EXPECT_EQ(starting_with(all, "impulse/w/") + starting_with(all, "redraw/w/"), 0u) << "fixed by its fill";
  for (const PlannedInputs &inputs : plan->inputs)
    if (probe_of(inputs.family)) {
      ASSERT_NE(inputs.compared_with, kNoInputs);
      EXPECT_EQ(plan->inputs[inputs.compared_with].seed, inputs.seed);
      EXPECT_EQ(plan->inputs[inputs.compared_with].family, "normal");
    }
}

TEST(Plan, LargeCasesAreProbedAtTheirEnds) {
  const auto plan = make_plan(reading_bundle(kLarge), kPlenty);
  ASSERT_TRUE(plan);
  const auto all = families(*plan);
  EXPECT_LT(starting_with(all, "impulse/"), 12u);
  EXPECT_TRUE(std::ranges::find(all, "impulse/x/63") != all.end());
  EXPECT_TRUE(std::ranges::find(all, "redraw/i/63") != all.end());
}

TEST(Plan, ProbesGoFirstWhereMemoryIsShort) {
  const auto plan = make_plan(reading_bundle(kLarge), 600ull << 20);
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(
      std::ranges::none_of(families(*plan), [](const std::string &f) { return probe_of(f).has_value(); }));
  EXPECT_EQ(starting_with(families(*plan), "normal"), 1u) << "but not the second family";
}

TEST(Plan, TheSecretDecidesTheData) {
  auto bundle = reading_bundle(1000);
  const auto first = make_plan(bundle, kPlenty)->inputs[0].seed;
  EXPECT_EQ(make_plan(bundle, kPlenty)->inputs[0].seed, first);
  bundle.request.secret = 78;
  EXPECT_NE(make_plan(bundle, kPlenty)->inputs[0].seed, first);
}

TEST(Plan, OutputsStandOnInputsWhereTheyMay) {
  auto bundle = reading_bundle(1000);
  EXPECT_EQ(runs_of(*make_plan(bundle, kPlenty), 0, Placement::in_place), 1u);
  bundle.parameters[3].restrict_qualified = true;
  EXPECT_EQ(runs_of(*make_plan(bundle, kPlenty), 0, Placement::in_place), 0u);
}

TEST(Plan, SmallNeighboursStandOnInputsInTurn) {
  auto bundle = reading_bundle(1000);
  for (const char *id : {"sum/+1", "sum/-1"})
    bundle.cases.push_back(bundle.cases[0]), bundle.cases.back().id = id;
  const auto plan = make_plan(bundle, kPlenty);
  EXPECT_EQ(runs_of(*plan, 0, Placement::in_place), 1u);
  EXPECT_EQ(runs_of(*plan, 0, Placement::in_place_misaligned), 1u);
  EXPECT_EQ(runs_of(*plan, 1, Placement::in_place) + runs_of(*plan, 1, Placement::in_place_misaligned), 1u);
  EXPECT_EQ(runs_of(*plan, 1, Placement::in_place), runs_of(*plan, 2, Placement::in_place_misaligned));
  bundle.parameters.push_back(bundle.parameters[0]);
  bundle.parameters.back().name = "v";
  for (Case &one : bundle.cases) one.buffers.push_back({"v", BufferRole::in, 1000, {}});
  const auto two = make_plan(bundle, kPlenty);
  EXPECT_EQ(runs_of(*two, 0, Placement::in_place_last_misaligned), 1u) << "in the other input's";
}

TEST(Plan, LengthsThatAreTheSameByChanceAreNoReasonToShare) {
  auto bundle = reading_bundle(1000);
  bundle.cases[0].buffers[3].elements = 10;
  bundle.cases.push_back(bundle.cases[0]);
  bundle.cases[1].id = "sum/small-1";
  for (CaseBuffer &buffer : bundle.cases[1].buffers) buffer.elements = 1;
  const auto plan = make_plan(bundle, kPlenty);
  for (const Placement placement : {Placement::in_place, Placement::in_place_misaligned})
    EXPECT_EQ(runs_of(*plan, 0, placement) + runs_of(*plan, 1, placement), 0u);
}

TEST(Plan, EachPointerIsShiftedAloneForAWorkload) {
  auto bundle = reading_bundle(1000);
  bundle.cases.push_back(bundle.cases[0]);
  bundle.cases[1].id = "sum/+1";
  const auto plan = make_plan(bundle, kPlenty);
  for (const Placement one : {Placement::only_1, Placement::only_2, Placement::only_3, Placement::only_4}) {
    EXPECT_EQ(runs_of(*plan, 0, one), 1u);
    EXPECT_EQ(runs_of(*plan, 1, one), 0u);
  }
  EXPECT_EQ(runs_of(*plan, 0, Placement::only_5), 0u) << "it has four";
}

TEST(Plan, TheSmallestWorkloadHasItsPointersShiftedByThemselves) {
  auto bundle = reading_bundle(1000);
  for (int i = 1; i < 5; ++i) {
    bundle.cases.push_back(bundle.cases[0]);
    bundle.cases[i].id = "sum/+" + std::to_string(i);
  }
  const auto plan = make_plan(bundle, kPlenty);
  EXPECT_GT(runs_of(*plan, 0, Placement::mixed), kMostMixedShifts);
  EXPECT_LE(runs_of(*plan, 0, Placement::mixed), kMostMixedShifts + kWholeVectors);
  EXPECT_EQ(runs_of(*plan, 3, Placement::mixed), 1u) << "in the place of the shift of a neighbour";
  EXPECT_EQ(runs_of(*plan, 1, Placement::mixed), 0u);
  std::set<Shifts> seen;
  for (const PlannedRun &run : plan->runs)
    if (run.placement == Placement::mixed && plan->inputs[run.inputs].case_index == 0) {
      EXPECT_TRUE(seen.insert(run.shifts).second);
      EXPECT_NE(run.shifts, 0u);
    }
}

TEST(Plan, EveryWayInWhichThreePointersDifferIsTaken) {
  CaseLayout layout;
  layout.buffers.resize(3);
  for (PlacedBuffer &buffer : layout.buffers) buffer.element = {spec::ElementType::f32, 1};
  const auto all = mixed_shifts(layout, kMostMixedShifts, 1);
  const auto within_a_vector = [](Shifts shifts) {
    return shift_of(shifts, 0) < 4 && shift_of(shifts, 1) < 4 && shift_of(shifts, 2) < 4;
  };
  EXPECT_EQ(std::ranges::count_if(all, within_a_vector), 64 - 4 - 3)
      << "less those alike and one alone by one";
  EXPECT_NE(std::ranges::find(all, Shifts{0x031}), all.end());
  EXPECT_EQ(std::ranges::find(all, Shifts{0x222}), all.end());
  EXPECT_EQ(mixed_shifts(layout, 1, 7).size(), 1u);
  layout.buffers[0].element.type = spec::ElementType::f16;
  const auto some = mixed_shifts(layout, kMostMixedShifts, 1);
  EXPECT_GT(some.size(), kMostMixedShifts);
  EXPECT_LE(some.size(), kMostMixedShifts + kWholeVectors);
  EXPECT_NE(some, mixed_shifts(layout, kMostMixedShifts, 2));
}

TEST(Plan, BuffersBeginWholeVectorsPastEachOther) {
  CaseLayout layout;
  layout.buffers.resize(2);
  for (PlacedBuffer &buffer : layout.buffers) buffer.element = {spec::ElementType::f32, 1};
  std::set<std::uint64_t> first, apart;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Shifts shifts : mixed_shifts(layout, kMostMixedShifts, seed)) {
      const auto one = shift_of(shifts, 0), other = shift_of(shifts, 1);
      EXPECT_TRUE((one < 4 && other < 4) || (one % 4 == 0 && other % 4 == 0)) << shifts;
      first.insert(one), apart.insert(other - one);
    }
  for (const std::uint64_t past : {0, 1, 2, 3, 4, 8, 12}) EXPECT_TRUE(first.contains(past)) << past;
  EXPECT_TRUE(apart.contains(12)) << "48 bytes";
}

TEST(Plan, AnInputInTheBufferThatIsUpdatedRunsApartAndInPlace) {
  auto bundle = reading_bundle(1000);
  bundle.cases.push_back(bundle.cases[0]);
  model::Case &same = bundle.cases[1];
  same.id = "sum/y=x";
  same.once = true;
  same.families = {"user"};
  same.buffers[3].role = BufferRole::inout;
  same.buffers[3].same_as = "x";
  const auto plan = make_plan(bundle, kPlenty);
  EXPECT_EQ(runs_of(*plan, 1, Placement::base), 1u);
  EXPECT_EQ(runs_of(*plan, 1, Placement::in_place), 1u);
  EXPECT_EQ(std::ranges::count_if(plan->runs,
                                  [&](const PlannedRun &run) {
                                    return plan->inputs[run.inputs].case_index == 1 && !run.reference_only;
                                  }),
            2);
}

TEST(Plan, TheOrderOfRunsIsDrawn) {
  auto bundle = reading_bundle(1000);
  bundle.cases.push_back(bundle.cases[0]);
  bundle.cases[1].id = "sum/+1";
  bundle.cases[0].families = bundle.cases[1].families = input_families();
  const Plan plan = *make_plan(bundle, kPlenty);
  const auto names = [&](std::uint64_t seed) {
    std::vector<std::string> all;
    for (const PlannedRun &run : shuffled(plan, plan.runs, bundle, seed))
      all.push_back(bundle.cases[plan.inputs[run.inputs].case_index].id + " " +
                    plan.inputs[run.inputs].family + " " + std::to_string(static_cast<int>(run.placement)));
    return all;
  };
  EXPECT_EQ(names(1), names(1));
  EXPECT_NE(names(1), names(2));
  EXPECT_EQ(names(1)[0], "sum user 0");
  const int last = std::stoi(names(1).back().substr(names(1).back().rfind(' ')));
  EXPECT_TRUE(is_misaligned(static_cast<Placement>(last))) << "misaligned runs last";
  auto sorted = names(1), given = names(2);
  std::ranges::sort(sorted);
  std::ranges::sort(given);
  EXPECT_EQ(sorted, given);
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
