// SPDX-License-Identifier: Apache-2.0
//
// CUPTI's host API knows every chip's metrics without a GPU; a name that no chip has would spoil every
// profile.
#include "evolution/device/counters/counters.h"

#include <gtest/gtest.h>

#include "evolution/judge/time/roofline.h"

namespace cupilot {
using namespace device::counters;
using namespace judge::time;
namespace {

class ChipTest : public testing::TestWithParam<const char *> {};

TEST_P(ChipTest, HasEveryMetric) {
  const auto known = known_metrics(GetParam(), profile_metrics());
  if (!known) GTEST_SKIP() << known.error().message;
  EXPECT_EQ(*known, profile_metrics());
}
INSTANTIATE_TEST_SUITE_P(Chips, ChipTest, testing::Values("GA100", "AD102", "GH100", "GB100"));

TEST(Counters, ANameNoChipHasIsLeftOut) {
  const auto known = known_metrics(
      "GH100", {"dram__bytes.sum", "sm__inst_executed_pipe_fp32.avg.pct_of_peak_sustained_active"});
  if (!known) GTEST_SKIP() << known.error().message;
  EXPECT_EQ(*known, std::vector<std::string>{"dram__bytes.sum"});
}

}  // namespace
}  // namespace cupilot
