// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"

namespace cupilot::cli {
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
