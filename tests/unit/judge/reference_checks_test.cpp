// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/reference_checks.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cupilot {
using namespace judge::cases;
using namespace judge::correct;
using namespace model;
using namespace spec;
namespace {

class BlindWorkload : public testing::Test {
protected:
  BlindWorkload() {
    for (const char *name : {"x", "y"}) {
      Parameter parameter;
      parameter.name = name;
      parameter.pointer = true;
      parameter.element = ElementType::f32;
      parameter.element_bytes = 4;
      bundle_.parameters.push_back(parameter);
    }
    Case which;
    which.id = which.workload = "w";
    which.buffers = {{"x", BufferRole::in, 64, {}}, {"y", BufferRole::out, 16, {}}};
    bundle_.cases = {which};
    layout_ = *make_layout(bundle_.parameters, which, Placement::base);
    first_ = outputs(1, 0.5f);
  }

  std::vector<std::byte> outputs(float start, float step) const {
    std::vector<std::byte> bytes(layout_.dump_bytes);
    for (int i = 0; i < 16; ++i) {
      const float value = start + step * static_cast<float>(i);
      std::memcpy(bytes.data() + 4 * i, &value, 4);
    }
    return bytes;
  }
  std::string problem(const std::vector<std::byte> &second) const {
    return blind_workload(bundle_, layout_, bundle_.cases[0], {first_, {}}, second);
  }

  Bundle bundle_;
  CaseLayout layout_;
  std::vector<std::byte> first_;
};

TEST_F(BlindWorkload, OutputsThatFollowTheirInputsAreFine) {
  EXPECT_EQ(problem(outputs(1.5f, 0.25f)), "");
}

TEST_F(BlindWorkload, NoDependenceIsToldWithAWayOut) {
  const auto text = problem(first_);
  EXPECT_NE(text.find("no output depends on the inputs"), std::string::npos);
  EXPECT_NE(text.find("fill("), std::string::npos);
}

TEST_F(BlindWorkload, WhatIsBelowRoundingIsToldWithFigures) {
  const auto text = problem(outputs(1.000001f, 0.5f));
  EXPECT_NE(text.find("no more than rounding may change"), std::string::npos) << text;
  EXPECT_NE(text.find("'y' by "), std::string::npos) << text;
}

TEST_F(BlindWorkload, FixedInputsAreNoDraws) {
  EXPECT_TRUE(has_drawn_inputs(layout_));
  bundle_.cases[0].buffers[0].fill.kind = FillKind::iota;
  EXPECT_FALSE(has_drawn_inputs(*make_layout(bundle_.parameters, bundle_.cases[0], Placement::base)));
}

/// A workload whose two draws give the same, with what its buffer x is.
class NothingDrawn : public BlindWorkload {
protected:
  NothingDrawn() {
    bundle_.cases[0].buffers[0].elements = 0;
    bundle_.cases[0].scalars = {{"n", 16}};
    bundle_.cases[0].timed = true;
    plan_.inputs = {{0, "user", 1}, {0, "user", 2, 0}};
  }

  Result<> checked() {
    plan_.layouts = {*make_layout(bundle_.parameters, bundle_.cases[0], Placement::base)};
    return compare_draws(bundle_, plan_, [&](std::size_t) { return ExpectedOutputs{first_, {}}; });
  }
  void add_neighbour(std::int64_t n) {
    Case neighbour = bundle_.cases[0];
    neighbour.id = "w/n=" + std::to_string(n);
    neighbour.scalars = {{"n", n}};
    bundle_.cases.push_back(neighbour);
  }

  Plan plan_;
};

TEST_F(NothingDrawn, OutputsOfSizesAloneAreJudgedAtOtherSizes) {
  add_neighbour(15);
  EXPECT_TRUE(checked());
}

TEST_F(NothingDrawn, WithoutOtherSizesTheyAreRefused) {
  EXPECT_FALSE(checked());
  add_neighbour(16);
  EXPECT_FALSE(checked());
}

TEST_F(NothingDrawn, SoAreInputsThatAreAlwaysTheSame) {
  add_neighbour(15);
  bundle_.cases[0].buffers[0].elements = 64;
  bundle_.cases[0].buffers[0].fill.kind = FillKind::iota;
  EXPECT_FALSE(checked());
}

class Repeatability : public BlindWorkload {
protected:
  std::string problem_of_repeat(const std::vector<std::byte> &again) const {
    Repeats repeats{.runs = 1, .spread = {}, .differs = {}, .told = {}};
    add_repeat(repeats, bundle_, layout_, first_, again);
    return unrepeatable(bundle_, layout_, bundle_.cases[0], {first_, {}}, again, repeats);
  }
};

TEST_F(Repeatability, EqualRunsAreFine) {
  EXPECT_EQ(problem_of_repeat(first_), "");
}

TEST_F(Repeatability, RoundingIsFineUnlessTheDirectiveSaysDeterministic) {
  const auto again = outputs(1.0000001f, 0.5f);
  EXPECT_EQ(problem_of_repeat(again), "");
  bundle_.deterministic = true;
  const auto text = problem_of_repeat(again);
  EXPECT_NE(text.find("the original is not deterministic on workload 'w'"), std::string::npos) << text;
  EXPECT_NE(text.find("the directive says deterministic"), std::string::npos) << text;
}

TEST_F(Repeatability, OtherNumbersAreToldWithAWayOut) {
  const auto text = problem_of_repeat(outputs(1.5f, 0.25f));
  EXPECT_NE(text.find("two launches on the same data differ"), std::string::npos) << text;
  EXPECT_NE(text.find("fix the kernel"), std::string::npos) << text;
}

TEST(DiffersBecause, APlacementNamesItsOwnReason) {
  EXPECT_NE(differs_because(Placement::moved, true).find("blocks in another order"), std::string::npos);
  EXPECT_NE(differs_because(Placement::moved, false).find("the addresses of buffers"), std::string::npos);
  EXPECT_EQ(differs_because(Placement::base, false),
            "it is not deterministic, two runs on the same data differ: ");
}

}  // namespace
}  // namespace cupilot
