// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/timed_outputs.h"

#include <gtest/gtest.h>

namespace cupilot {
using namespace judge::correct;
using namespace model;
namespace {

std::vector<OutputError> limited(double max_limit) {
  OutputError error;
  error.max_limit = max_limit;
  return {error};
}

TEST(TimedOutputs, EqualLaunchesAreFine) {
  EXPECT_EQ(timed_trouble({40, 0, 0, 0, 0}, limited(0), true), "");
}

TEST(TimedOutputs, WorkLeftOutShowsWhateverTheLimits) {
  const std::string text = timed_trouble({40, 39, 1024, 0, 0}, limited(1), false);
  EXPECT_NE(text.find("left 1024 elements"), std::string::npos) << text;
}

TEST(TimedOutputs, NumbersThatComeAndGoShow) {
  EXPECT_NE(timed_trouble({40, 1, 0, 3, 0}, limited(1), false).find("NaN or infinity in 3"),
            std::string::npos);
}

TEST(TimedOutputs, SumsInAnotherOrderMayDifferWithinLimits) {
  EXPECT_EQ(timed_trouble({40, 25, 0, 0, 1.9e-6}, limited(1e-6), false), "");
  const std::string text = timed_trouble({40, 25, 0, 0, 2.1e-6}, limited(1e-6), false);
  EXPECT_NE(text.find("25 of 40 timed launches"), std::string::npos) << text;
  EXPECT_NE(timed_trouble({40, 25, 0, 0, 1e-9}, limited(1e-6), true).find("deterministic"),
            std::string::npos);
  EXPECT_NE(timed_trouble({40, 1, 0, 0, 1e-9}, limited(0), false), "") << "integers must be equal";
}

}  // namespace
}  // namespace cupilot
