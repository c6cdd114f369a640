// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/records/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "driver/cli/records/record_view.h"

namespace cupilot::cli {
using namespace cupilot::cli::project;
using namespace cupilot::cli::records;
using namespace cupilot::model;
using namespace cupilot::record;
using namespace cupilot::spec;
namespace {

using testing::HasSubstr;

/// A kernel, one case of it, and a verdict as fast as asked.
class PublishTest : public testing::Test {
protected:
  void SetUp() override {
    auto folder = TemporaryFolder::create("cupilot-publish");
    ASSERT_TRUE(folder);
    scratch_ = std::make_unique<TemporaryFolder>(std::move(*folder));
    kernel_.records = scratch_->path() / "tuned";
    auto &spec = kernel_.spec;
    spec.name = spec.qualified_name = spec.instantiation = "scale";
    spec.kernel_id = std::string(64, 'a'), spec.workload_id = std::string(64, 'b');
    spec.place = {(scratch_->path() / "a.cu").string(), 3, 1};
    spec.fingerprint = {"a.cu", {{"a.cu", std::string(64, 'c')}}, std::string(64, 'd')};
    Parameter n;
    n.name = "n", n.type = "int", n.element = ElementType::i32, n.element_type = "int", n.element_bytes = 4;
    spec.parameters = {n};
    Workload workload;
    workload.id = "w";
    workload.set = {{"n", "1024"}};
    workload.launch.grid[0] = "(n + 255) / 256", workload.launch.block[0] = "256";
    spec.workloads = {workload};
    kernel_.fingerprints = {spec.fingerprint};
    Case one;
    one.id = one.workload = "w";
    one.timed = true;
    one.scalars["n"] = std::int64_t{1024};
    one.grid[0] = 4, one.block[0] = 256;
    cases_ = {one};
  }
  Result<Publication> publish(const std::string &variant, double speedup) {
    Individual individual;
    individual.id = "c0001", individual.variant = variant, individual.provider = "hand";
    Verdict verdict;
    verdict.kind = VerdictKind::faster;
    verdict.cases_passed = {"w"};
    verdict.device.name = "a GPU";
    Measurement m;
    m.workload = "w", m.verdict = VerdictKind::faster;
    m.original.median_us = 100, m.candidate.median_us = 100 / speedup;
    m.speedup = speedup, m.speedup_low = speedup * 0.99, m.speedup_high = speedup * 1.01;
    verdict.measurements = {m};
    Provenance provenance;
    provenance.architecture = "sm_90", provenance.policy = "hand",
    provenance.created = "2026-01-01T00:00:00Z";
    return publish_winner(kernel_, {individual, verdict, cases_}, provenance);
  }
  Result<Publication> publish_estimate(const std::string &variant, double ratio) {
    Individual individual;
    individual.id = "c0001", individual.variant = variant, individual.provider = "builtin";
    Verdict verdict;
    verdict.kind = VerdictKind::faster;
    verdict.cases_passed = {"w"};
    verdict.device.name = "a GPU", verdict.device.emulated = true;
    Estimate estimate{.workload = "w", .verdict = VerdictKind::faster, .tie = false, .ratio = ratio};
    estimate.original.time_us = 100, estimate.candidate.time_us = 100 / ratio;
    verdict.estimates = {estimate};
    verdict.limits = {"w verified at n=64 instead of n=1024"};
    Provenance provenance;
    provenance.architecture = "sm_90", provenance.policy = "rules",
    provenance.created = "2026-01-01T00:00:00Z";
    return publish_winner(kernel_, {individual, verdict, cases_}, provenance);
  }
  std::unique_ptr<TemporaryFolder> scratch_;
  ProjectKernel kernel_;
  std::vector<Case> cases_;
};

TEST_F(PublishTest, WritesARecordThatFits) {
  const auto publication = publish("// one\n", 1.5);
  ASSERT_TRUE(publication) << publication.error().message;
  EXPECT_EQ(publication->kind, Publication::Kind::published);
  EXPECT_TRUE(std::filesystem::exists(publication->folder / "record.json"));
  EXPECT_EQ(status_of(kernel_.records, kernel_.spec, "sm_90").state, RecordState::fits);
}

TEST_F(PublishTest, LeavesARecordThatSaysTheSame) {
  ASSERT_TRUE(publish("// one\n", 1.5));
  const auto again = publish("// one\n", 1.51);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Publication::Kind::unchanged);
}

TEST_F(PublishTest, KeepsAClearlyBetterRecord) {
  ASSERT_TRUE(publish("// one\n", 2.0));
  const auto worse = publish("// two\n", 1.5);
  ASSERT_TRUE(worse);
  EXPECT_EQ(worse->kind, Publication::Kind::kept_better);
  EXPECT_THAT(load_record(worse->folder)->variant, HasSubstr("// one"));
  EXPECT_THAT(describe(*worse), HasSubstr("2.00x"));
}

TEST_F(PublishTest, AnEstimateSaysSoInTheFirstLineOfBothFiles) {
  const auto publication = publish_estimate("// one\n", 3);
  ASSERT_TRUE(publication) << publication.error().message;
  EXPECT_EQ(publication->kind, Publication::Kind::published);
  EXPECT_THAT(describe(*publication), HasSubstr("ACCEPT_ESTIMATES"));
  const auto first_line = [&](const char *file) {
    const auto text = read_file(publication->folder / file).value();
    return text.substr(0, text.find('\n'));
  };
  EXPECT_THAT(first_line("record.json"), HasSubstr("\"estimate\": true"));
  EXPECT_THAT(first_line("record.json"), HasSubstr("never measured"));
  EXPECT_THAT(first_line("variant.cuh"), HasSubstr("ESTIMATED, never measured"));
  const auto record = load_record(publication->folder);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_TRUE(record->record.estimate);
  EXPECT_TRUE(record->record.measurements.empty());
  ASSERT_EQ(record->record.estimates.size(), 1u);
  EXPECT_DOUBLE_EQ(record->record.estimates[0].ratio, 3);
  EXPECT_EQ(record->record.limits.size(), 1u);
}

TEST_F(PublishTest, AnEstimateNeverReplacesAMeasurement) {
  ASSERT_TRUE(publish("// one\n", 1.1));
  const auto refused = publish_estimate("// two\n", 100);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->kind, Publication::Kind::kept_measured);
  EXPECT_THAT(describe(*refused), HasSubstr("an estimate never replaces a measurement"));
  EXPECT_THAT(load_record(refused->folder)->variant, HasSubstr("// one"));
  kernel_.spec.kernel_id = std::string(64, 'e');
  EXPECT_EQ(publish_estimate("// two\n", 100)->kind, Publication::Kind::kept_measured)
      << "not a stale one either";
}

