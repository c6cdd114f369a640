// SPDX-License-Identifier: Apache-2.0
//
// cupilot-worker on a real GPU: one bundle with all hand-written candidates, run once, then looked at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "candidates.h"
#include "evolution/model/verdict_json.h"
#include "judged_bundle.h"
#include "row_norm_bundle.h"

namespace cupilot {
using namespace model;
using namespace spec;
namespace {

using testing::AnyOf;
using testing::HasSubstr;

Result<ProcessResult> run_worker_on(const std::filesystem::path &bundle, std::vector<std::string> more = {}) {
  ProcessRequest request;
  request.argv = {CUPILOT_WORKER_PROGRAM, bundle.string()};
  request.argv.insert(request.argv.end(), more.begin(), more.end());
  request.time_limit = std::chrono::minutes(5);
  return run_process(request);
}

class WorkerTest : public JudgedBundle {
protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder(std::move(*TemporaryFolder::create("cupilot-gpu-test")));
    Bundle bundle = row_norm_bundle("hand", gpu_architecture());
    bundle.cases = row_norm_cases();
    bundle.request.profile = true;
    ASSERT_TRUE(write_row_norm_bundle(folder_->path(), bundle, hand_candidates()));
    const auto start = std::chrono::steady_clock::now();
    const auto result = run_worker_on(folder_->path());
    ASSERT_TRUE(result) << result.error().message;
    output_ = new std::string(result->out);
    exit_code_ = result->exit_code;
    std::printf("worker: %.1f s\n%s%s\n",
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
                result->out.c_str(), result->err.c_str());
    for (const auto &candidate : hand_candidates()) print(candidate.id);
  }

  /// For people who read the log of a run.
  static void print(const std::string &id) {
    const Verdict v = verdict(id);
    std::printf("%-28s %-12s build %.1f s verify %.2f s time %.2f s  %s\n", id.c_str(), to_string(v.kind),
                v.build.seconds, v.verify_seconds, v.time_seconds, v.reason.substr(0, 240).c_str());
    for (const auto &m : v.measurements) {
      std::printf("    %s: %.2f -> %.2f us, %zu samples (%zu dropped), %.0f %% of the copy bandwidth, %s\n",
                  m.workload.c_str(), m.original.median_us, m.candidate.median_us,
                  m.candidate.samples_us.size(), m.candidate.dropped.size(), 100 * m.bandwidth_share,
                  m.stopped_because.c_str());
      for (const SampleSet *set : {&m.original, &m.candidate})
        if (!set->sm_clock_mhz.empty()) std::printf("    SM clock %.0f MHz\n", set->sm_clock_mhz.back());
    }
    for (const auto &p : v.profiles)
      std::printf("    %s, memory %.2f, compute %.2f, %zu counters %s\n", p.roofline_class.c_str(),
                  p.memory_share, p.compute_share, p.counters.size(), p.note.c_str());
  }

