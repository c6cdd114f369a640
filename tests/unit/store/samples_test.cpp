// SPDX-License-Identifier: Apache-2.0
#include "evolution/store/samples.h"

#include <gtest/gtest.h>

namespace cupilot {
namespace {

TEST(Samples, ComeBackBitForBit) {
  const std::vector<double> numbers = {12.5, 1.0 / 3, 1e-300, 1e300, 0};
  EXPECT_EQ(numbers_from_text(numbers_to_text(numbers)).value(), numbers);
  EXPECT_TRUE(numbers_from_text("")->empty());
}

TEST(Samples, RefuseWhatIsNoNumber) {
  const auto numbers = numbers_from_text("1.5 x2");
  ASSERT_FALSE(numbers);
  EXPECT_NE(numbers.error().message.find("'x2'"), std::string::npos);
}

TEST(Samples, DroppedOnesKeepTheirReason) {
  const auto dropped = dropped_from_text(dropped_to_text({{4.25, "clock 61 %"}, {5, "two\nlines"}}));
  ASSERT_TRUE(dropped);
  ASSERT_EQ(dropped->size(), 2u);
  EXPECT_EQ(dropped->at(0).reason, "clock 61 %");
  EXPECT_EQ(dropped->at(1).time_us, 5);
  EXPECT_EQ(dropped->at(1).reason, "two lines");
}

}  // namespace
}  // namespace cupilot