TEST_F(PublishTest, AMeasurementReplacesAnEstimate) {
  ASSERT_TRUE(publish_estimate("// one\n", 100));
  const auto measured = publish("// two\n", 1.1);
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->kind, Publication::Kind::published);
  EXPECT_FALSE(load_record(measured->folder)->record.estimate);
}

TEST_F(PublishTest, StatusTakesAnEstimateForMissingUnlessAccepted) {
  ASSERT_TRUE(publish_estimate("// one\n", 3));
  kernel_.spec.command.architectures = {"sm_90"};
  auto views = view_records(kernel_);
  ASSERT_EQ(views.size(), 1u);
  EXPECT_EQ(views[0].word(), "estimate");
  EXPECT_TRUE(views[0].needs_tuning());
  kernel_.accept_estimates = true;
  views = view_records(kernel_);
  EXPECT_EQ(views[0].word(), "fits");
  EXPECT_FALSE(views[0].needs_tuning());
  EXPECT_THAT(views[0].detail, HasSubstr("never measured"));
}

TEST_F(PublishTest, ReplacesOneThatNoLongerHolds) {
  ASSERT_TRUE(publish("// one\n", 2.0));
  kernel_.spec.kernel_id = std::string(64, 'e');
  const auto fresh = publish("// two\n", 1.5);
  ASSERT_TRUE(fresh);
  EXPECT_EQ(fresh->kind, Publication::Kind::published);
  EXPECT_THAT(load_record(fresh->folder)->variant, HasSubstr("// two"));
}

}  // namespace
}  // namespace cupilot::cli