  static inline int exit_code_ = -1;
};

TEST_F(WorkerTest, GivesEveryCandidateAVerdict) {
  EXPECT_EQ(exit_code_, 0);
  EXPECT_THAT(*output_, HasSubstr("\"cupilot_worker\":1"));
  EXPECT_THAT(*output_, HasSubstr("\"event\":\"done\""));
  for (const auto &candidate : hand_candidates())
    EXPECT_NE(verdict(candidate.id).kind, VerdictKind::not_evaluated) << candidate.id;
}

TEST_F(WorkerTest, GoodIsFaster) {
  const Verdict v = verdict("good");
  EXPECT_EQ(v.kind, VerdictKind::faster) << v.reason;
  ASSERT_EQ(v.measurements.size(), 1u);
  EXPECT_GT(v.measurements[0].speedup, 2);
  EXPECT_GE(v.measurements[0].candidate.samples_us.size(), 10u);
  EXPECT_GT(v.measurements[0].bandwidth_share, 0.3);
  EXPECT_LT(v.measurements[0].bandwidth_share, 1.2);
  EXPECT_GT(v.build.registers, 0);
  EXPECT_GT(v.device.copy_bandwidth_gbs, 100);
  EXPECT_THAT(v.cases_passed, testing::Contains("llama"));
  EXPECT_THAT(v.cases_passed, testing::Not(testing::Contains("llama/cols+1")));  // it declines there
}

TEST_F(WorkerTest, ProfilesOrSaysWhyNot) {
  const Verdict v = verdict("good");
  ASSERT_EQ(v.profiles.size(), 1u);
  ASSERT_EQ(v.original_profiles.size(), 1u);
  EXPECT_FALSE(v.profiles[0].roofline_class.empty());
  if (v.profiles[0].counters.empty()) {
    EXPECT_FALSE(v.profiles[0].note.empty());
    return;
  }
  const double read_once = 8192.0 * 4096 * 4;
  EXPECT_GT(v.profiles[0].counters.at("dram__bytes.sum"), read_once);
  EXPECT_EQ(v.profiles[0].roofline_class, "memory-bound");
}

TEST_F(WorkerTest, SimpleAndScratchAreFaster) {
  expect("rows", VerdictKind::faster, "faster");
  expect("scratch", VerdictKind::faster, "faster");
}

TEST_F(WorkerTest, TheSameIsSameAndMoreWorkIsSlower) {
  EXPECT_THAT(verdict("same").kind, AnyOf(VerdictKind::same, VerdictKind::unsure)) << verdict("same").reason;
  expect("slower", VerdictKind::slower, "slower");
}

TEST_F(WorkerTest, WrongOutputs) {
  expect("wrong_value", VerdictKind::wrong, "output 'y'");
  expect("unwritten", VerdictKind::wrong, "never written");
  expect("half", VerdictKind::wrong, "output 'y'");
  expect("no_tail", VerdictKind::wrong, "never written");
}

TEST_F(WorkerTest, WritesElsewhere) {
  expect("past_the_end", VerdictKind::wrong, "past the end of 'y'");
  expect("before_the_start", VerdictKind::wrong, "before 'y'");
  expect("changes_input", VerdictKind::wrong, "read-only input 'x'");
  expect("past_its_scratch", VerdictKind::wrong, "outside the scratch memory");
}

TEST_F(WorkerTest, DeviceFaultsAreVerdicts) {
  expect("no_alignment_check", VerdictKind::crashed, "cudaErrorMisalignedAddress");
  expect("illegal_address", VerdictKind::crashed, "cudaErrorIllegalAddress");
  expect("trap", VerdictKind::crashed, "cudaErrorLaunchFailure");
  expect("bad_configuration", VerdictKind::crashed, "launch itself was refused");
  EXPECT_THAT(verdict("too_much_scratch_unchecked").kind, AnyOf(VerdictKind::crashed, VerdictKind::wrong));
}

TEST_F(WorkerTest, HostFaultsAreVerdicts) {
  expect("host_crash", VerdictKind::crashed, "signal 11");
  expect("exits", VerdictKind::crashed, "exit code 0");
  expect("forks", VerdictKind::rejected, "calls 'fork'");
  expect("endless", VerdictKind::timed_out, "limit");
}

TEST_F(WorkerTest, ContractBreaksAreRejected) {
  expect("declines", VerdictKind::rejected, "declines");
  expect("too_much_scratch", VerdictKind::rejected, "declines");
  expect("synchronises", VerdictKind::rejected, "'cudaStreamSynchronize'");
  expect("other_stream", VerdictKind::rejected, "another stream than l.stream");
  expect("half_elsewhere", VerdictKind::rejected, "another stream than l.stream");
  expect("first_call_only", VerdictKind::rejected, "keeps state");
  expect("nothing", VerdictKind::rejected, "launches no kernel");
  expect("the_original", VerdictKind::rejected, "original's kernel");
  expect("clears_an_input", VerdictKind::rejected, "neither an output nor scratch");
}

TEST_F(WorkerTest, BuildErrorsCarryTheCompilersWords) {
  expect("build_error", VerdictKind::build_failed, "error");
  EXPECT_EQ(verdict("build_error").stage, "build");
}

TEST_F(WorkerTest, ASecondRunSkipsWhatIsDone) {
  const auto again = run_worker_on(folder_->path());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->exit_code, 0);
  EXPECT_THAT(again->out, testing::Not(HasSubstr("\"event\":\"built\"")));
}

