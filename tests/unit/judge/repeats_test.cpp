// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/repeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace cupilot {
using namespace judge::cases;
using namespace judge::correct;
using namespace model;
using namespace spec;
namespace {

using testing::HasSubstr;

Parameter output(const std::string &name, ElementType type) {
  Parameter made;
  made.name = name;
  made.type = "float *";
  made.pointer = true;
  made.element = type;
  made.element_bytes = 4;
  return made;
}

class RepeatsTest : public testing::Test {
protected:
  RepeatsTest() {
    bundle_.parameters = {output("y", ElementType::f32), output("order", ElementType::i32)};
    Case which;
    which.id = which.workload = "w";
    which.buffers = {{"y", BufferRole::out, 4, {}}, {"order", BufferRole::out, 4, {}}};
    layout_ = *make_layout(bundle_.parameters, which, Placement::base);
  }

  std::vector<std::byte> outputs(std::array<float, 4> y, std::array<int, 4> order = {}) const {
    std::vector<std::byte> bytes(layout_.dump_bytes);
    const auto offsets = dump_offsets(layout_);
    std::memcpy(bytes.data() + offsets[0], y.data(), sizeof y);
    std::memcpy(bytes.data() + offsets[1], order.data(), sizeof order);
    return bytes;
  }
  Repeats repeats(const std::vector<std::vector<std::byte>> &runs) const {
    Repeats made;
    for (std::size_t i = 1; i < runs.size(); ++i) add_repeat(made, bundle_, layout_, runs[0], runs[i]);
    return made;
  }
  RepeatAnswer judge(const Repeats &candidate, const Repeats &original = {}) const {
    return judge_repeats(bundle_, layout_, candidate, original);
  }

  Bundle bundle_;
  CaseLayout layout_;
  const std::array<float, 4> one_{1, 2, 3, 4}, near_{1, std::nextafter(2.0f, 3.0f), 3, 4},
      far_{1, 2.01f, 3, 4};
};

TEST_F(RepeatsTest, BitwiseEqualNeedsNoOriginal) {
  const auto made = repeats({outputs(one_), outputs(one_), outputs(one_)});
  EXPECT_EQ(made.runs, 2);
  EXPECT_TRUE(made.bitwise());
  EXPECT_TRUE(judge(made).ok);
  EXPECT_EQ(judge(made).detail, "bitwise equal");
}

TEST_F(RepeatsTest, TheFirstDifferenceIsNamed) {
  const auto made = repeats({outputs(one_), outputs(one_), outputs(far_)});
  EXPECT_FALSE(made.bitwise());
  EXPECT_THAT(made.told, HasSubstr("output 'y', repeat 2: element 1 is 2.00999"));
  EXPECT_THAT(made.told, HasSubstr("was 2"));
}

TEST_F(RepeatsTest, DeterministicAllowsNoDifferenceAtAll) {
  bundle_.deterministic = true;
  const auto answer =
      judge(repeats({outputs(one_), outputs(near_)}), repeats({outputs(one_), outputs(far_)}));
  EXPECT_FALSE(answer.ok);
  EXPECT_THAT(answer.detail, HasSubstr("`deterministic`"));
}

TEST_F(RepeatsTest, AStableOriginalAllowsWhatThePrecisionLimitsDo) {
  const auto answer =
      judge(repeats({outputs(one_), outputs(near_)}), repeats({outputs(one_), outputs(one_)}));
  EXPECT_TRUE(answer.ok);
  EXPECT_THAT(answer.detail, HasSubstr("the original's is bitwise equal"));
}

TEST_F(RepeatsTest, ARestlessOriginalSetsTheMeasure) {
  const auto restless = repeats({outputs(one_), outputs(near_)});
  EXPECT_TRUE(judge(restless, restless).ok);
  const auto answer = judge(repeats({outputs(one_), outputs(far_)}), restless);
  EXPECT_FALSE(answer.ok);
  EXPECT_THAT(answer.detail, HasSubstr("output 'y' varies by 0.00"));
  EXPECT_THAT(answer.detail, HasSubstr("look for a race"));
}

TEST_F(RepeatsTest, IntegersAreEqualUnlessTheOriginalsAreNot) {
  const auto moving = repeats({outputs(one_, {1, 2, 3, 4}), outputs(one_, {2, 1, 3, 4})});
  const auto still = repeats({outputs(one_), outputs(one_)});
  EXPECT_FALSE(judge(moving, still).ok);
  EXPECT_THAT(judge(moving, still).detail, HasSubstr("output 'order'"));
  EXPECT_TRUE(judge(moving, moving).ok);
}

TEST_F(RepeatsTest, ANumberThatBecomesNanIsNoSpread) {
  const auto made = repeats({outputs(one_), outputs({1, NAN, 3, 4})});
  EXPECT_FALSE(judge(made, repeats({outputs(one_), outputs(one_)})).ok);
  EXPECT_FALSE(judge(made, repeats({outputs(one_), outputs(near_)})).ok);
}

}  // namespace
}  // namespace cupilot
