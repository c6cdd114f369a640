// SPDX-License-Identifier: Apache-2.0
//
// The last stage on a real GPU: repeats, concurrent streams, graphs, compute-sanitizer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "finalist_candidates.h"
#include "judged_bundle.h"

namespace cupilot {
using namespace model;
namespace {

using testing::HasSubstr;
using FinalistOutcome = FinalistCheck::Outcome;

/// The goal for one finalist.
constexpr double kMostSeconds = 60;

const FinalistCheck *check_named(const Verdict &verdict, const std::string &name) {
  const auto found = std::ranges::find(verdict.finalist, name, &FinalistCheck::name);
  return found == verdict.finalist.end() ? nullptr : &*found;
}

class GpuFinalist : public JudgedBundle {
protected:
  static std::vector<HandCandidate> candidates() {
    auto all = finalist_candidates();
    for (HandCandidate &one : sanitizer_candidates()) all.push_back(std::move(one));
    return all;
  }

  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder(std::move(*TemporaryFolder::create("cupilot-gpu-finalist")));
    Bundle bundle = row_norm_bundle("finalists", gpu_architecture());
    bundle.cases = {row_norm_case("llama", "llama", 8192, 4096, true, {"user", "normal"}),
                    row_norm_case("small", "small", 96, 513, false), hold_out_case()};
    bundle.request.finalist = true;
    ASSERT_TRUE(write_row_norm_bundle(folder_->path(), bundle, candidates(), finalist_original()));
    ProcessRequest request;
    request.argv = {worker_alone(), folder_->path().string()};
    request.time_limit = std::chrono::minutes(8);
    const auto result = run_process(request);
    ASSERT_TRUE(result) << result.error().message;
    output_ = new std::string(result->out);
    std::printf("%s%s\n", result->out.c_str(), result->err.c_str());
    for (const auto &candidate : candidates()) print(verdict(candidate.id));
  }

  /// A copy of the worker without the emulated device beside it, which would find before the sanitizers what
  /// they are to find.
  static std::string worker_alone() {
    namespace fs = std::filesystem;
    const fs::path worker = CUPILOT_WORKER_PROGRAM, own = folder_->path() / "programs";
    std::error_code error;
    fs::create_directory(own, error);
    for (const fs::path &program : {worker, worker.parent_path() / "cupilot-launches"})
      fs::copy(program, own / program.filename(), error);
    EXPECT_FALSE(error) << error.message();
    return (own / worker.filename()).string();
  }

  static void print(const Verdict &v) {
    std::printf("%-24s %-10s verify %.2f s time %.2f s finalist %.1f s  %s\n", v.candidate.c_str(),
                to_string(v.kind), v.verify_seconds, v.time_seconds, v.finalist_seconds, v.reason.c_str());
    for (const FinalistCheck &check : v.finalist)
      std::printf("    %-16s %-8s %5.1f s  %s\n", check.name.c_str(),
                  check.outcome == FinalistOutcome::passed   ? "passed"
                  : check.outcome == FinalistOutcome::failed ? "FAILED"
                                                             : "not run",
                  check.seconds, check.detail.c_str());
  }

  /// compute-sanitizer is no part of every toolkit; without it there is nothing to expect of it.
  static bool has_sanitizer() {
    const Verdict v = verdict("steady");
    const FinalistCheck *check = check_named(v, "memcheck");
    return check && check->outcome != FinalistOutcome::not_run;
  }
  static void expect_found(const std::string &id, const std::string &tool) {
    if (!has_sanitizer()) GTEST_SKIP() << "no compute-sanitizer here";
    expect(id, VerdictKind::wrong, tool + ": ");
    expect(id, VerdictKind::wrong, ":");
    const Verdict v = verdict(id);
    const FinalistCheck *check = check_named(v, tool);
    ASSERT_TRUE(check);
    EXPECT_EQ(check->outcome, FinalistOutcome::failed) << check->detail;
  }
};

TEST_F(GpuFinalist, AGoodOnePassesInTime) {
  for (const char *id : {"steady", "clean"}) {
    const Verdict v = verdict(id);
    EXPECT_EQ(v.kind, VerdictKind::faster) << v.reason;
    EXPECT_EQ(v.stage, "finalist");
    EXPECT_LE(v.finalist_seconds, kMostSeconds);
    for (const FinalistCheck &check : v.finalist)
      EXPECT_NE(check.outcome, FinalistOutcome::failed) << check.name << ": " << check.detail;
    const FinalistCheck *repeats = check_named(v, "20 repeats");
    ASSERT_TRUE(repeats);
    EXPECT_EQ(repeats->detail, "bitwise equal");
    const FinalistCheck *hold_out = check_named(v, "hold-out odd");
    ASSERT_TRUE(hold_out);
  }
}

TEST_F(GpuFinalist, RestlessIsToldAndAllowed) {
  const Verdict v = verdict("restless");
  EXPECT_EQ(v.kind, VerdictKind::faster) << v.reason;
  EXPECT_GT(v.scratch_bytes, 0u);
}

TEST_F(GpuFinalist, AGlobalSharedByTwoStreamsIsWrong) {
  expect("shares_a_global", VerdictKind::wrong, "two streams: ");
}

TEST_F(GpuFinalist, ScratchAndHoldOuts) {
  expect("greedy", VerdictKind::rejected, "peak memory: takes ");
  expect("wrong_on_the_hold_out", VerdictKind::wrong, "'odd'");
  expect("slow_on_the_hold_out", VerdictKind::rejected, "hold-out odd: ");
}

TEST_F(GpuFinalist, MemcheckSeesAReadPastTheEnd) {
  expect_found("reads_past_the_end", "memcheck");
}

TEST_F(GpuFinalist, RacecheckSeesALuckyRace) {
  expect_found("races", "racecheck");
}

TEST_F(GpuFinalist, InitcheckSeesScratchThatNobodyWrote) {
  expect_found("reads_unwritten_scratch", "initcheck");
}

}  // namespace
}  // namespace cupilot
