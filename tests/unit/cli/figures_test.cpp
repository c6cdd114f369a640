// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/text/figures.h"

#include <gtest/gtest.h>

namespace cupilot::cli {
using namespace cupilot::cli::text;
using namespace cupilot::model;
namespace {

using namespace std::chrono_literals;

TEST(Figures, TimesKeepThreeDigitsOrMore) {
  EXPECT_EQ(time_text(4.2149), "4.21");
  EXPECT_EQ(time_text(61.34), "61.3");
  EXPECT_EQ(time_text(1522.6), "1523");
  EXPECT_EQ(time_text(0), "-");
}

TEST(Figures, SpeedUpsSayTheirInterval) {
  Measurement m;
  EXPECT_EQ(speedup_text(m), "-");
  m.speedup = 2.1, m.speedup_low = 2.05, m.speedup_high = 2.138;
  EXPECT_EQ(speedup_text(m), "2.10x (2.05 to 2.14)");
}

TEST(Figures, DurationsGetCoarserAsTheyGrow) {
  EXPECT_EQ(duration_text(4499ms), "4 s");
  EXPECT_EQ(duration_text(190s), "3 min 10 s");
  EXPECT_EQ(duration_text(45min + 10s), "45 min");
  EXPECT_EQ(duration_text(65min), "1 h 5 min");
}

}  // namespace
}  // namespace cupilot::cli
