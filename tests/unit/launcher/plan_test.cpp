// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/launcher/stamp.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PlanTest : public testing::Test {
protected:
  void SetUp() override {
    write("x.cu", "#pragma cupilot optimize\n__global__ void k(int n);\n");
    land("k", "sm_90");
  }
  void write(const fs::path &name, const std::string &content) {
    ASSERT_TRUE(write_file_atomic(folder.path() / name, content));
  }
  std::string read(const fs::path &name) { return read_file(folder.path() / name).value(); }

  void land(const std::string &name, const std::string &arch, const std::string &source = "x.cu",
            bool estimate = false) {
    const std::string variant = "// variant for " + arch;
    const auto at = fs::path("tuned") / name / arch;
    write(at / "variant.cuh", variant);
    write(
        at / "record.json",
        R"({"cupilot_record":1,"arch":")" + arch + R"(","estimate":)" + (estimate ? "true" : "false") +
            R"(,"kernel":{"name":"k","instantiation":"k","namespaces":[],"file":")" + source +
            R"(","parameters":[{"name":"n"}]},"kernel_id":"id","fingerprints":[{"source":")" + source +
            R"(","macros":"m","files":[{"path":"x.cu","sha256":")" + sha256(read("x.cu")) +
            R"("}]}],"guard":{"domain":{},"launch":{"grid":["1","1","1"],"block":["1","1","1"],"shared_bytes":"0"}},)" +
            R"("variant_sha256":")" + sha256(variant) + R"("})");
  }
  Plan plan() {
    trouble = {};
    return make_plan(job, read_user_files(job), settings, folder.path() / "cache", trouble);
  }
  std::vector<std::string> used() {
    std::vector<std::string> architectures;
    for (const auto &swap : plan().swaps) architectures.push_back(swap.record.arch);
    return architectures;
  }

  TemporaryFolder folder = TemporaryFolder::create("cupilot-test").value();
  Settings settings{.records = {folder.path() / "tuned"}, .annotate = folder.path() / "none"};
  CompileJob job{
      .command = {"nvcc"}, .source = folder.path() / "x.cu", .architectures = {"sm_90"}, .macros = "m"};
  Trouble trouble;
};

TEST_F(PlanTest, UsesARecordWhoseFingerprintMatches) {
  const auto made = plan();
  ASSERT_EQ(made.swaps.size(), 1u);
  EXPECT_EQ(made.swaps[0].variant, "// variant for sm_90");
  EXPECT_EQ(made.dependencies.size(), 2u);
  EXPECT_EQ(trouble.text(), "");
}

TEST_F(PlanTest, UsesOnlyArchitecturesThatAreCompiled) {
  land("k", "sm_80");
  land("k", "sm_90a");
  EXPECT_THAT(used(), ElementsAre("sm_90"));
  job.architectures = {"sm_80", "sm_90a"};
  EXPECT_THAT(used(), ElementsAre("sm_80", "sm_90", "sm_90a"));
  job.architectures = {"sm_86"};
  EXPECT_THAT(used(), IsEmpty());
  EXPECT_THAT(plan().dependencies, IsEmpty()) << "a record for another architecture rebuilds nothing";
}

TEST_F(PlanTest, LeavesOtherSourcesRecordsAlone) {
  write("y.cu", "");
  land("other", "sm_90", "y.cu");
  EXPECT_EQ(plan().relevant.size(), 2u);
}

TEST_F(PlanTest, AcceptsEstimatesOnlyWhenAsked) {
  land("k", "sm_90", "x.cu", true);
  EXPECT_THAT(used(), IsEmpty());
  settings.accept_estimates = true;
  EXPECT_THAT(used(), ElementsAre("sm_90"));
}

TEST_F(PlanTest, ChangedSourcesMacrosOrNamesakesNeedAnAnswer) {
  job.macros = "other";
  EXPECT_THAT(used(), IsEmpty());
  EXPECT_THAT(trouble.text(), HasSubstr("cupilot-annotate, which could compare them, is not installed"));
  job.macros = "m";
  EXPECT_THAT(used(), ElementsAre("sm_90"));
  write("x.cu", read("x.cu") + "\n");
  EXPECT_THAT(used(), IsEmpty());
}

TEST_F(PlanTest, DigestFollowsEveryFileItDependsOn) {
  const auto before = plan().digest;
  EXPECT_EQ(plan().digest, before);
  write("tuned/k/sm_90/variant.cuh", "// edited");
  EXPECT_NE(plan().digest, before);
  EXPECT_THAT(trouble.text(), HasSubstr("not the variant that was judged"));
}

TEST_F(PlanTest, DamagedRecordsConcernWhoeverNamesTheKernel) {
  write("tuned/k/sm_90/record.json", "{");
  EXPECT_EQ(plan().relevant.size(), 2u);
  EXPECT_THAT(trouble.text(), HasSubstr("record.json' is damaged (not valid JSON at line 1)"));
  write("tuned/elsewhere/sm_90/record.json", "{");
  EXPECT_EQ(plan().relevant.size(), 2u);
}

TEST_F(PlanTest, ExplainsEveryRecordThatIsNotUsed) {
  write("x.cu", "#pragma cupilot optimize\n__global__ void k(int n);\n__global__ void second(int n);\n");
  land("second", "sm_90");
  write("tuned/k/sm_90/record.json", "{");
  write("tuned/second/sm_90/record.json",
        replace_all(read("tuned/second/sm_90/record.json"), R"("block":["1")", R"("block":["n;")"));
  log::set_debug(true);
  testing::internal::CaptureStderr();
  EXPECT_THAT(used(), IsEmpty());
  log::set_debug(false);
  EXPECT_THAT(trouble.text(), HasSubstr("k/sm_90/record.json' is damaged"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("second/sm_90/record.json' is damaged (member 'launch': 'n;': unexpected ';')"));
}

TEST_F(PlanTest, RefreshRewritesOnlyStampsWhoseRecordsChanged) {
  settings.cache = folder.path() / "cache";
  const auto unit = unit_of(job, read_user_files(job));
  const auto stamp = fs::path("cache/x-1/stamp"), untouched = fs::path("cache/y-1/stamp");
  write(stamp, stamp_text(unit, relevant_records(unit, settings)));
  write(untouched, stamp_text({.source = "/y.cu", .files = {"/y.cu"}, .architectures = {"sm_90"}}, {}));
  const auto past = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const auto age = [&](const fs::path &name) { fs::last_write_time(folder.path() / name, past); };
  const auto rewritten = [&](const fs::path &name) {
    return fs::last_write_time(folder.path() / name) != past;
  };
  age(stamp), age(untouched);
  ASSERT_TRUE(refresh_stamps(settings));
  EXPECT_FALSE(rewritten(stamp));
  job.architectures = {"sm_90"};
  fs::remove_all(folder.path() / "tuned/k");
  ASSERT_TRUE(refresh_stamps(settings));
  EXPECT_TRUE(rewritten(stamp));
  EXPECT_FALSE(rewritten(untouched));
}

}  // namespace
}  // namespace cupilot::launcher
