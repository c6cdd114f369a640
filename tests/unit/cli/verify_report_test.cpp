// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/verify_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cupilot::cli {
using namespace cupilot::cli::report;
using namespace cupilot::model;
using namespace cupilot::record;
using namespace cupilot::spec;
namespace {

using testing::HasSubstr;
using testing::Not;

VerifiedRecord judged(VerdictKind kind, double speedup) {
  VerifiedRecord row;
  row.kernel = "gemm";
  row.view.architecture = "sm_90";
  row.view.state = RecordState::fits;
  row.view.record.emplace();
  row.view.record->verdict = "faster";
  row.view.record->measurements = {{.workload = "w", .speedup = 2, .verdict = "faster"}};
  row.verdict.emplace();
  row.verdict->kind = kind;
  if (speedup > 0) row.verdict->measurements = {{.workload = "w", .verdict = kind, .speedup = speedup}};
  return row;
}

TEST(VerifyReport, ComparesWithTheRecord) {
  const auto row = judged(VerdictKind::faster, 1.5);
  EXPECT_FALSE(row.wrong());
  EXPECT_FALSE(row.no_longer_faster());
  const auto json = verify_json({row}, true);
  const auto &record = json["records"][0];
  EXPECT_EQ(record["recorded_speedup"], 2);
  EXPECT_EQ(record["measurements"][0]["ratio"], 0.75);
  EXPECT_EQ(record["precision"], "same");
}

TEST(VerifyReport, TellsWrongFromNoLongerFaster) {
  EXPECT_TRUE(judged(VerdictKind::slower, 0.9).no_longer_faster());
  EXPECT_FALSE(judged(VerdictKind::slower, 0.9).wrong());
  EXPECT_FALSE(judged(VerdictKind::same, 0).no_longer_faster()) << "not timed";
  EXPECT_TRUE(judged(VerdictKind::wrong, 0).wrong());
  EXPECT_FALSE(judged(VerdictKind::not_evaluated, 0).wrong());
}

TEST(VerifyReport, StrictAndRelaxedStandApart) {
  auto row = judged(VerdictKind::faster, 1.5);
  EXPECT_THAT(verify_text({row}), Not(HasSubstr("same")));
  row.precision = {PrecisionKind::relaxed, 0.01, 0};
  EXPECT_THAT(verify_text({row}), HasSubstr("gemm (relaxed(0.01, 0))"));
  EXPECT_EQ(verify_json({row}, true)["records"][0]["precision"], "relaxed(0.01, 0)");
}

TEST(VerifyReport, RecordedSpeedupIsOfTheWorkloadsItIsFor) {
  Record record;
  record.measurements = {{.workload = "a", .speedup = 4, .verdict = "faster"},
                         {.workload = "b", .speedup = 0.5, .verdict = "slower"},
                         {.workload = "h", .speedup = 9, .verdict = "faster", .holdout = true}};
  EXPECT_NEAR(recorded_speedup(record), 1.41421, 1e-4);
  record.guard.boxes = {{{"n", {1, 2}}}};
  EXPECT_NEAR(recorded_speedup(record), 2, 1e-9) << "the original runs outside of the boxes";
}

}  // namespace
}  // namespace cupilot::cli
