// SPDX-License-Identifier: Apache-2.0
//
// cupilot-emulate with a real compiler: hand-written candidates of the GPU's own test through the same judge,
// and what only the CPU executor can say of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "annotate/support/files.h"
#include "candidates.h"
#include "evolution/model/verdict_json.h"
#include "judged_bundle.h"
#include "original_run.h"
#include "row_norm_bundle.h"

namespace cupilot {
using namespace model;
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr int kSkipped = 77;

/// What a GPU most often gets away with.
HandCandidate racing() {
  return {"racing", R"(
__global__ void racing_kernel(const float *x, const float *w, float *y, int cols) {
  __shared__ float parts[256];
  x += (size_t)blockIdx.x * cols, y += (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += 256) sum += x[i] * x[i];
  parts[threadIdx.x] = sum;
  sum = 0;
  for (int i = 0; i < 256; ++i) sum += parts[i];
  const float scale = rsqrtf(sum / cols + 1e-5f);
  for (int i = threadIdx.x; i < cols; i += 256) y[i] = x[i] * scale * w[i];
}
)" + kLaunchSignature + "  racing_kernel<<<rows, 256, 0, l.stream>>>(x, w, y, cols);\n  return true;\n}\n"};
}

/// Nobody can say whether it is right where it does not decline.
HandCandidate large_only() {
  return {"large_only",
          "__global__ void large_kernel(const float *x, const float *w, float *y, int rows, int cols) {\n"
          "  x += (size_t)blockIdx.x * cols, y += (size_t)blockIdx.x * cols;\n"
          "  for (int i = threadIdx.x; i < cols; i += blockDim.x) y[i] = x[i] * w[i];\n}\n" +
              kLaunchSignature +
              "  if (rows < 4096) return false;\n"
              "  large_kernel<<<l.grid, l.block, 0, l.stream>>>(x, w, y, rows, cols);\n  return true;\n}\n"};
}

/// A few of the GPU test's: each takes a second of nvcc.
std::vector<HandCandidate> candidates() {
  const std::vector<std::string> wanted{
      "good",    "same",  "unwritten",       "past_the_end", "changes_input", "no_alignment_check",
      "endless", "trap",  "declines",        "host_crash",   "build_error",   "half",
      "exits",   "forks", "first_call_only", "other_stream", "the_original",  "scratch"};
  std::vector<HandCandidate> chosen{racing(), large_only()};
  for (HandCandidate &one : hand_candidates())
    if (std::ranges::find(wanted, one.id) != wanted.end()) chosen.push_back(std::move(one));
  return chosen;
}

/// The timed workload whole, for the estimate; its stand-in and some neighbours for everything else.
std::vector<Case> cpu_cases() {
  Case whole = row_norm_case("llama", "llama", 8192, 4096, true, {"user"});
  whole.verified = false;
  Case shrunk = row_norm_case("llama/shrunk", "llama", 512, 256, false, {"user", "normal"});
  shrunk.shrunk = "rows=512 cols=256 instead of rows=8192 cols=4096";
  return {whole, shrunk, row_norm_case("tiny", "tiny", 3, 129, false),
          row_norm_case("llama/cols+1", "llama", 64, 257, false, {"user"})};
}

class CpuWorkerTest : public JudgedBundle {
protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder(std::move(*TemporaryFolder::create("cupilot-cpu-test")));
    Bundle bundle = row_norm_bundle("hand", "sm_90");
    bundle.cases = cpu_cases();
    bundle.request.run_seconds = kPatience;
    ASSERT_TRUE(write_row_norm_bundle(folder_->path(), bundle, candidates()));
    const auto result = run_words({CUPILOT_EMULATE_PROGRAM, "judge", folder_->path().string()});
    ASSERT_TRUE(result) << result.error().message;
    output_ = new std::string(result->out);
    std::printf("%s%s\n", result->out.c_str(), result->err.c_str());
    for (const auto &candidate : candidates()) {
      const Verdict v = verdict(candidate.id);
      std::printf("%-20s %-13s build %.1f s verify %.2f s estimate %.2f s  %s\n", candidate.id.c_str(),
                  to_string(v.kind), v.build.seconds, v.verify_seconds, v.time_seconds, v.reason.c_str());
    }
  }
};