/// Not a limit, a figure for the log: what a round of a search costs.
TEST(WorkerSpeed, AloneAndInABatch) {
  for (const int count : {1, 24}) {
    auto folder = TemporaryFolder::create("cupilot-gpu-speed");
    ASSERT_TRUE(folder);
    std::vector<HandCandidate> candidates;
    for (int i = 0; i < count; ++i) {
      HandCandidate candidate = hand_candidates()[0];
      candidate.id = "c" + std::to_string(i);
      candidate.variant += "// " + candidate.id + "\n";
      candidates.push_back(candidate);
    }
    Bundle bundle = row_norm_bundle("speed", gpu_architecture());
    bundle.cases = row_norm_cases();
    ASSERT_TRUE(write_row_norm_bundle(folder->path(), bundle, candidates));
    const auto start = std::chrono::steady_clock::now();
    const auto result = run_worker_on(folder->path());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_code, 0) << result->out << result->err;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto text = read_file(folder->path() / "candidates/c0/verdict.json");
    ASSERT_TRUE(text);
    const auto first = verdict_from_json(*text);
    ASSERT_TRUE(first);
    std::printf("%d candidates: %.1f s in all; the first: build %.2f s, verify %.2f s, time %.2f s\n", count,
                seconds, first->build.seconds, first->verify_seconds, first->time_seconds);
  }
}

/// A few microseconds: launch overhead is all there is, and none of it may look like work beside the stream.
TEST(WorkerSpeed, SmallWorkloads) {
  auto folder = TemporaryFolder::create("cupilot-gpu-small");
  ASSERT_TRUE(folder);
  std::vector<HandCandidate> candidates;
  for (const auto &candidate : hand_candidates())
    if (candidate.id == "same" || candidate.id == "rows" || candidate.id == "scratch")
      candidates.push_back(candidate);
  Bundle bundle = row_norm_bundle("small", gpu_architecture());
  bundle.cases = {row_norm_case("small", "small", 256, 64, true)};
  ASSERT_TRUE(write_row_norm_bundle(folder->path(), bundle, candidates));
  const auto result = run_worker_on(folder->path());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 0) << result->out << result->err;
  for (const auto &candidate : candidates) {
    const auto text = read_file(folder->path() / "candidates" / candidate.id / "verdict.json");
    ASSERT_TRUE(text);
    const auto v = verdict_from_json(*text);
    ASSERT_TRUE(v);
    std::printf("%s: %s, %s, %s\n", candidate.id.c_str(), to_string(v->kind), v->reason.c_str(),
                v->measurements.empty() ? "" : v->measurements[0].stopped_because.c_str());
    EXPECT_NE(v->kind, VerdictKind::rejected) << v->reason;
    if (candidate.id != "same") continue;
    EXPECT_THAT(v->kind, AnyOf(VerdictKind::same, VerdictKind::unsure));
  }
}

