// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/time/roofline.h"

#include <gtest/gtest.h>

namespace cupilot {
using namespace judge::time;
using namespace model;
namespace {

DeviceReport device() {
  DeviceReport report;
  report.architecture = "sm_90";
  report.multiprocessors = 132;
  report.sm_clock_mhz = 1980;
  report.copy_bandwidth_gbs = 4000;
  return report;
}

TEST(Roofline, PeakOfAKnownDevice) {
  EXPECT_NEAR(peak_flops(device()), 67e12, 0.1e12);
  DeviceReport other = device();
  other.architecture = "sm_61";
  EXPECT_EQ(peak_flops(other), 0);
}

TEST(Roofline, BytesDecideWithoutCounters) {
  Profile profile;
  digest(profile, device(), {3.2e9, 1000});
  EXPECT_NEAR(profile.memory_share, 0.8, 1e-9);
  EXPECT_EQ(profile.roofline_class, "memory-bound");
}

TEST(Roofline, ArithmeticDecidesWithCounters) {
  Profile profile;
  profile.counters = {{"gpu__time_duration.sum", 1e6},
                      {"dram__bytes.sum", 4e8},
                      {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0.7 * 66.9e12 * 1e-3 / 2}};
  digest(profile, device(), {});
  EXPECT_NEAR(profile.memory_share, 0.1, 1e-9);
  EXPECT_NEAR(profile.compute_share, 0.7, 0.01);
  EXPECT_EQ(profile.roofline_class, "compute-bound");
}

TEST(Roofline, ColdTimeAndLeastBytesCorrectTheCounters) {
  Profile profile;
  profile.counters = {{"gpu__time_duration.sum", 2e6}, {"dram__bytes.sum", 1e9}};
  digest(profile, device(), {3.6e9, 1000});
  EXPECT_NEAR(profile.memory_share, 0.9, 1e-9);
  EXPECT_EQ(profile.roofline_class, "memory-bound");
}

TEST(Roofline, NeitherIsLatencyBound) {
  Profile profile;
  digest(profile, device(), {1e8, 1000});
  EXPECT_EQ(profile.roofline_class, "latency-bound");
}

}  // namespace
}  // namespace cupilot