TEST_F(CpuWorkerTest, SpeaksAsTheWorkerDoes) {
  EXPECT_THAT(*output_, HasSubstr("\"cupilot_worker\":1"));
  EXPECT_THAT(*output_, HasSubstr("\"emulated\":true"));
  EXPECT_THAT(*output_, HasSubstr("\"event\":\"done\""));
}

TEST_F(CpuWorkerTest, GoodIsEstimatedAndNeverMeasured) {
  const Verdict v = verdict("good");
  EXPECT_EQ(v.kind, VerdictKind::faster) << v.reason;
  EXPECT_EQ(v.stage, "estimate");
  EXPECT_TRUE(v.measurements.empty());
  ASSERT_EQ(v.estimates.size(), 1u);
  EXPECT_GT(v.estimates[0].ratio, 2);
  EXPECT_LT(v.estimates[0].candidate.blocks_run, v.estimates[0].candidate.blocks);
  EXPECT_GT(v.estimates[0].compared, 100u) << "elements that blocks wrote at the workload's own size";
  EXPECT_EQ(v.estimates[0].open, "");
  EXPECT_THAT(v.cases_passed, Contains("llama"));
  EXPECT_TRUE(v.device.emulated);
  EXPECT_GT(v.build.registers, 0);
  EXPECT_THAT(v.cases_passed, Contains("llama/shrunk"));
  EXPECT_THAT(v.cases_passed, Not(Contains("llama/cols+1"))) << "it declines there";
  EXPECT_THAT(v.reason, HasSubstr("llama verified at rows=512 cols=256 instead of rows=8192 cols=4096"));
}

TEST_F(CpuWorkerTest, TheSameIsATie) {
  const Verdict v = verdict("same");
  EXPECT_EQ(v.kind, VerdictKind::same) << v.reason;
  ASSERT_EQ(v.estimates.size(), 1u);
  EXPECT_TRUE(v.estimates[0].tie);
  EXPECT_THAT(v.reason, HasSubstr("a tie"));
}

TEST_F(CpuWorkerTest, FaultsNameLineBlockAndThread) {
  expect("past_the_end", VerdictKind::crashed, "past the end of 'y'");
  expect("past_the_end", VerdictKind::crashed, "thread (0,0,0)");
  expect("past_the_end", VerdictKind::crashed, "entry.cu:");
  expect("racing", VerdictKind::wrong, "shared-race");
  expect("no_alignment_check", VerdictKind::crashed, "misaligned");
  expect("trap", VerdictKind::crashed, "trap");
  expect("endless", VerdictKind::timed_out, "still running after");  // instructions; a busy machine: seconds
}

TEST_F(CpuWorkerTest, OutputsAreComparedByTheSameCode) {
  expect("unwritten", VerdictKind::wrong, "never written");
  expect("half", VerdictKind::wrong, "output 'y'");
  expect("changes_input", VerdictKind::crashed, "read-only memory: 'x'");
  expect("declines", VerdictKind::rejected, "declines while estimating workload 'llama'");
  expect("large_only", VerdictKind::wrong, "executed at the full size of workload");
  expect("host_crash", VerdictKind::crashed, "signal 11");
  expect("build_error", VerdictKind::build_failed, "error");
}

TEST_F(CpuWorkerTest, HostSidesRunWhereTheyCanDoNothing) {
  expect("exits", VerdictKind::crashed, "exit code 0");
  expect("forks", VerdictKind::rejected, "calls 'fork'");
  expect("first_call_only", VerdictKind::rejected, "keeps state");
  expect("other_stream", VerdictKind::rejected, "another stream than l.stream");
  expect("the_original", VerdictKind::rejected, "original's kernel");
  EXPECT_THAT(verdict("scratch").cases_passed, Contains("llama/shrunk")) << verdict("scratch").reason;
}

