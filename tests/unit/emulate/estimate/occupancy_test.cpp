// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/occupancy.h"

#include <gtest/gtest.h>

namespace cupilot::emulate::estimation {
using namespace cupilot::emulate::estimate;
namespace {

struct Setting {
  const char *device;
  int threads, registers;
  std::uint64_t shared;
  int blocks;
  const char *limit;
};
class Residencies : public testing::TestWithParam<Setting> {};

TEST_P(Residencies, AreLimited) {
  const Setting setting = GetParam();
  const auto device = device_table(setting.device);
  ASSERT_TRUE(device);
  const Residency found = residency(setting.threads, setting.registers, setting.shared, *device);
  EXPECT_EQ(found.blocks, setting.blocks);
  EXPECT_STREQ(found.limit, setting.limit);
}
INSTANTIATE_TEST_SUITE_P(Limits, Residencies,
                         testing::Values(Setting{"sm_90_h200", 256, 32, 0, 8, "threads"},
                                         Setting{"sm_90_h200", 32, 16, 0, 32, "blocks"},
                                         Setting{"sm_90_h200", 256, 128, 0, 2, "registers"},
                                         Setting{"sm_90_h200", 1024, 33, 0, 1, "registers"},
                                         Setting{"sm_90_h200", 1024, 72, 0, 0, "registers"},
                                         Setting{"sm_90_h200", 128, 32, 100 << 10, 2, "shared memory"},
                                         Setting{"sm_86_a6000", 256, 32, 0, 6, "threads"},
                                         Setting{"sm_86_a6000", 32, 16, 0, 16, "blocks"},
                                         Setting{"sm_86_a6000", 256, 40, 48 << 10, 2, "shared memory"},
                                         Setting{"sm_80_a100", 100, 32, 0, 16, "threads"}));

}  // namespace
}  // namespace cupilot::emulate::estimation