/// Misaligned pointers are our invention: an original that cannot take them is judged without.
TEST(WorkerReference, OriginalMayNeedAlignment) {
  auto folder = TemporaryFolder::create("cupilot-gpu-aligned");
  ASSERT_TRUE(folder);
  Bundle bundle = row_norm_bundle("aligned", gpu_architecture());
  bundle.cases = {row_norm_case("w", "w", 4096, 4096, true), row_norm_case("w/rows=1", "w", 1, 4096, false)};
  const std::string original =
      "__global__ void row_norm(const float *x, const float *w, float *y, int rows, int cols) {\n"
      "  const int row = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (row >= rows) return;\n"
      "  const float4 *v = (const float4 *)(x + (size_t)row * cols);\n"
      "  float sum = 0;\n"
      "  for (int i = 0; i < cols / 4; ++i)\n"
      "    sum += v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z + v[i].w * v[i].w;\n"
      "  const float scale = rsqrtf(sum / cols + 1e-5f);\n"
      "  for (int i = 0; i < cols; ++i) y[(size_t)row * cols + i] = x[(size_t)row * cols + i] * scale * "
      "w[i];\n}\n";
  HandCandidate unchecked;
  for (const auto &candidate : hand_candidates())
    if (candidate.id == "no_alignment_check") unchecked = candidate;
  ASSERT_TRUE(write_row_norm_bundle(folder->path(), bundle, {unchecked}, original));
  const auto result = run_worker_on(folder->path());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 0) << result->out << result->err;
  EXPECT_THAT(result->err, HasSubstr("left out"));
  EXPECT_THAT(result->out, HasSubstr("\"verdict\":\"faster\""));
}

class BadBundleTest : public testing::Test {
protected:
  void expect_error(Bundle bundle, const std::string &reason, const std::string &original = "") {
    auto folder = TemporaryFolder::create("cupilot-gpu-bad");
    ASSERT_TRUE(folder);
    ASSERT_TRUE(write_row_norm_bundle(folder->path(), std::move(bundle), {hand_candidates()[1]}, original));
    const auto result = run_worker_on(folder->path());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exit_code, 1);
    EXPECT_THAT(result->out, HasSubstr("\"event\":\"error\""));
    EXPECT_THAT(result->out, HasSubstr(reason));
  }
  static Bundle with_case(Case which) {
    Bundle bundle = row_norm_bundle("bad", gpu_architecture());
    bundle.cases = {std::move(which)};
    return bundle;
  }
};

TEST_F(BadBundleTest, WorkloadLargerThanTheDevice) {
  Case huge = row_norm_case("huge", "huge", 1 << 20, 1 << 19, true, {"user"});
  huge.buffers.back().role = BufferRole::scratch;  // nothing to keep on the host
  expect_error(with_case(huge), "of device memory");
}

TEST_F(BadBundleTest, OriginalGivesNan) {
  expect_error(
      with_case(row_norm_case("w", "w", 64, 64, true, {"user"})), "NaN",
      "__global__ void row_norm(const float *x, const float *w, float *y, int rows, int cols) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (int k = i; k < rows * cols; k += gridDim.x * blockDim.x) y[k] = sqrtf(-1 - x[k] * x[k]);\n}\n");
}

TEST_F(BadBundleTest, OriginalIsNotDeterministic) {
  expect_error(with_case(row_norm_case("w", "w", 64, 64, true, {"user"})), "not deterministic",
               "__global__ void row_norm(const float *x, const float *w, float *y, int rows, int cols) {\n"
               "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  for (int k = i; k < rows * cols; k += gridDim.x * blockDim.x) y[k] = (float)(clock64() % "
               "1000003);\n}\n");
}

TEST_F(BadBundleTest, OriginalWritesPastItsExtent) {
  expect_error(with_case(row_norm_case("w", "w", 64, 64, true, {"user"})), "extent",
               "__global__ void row_norm(const float *x, const float *w, float *y, int rows, int cols) {\n"
               "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  for (int k = i; k <= rows * cols; k += gridDim.x * blockDim.x) y[k] = 1;\n}\n");
}

TEST_F(BadBundleTest, OtherArchitecture) {
  Bundle bundle = with_case(row_norm_case("w", "w", 64, 64, true, {"user"}));
  bundle.architecture = gpu_architecture() == "sm_80" ? "sm_90" : "sm_80";
  expect_error(std::move(bundle), "the bundle is for");
}

}  // namespace
}  // namespace cupilot