TEST_F(CpuWorkerTest, ASecondRunSkipsWhatIsDone) {
  const auto again = run_words({CUPILOT_EMULATE_PROGRAM, "judge", folder_->path().string()});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->exit_code, 0);
  EXPECT_THAT(again->out, Not(HasSubstr("\"event\":\"built\"")));
}

const std::vector<std::string> kCheck{CUPILOT_EMULATE_PROGRAM, "check"};
const std::string kPastTheEnd =
    kKernelHead + "  for (int k = i; k <= rows * cols; k += gridDim.x * blockDim.x) y[k] = 1;\n}\n";

TEST(CpuCheck, PrintsFindingsOfTheOriginal) {
  const auto outcome = run_original(
      {.program = kCheck, .original = kPastTheEnd, .which = row_norm_case("w", "w", 64, 64, true, {"user"})});
  EXPECT_EQ(outcome.end.exit_code, 1);
  EXPECT_THAT(outcome.end.out, HasSubstr("\"kind\":\"out-of-bounds\""));
  EXPECT_THAT(outcome.end.out, HasSubstr("\"workload\":\"w\""));
}

TEST(CpuCheck, ACleanKernelIsExitCodeZero) {
  const auto outcome = run_original(
      {.program = kCheck, .original = "", .which = row_norm_case("w", "w", 64, 64, true, {"user"})});
  EXPECT_EQ(outcome.end.exit_code, 0) << outcome.end.out;
  EXPECT_THAT(outcome.end.out, HasSubstr("\"findings\":0"));
}

TEST(CpuProtection, WhatTheSandboxDoesNotHoldIsSaidAndStandsInVerdicts) {
  const auto folder = TemporaryFolder::create("cupilot-unprotected").value();
  Bundle bundle = row_norm_bundle("open", "sm_90");
  bundle.cases = cpu_cases();
  bundle.request.time = false;
  auto two = hand_candidates();
  std::erase_if(two, [](const HandCandidate &one) { return one.id != "good" && one.id != "build_error"; });
  ASSERT_TRUE(write_row_norm_bundle(folder.path(), bundle, two));
  ::setenv("CUPILOT_SANDBOX", "off", 1);
  const auto end = run_words({CUPILOT_EMULATE_PROGRAM, "judge", folder.path().string()});
  ::unsetenv("CUPILOT_SANDBOX");
  ASSERT_TRUE(end);
  const std::string said = "warning: judged without the sandbox, by CUPILOT_SANDBOX=off";
  const auto at = end->err.find(said);
  ASSERT_NE(at, std::string::npos) << end->err;
  EXPECT_EQ(end->err.find(said, at + 1), std::string::npos) << "once is enough";
  for (const HandCandidate &one : two) {
    const auto text = read_file(folder.path() / "candidates" / one.id / "verdict.json");
    ASSERT_TRUE(text) << one.id;
    EXPECT_THAT(verdict_from_json(*text).value().limits, Contains(HasSubstr("without the sandbox")))
        << one.id;
    EXPECT_THAT(*text, Not(HasSubstr(folder.path().string()))) << one.id;
  }
}

TEST(CpuCheck, NothingToRunIsExitCodeTwo) {
  const auto end = run_words({CUPILOT_EMULATE_PROGRAM, "check", "/nowhere"});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit_code, 2);
  EXPECT_THAT(end->out, HasSubstr("\"error\""));
}

}  // namespace
}  // namespace cupilot

int main(int argc, char **argv) {
  if (!cupilot::find_program(std::getenv("CUPILOT_NVCC") ? std::getenv("CUPILOT_NVCC") : "nvcc") &&
      !cupilot::find_program("/usr/local/cuda/bin/nvcc")) {
    std::puts("skipped: no nvcc here");
    return cupilot::kSkipped;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
