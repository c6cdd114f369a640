// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/reference_checks.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cupilot {
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

}  // namespace
}  // namespace cupilot
