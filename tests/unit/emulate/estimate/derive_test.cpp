// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/derive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::estimate;
namespace {

using testing::HasSubstr;

CalibrationFigures committed() {
  const auto text = read_file(CUPILOT_ESTIMATE_FOLDER "/calibration/sm_90_h200.json");
  EXPECT_TRUE(text);
  auto calibration = read_calibration(*text);
  EXPECT_TRUE(calibration);
  return *calibration;
}

TEST(Derive, TheCommittedTableIsWhatTheCommittedCalibrationGives) {
  const auto table = derive_table(committed(), "calibrated: calibration/sm_90_h200.json");
  ASSERT_TRUE(table) << table.error().message;
  const auto text = read_file(CUPILOT_ESTIMATE_FOLDER "/devices/sm_90_h200.json");
  ASSERT_TRUE(text);
  EXPECT_EQ(device_table_json(*table), *text);
}

TEST(Derive, FollowsTheFigures) {
  auto calibration = committed();
  for (auto &figure : calibration.figures)
    if (figure.name == "throughput_f64_fma") figure.value = 16;
  const auto table = derive_table(calibration, "");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->values.at("fp64_cycles"), 16);
}

TEST(Derive, NamesAMissingFigure) {
  auto calibration = committed();
  std::erase_if(calibration.figures, [](const auto &figure) { return figure.name == "latency_dram"; });
  const auto table = derive_table(calibration, "");
  ASSERT_FALSE(table);
  EXPECT_THAT(table.error().message, HasSubstr("latency_dram"));
}

TEST(ReadCalibration, RefusesWhatIsNone) {
  for (const char *text :
       {"", "[]", "{}", "{\"cupilot_calibration\": 1}", "{\"cupilot_calibration\": 1, \"device\": {}}",
        "{\"cupilot_calibration\": 2, \"device\": {}, \"figures\": []}"})
    EXPECT_FALSE(read_calibration(text)) << text;
}

}  // namespace
}  // namespace cupilot::emulate
