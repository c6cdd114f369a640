// SPDX-License-Identifier: Apache-2.0
#include "driver/worker/outputs.h"

#include <gtest/gtest.h>

#include <cstring>

#include "evolution/device/kernels.h"

namespace cupilot {
namespace {

Bundle bundle() {
  Bundle made;
  for (const char *name : {"a", "b"}) {
    Parameter parameter;
    parameter.name = name;
    parameter.pointer = true;
    parameter.element = ElementType::f32;
    parameter.element_bytes = 4;
    made.parameters.push_back(parameter);
  }
  Case which;
  which.id = which.workload = "w";
  which.buffers = {{"a", BufferRole::out, 4, {}}, {"b", BufferRole::inout, 4, {}}};
  made.cases = {which};
  return made;
}

class OutputsTest : public testing::Test {
protected:
  Bundle bundle_ = bundle();
  CaseLayout layout_ = *make_layout(bundle_.parameters, bundle_.cases[0], Placement::base);
  std::vector<std::byte> expected_ = std::vector<std::byte>(layout_.dump_bytes), got_ = expected_;
  void put(std::vector<std::byte> &dump, std::size_t buffer, std::size_t index, float value) {
    std::memcpy(dump.data() + dump_offsets(layout_)[buffer] + 4 * index, &value, 4);
  }
};

TEST_F(OutputsTest, EqualDumpsGiveOneErrorEntryAnOutput) {
  const auto check = check_outputs(bundle_, layout_, "w", "user", expected_, got_);
  EXPECT_TRUE(check.wrong.empty());
  EXPECT_EQ(check.errors.size(), 2u);
}

TEST_F(OutputsTest, NamesTheWrongOutput) {
  put(expected_, 1, 2, 5);
  put(got_, 1, 2, 6);
  const auto check = check_outputs(bundle_, layout_, "w", "user", expected_, got_);
  EXPECT_NE(check.wrong.find("output 'b'"), std::string::npos);
  ASSERT_EQ(check.errors.size(), 1u);
  EXPECT_EQ(check.errors[0].parameter, "b");
  EXPECT_EQ(check.errors[0].worst_index, 2u);
}

TEST_F(OutputsTest, PoisonIsNoNanOfTheOriginal) {
  for (std::size_t i = 0; i < got_.size(); i += 2) std::memcpy(&got_[i], &kernels::kPoison, 2);
  EXPECT_FALSE(find_nan(bundle_, layout_, got_));
  put(got_, 0, 1, __builtin_nanf(""));
  EXPECT_TRUE(find_nan(bundle_, layout_, got_));
}

TEST_F(OutputsTest, DescribesARun) {
  EXPECT_EQ(describe_run(bundle_, 0, "user", Placement::base), "workload 'w', inputs 'user'");
  EXPECT_NE(describe_run(bundle_, 0, "user", Placement::misaligned).find("one element past"),
            std::string::npos);
}

}  // namespace
}  // namespace cupilot
