// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/l1_cache.h"

#include <gtest/gtest.h>

namespace cupilot::emulate::estimation {
using namespace cupilot::emulate::estimate;
namespace {

TEST(L1Cache, KeepsSectorsApart) {
  L1Cache cache(1 << 16);
  EXPECT_LT(cache.find(40), 0);
  cache.arrives(40, 123);
  EXPECT_EQ(cache.find(40), 123);
  EXPECT_LT(cache.find(41), 0);  // the same line, another sector
}

TEST(L1Cache, ForgetsTheLeastRecentlyUsed) {
  L1Cache cache(1024);  // one set of eight lines
  for (std::uint64_t line = 0; line < 8; ++line) EXPECT_LT(cache.find(line * 4), 0);
  EXPECT_GE(cache.find(0), 0);
  EXPECT_LT(cache.find(8 * 4), 0);
  EXPECT_GE(cache.find(0), 0);
  EXPECT_LT(cache.find(1 * 4), 0);
}

TEST(L1Cache, DropsWhatIsWritten) {
  L1Cache cache(1 << 16);
  (void)cache.find(5);
  cache.drop(5);
  EXPECT_LT(cache.find(5), 0);
}

TEST(L1Cache, NoneLeftBesideSharedMemoryStillWorks) {
  L1Cache cache(-100);
  EXPECT_LT(cache.find(5), 0);
}

}  // namespace
}  // namespace cupilot::emulate::estimation
