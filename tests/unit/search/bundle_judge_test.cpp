// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/bundle_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "annotate/support/files.h"
#include "evolution/judge/bundle/bundle_writer.h"

namespace cupilot {
using namespace judge::bundle;
using namespace model;
using namespace search;
using namespace spec;
namespace {

using testing::ElementsAre;

/// Finds every candidate of the folder faster, and keeps the bundle it saw.
class FakeExecutor final : public Executor {
public:
  Result<std::vector<Verdict>> judge(const std::filesystem::path &folder, JudgeEvents &events) override {
    CUPILOT_TRY(bundle, read_bundle(folder));
    seen.push_back(bundle);
    std::vector<Verdict> verdicts;
    for (const BundleCandidate &candidate : bundle.candidates) {
      Verdict verdict;
      verdict.candidate = candidate.id;
      verdict.kind = VerdictKind::faster;
      events.verdict(verdict);
      verdicts.push_back(verdict);
    }
    return verdicts;
  }
  std::vector<Bundle> seen;
};

class Collector final : public JudgeEvents {
public:
  void verdict(const Verdict &verdict) override { kinds.push_back(verdict.kind); }
  std::vector<VerdictKind> kinds;
};

KernelSpec copy_spec() {
  KernelSpec spec;
  spec.name = spec.qualified_name = spec.instantiation = "copy";
  spec.slice =
      "__global__ void copy(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + "
      "threadIdx.x; "
      "if (i < n) y[i] = x[i]; }\n";
  spec.parameters = {
      {.name = "x",
       .type = "const float *",
       .pointer = true,
       .const_pointee = true,
       .element = ElementType::f32,
       .element_type = "float",
       .element_bytes = 4},
      {.name = "y",
       .type = "float *",
       .pointer = true,
       .element = ElementType::f32,
       .element_type = "float",
       .element_bytes = 4},
      {.name = "n", .type = "int", .element = ElementType::i32, .element_type = "int", .element_bytes = 4}};
  Workload workload;
  workload.id = "w";
  workload.set = {{"n", "1000"}};
  workload.buffers = {{.parameter = "x", .role = BufferRole::in, .extent = "n"},
                      {.parameter = "y", .role = BufferRole::out, .extent = "n"}};
  workload.launch.grid = {"(n + 255) / 256", "1", "1"};
  workload.launch.block = {"256", "1", "1"};
  spec.workloads = {workload};
  spec.command.flags = {"-O3"};
  return spec;
}

Individual individual(const std::string &id, const std::string &variant) {
  Individual one;
  one.id = id;
  one.variant = variant;
  return one;
}

const std::string kGood =
    "__global__ void fast(const float *x, float *y, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
    "if (i < n) "
    "y[i] = x[i]; }\n"
    "bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {\n"
    "  fast<<<(n + 127) / 128, 128, 0, l.stream>>>(x, y, n);\n  return true;\n}\n";

struct BundleJudgeTest : testing::Test {
  Batch batch(std::vector<Individual> individuals) {
    return {.id = "copy-0001",
            .folder = folder.path() / "copy-0001",
            .individuals = std::move(individuals),
            .seed = 5,
            .profile = true};
  }
  TemporaryFolder folder = TemporaryFolder::create("bundle").value();
  FakeExecutor executor;
  KernelSpec spec = copy_spec();
  BundleJudge judge{executor, spec, "sm_90"};
  Collector events;
};

TEST_F(BundleJudgeTest, WritesABundleForTheExecutor) {
  const auto verdicts = judge.judge(batch({individual("c0001", kGood), individual("c0002", kGood)}), events);
  ASSERT_TRUE(verdicts) << verdicts.error().message;
  EXPECT_EQ(verdicts->size(), 2u);
  ASSERT_EQ(executor.seen.size(), 1u);
  EXPECT_EQ(executor.seen[0].id, "copy-0001");
  EXPECT_EQ(executor.seen[0].architecture, "sm_90");
  EXPECT_EQ(executor.seen[0].request.seed, 5u);
  EXPECT_TRUE(executor.seen[0].request.profile);
  EXPECT_EQ(read_file(folder.path() / "copy-0001/candidates/c0002/variant.cuh").value(), kGood);
}

TEST_F(BundleJudgeTest, TheStaticCheckComesFirst) {
  const auto verdicts = judge.judge(batch({individual("c0001", "#include <cublas_v2.h>\n" + kGood)}), events);
  ASSERT_TRUE(verdicts);
  EXPECT_THAT(events.kinds, ElementsAre(VerdictKind::rejected));
  EXPECT_EQ(verdicts->at(0).candidate, "c0001");
  EXPECT_TRUE(executor.seen.empty()) << "nothing left to run";
}

TEST_F(BundleJudgeTest, VerdictsOfAForgottenRunAreNotTaken) {
  const auto stale = folder.path() / "copy-0001/candidates/c0001/verdict.json";
  ASSERT_TRUE(write_file_atomic(stale, "{}"));
  ASSERT_TRUE(judge.judge(batch({individual("c0001", kGood)}), events));
  EXPECT_FALSE(std::filesystem::exists(stale));
}

TEST_F(BundleJudgeTest, HoldOutsAreInAFinalistsBundleOnly) {
  Workload hidden = spec.workloads[0];
  hidden.id = "odd";
  hidden.set = {{"n", "777"}};
  hidden.holdout = true;
  spec.workloads.push_back(hidden);
  const auto holds_out = [&](const Bundle &bundle) {
    return std::ranges::any_of(bundle.cases, [](const Case &which) { return which.workload == "odd"; });
  };
  Batch last = batch({individual("c0001", kGood)});
  ASSERT_TRUE(judge.judge(last, events));
  last.id = "copy-0002", last.folder = folder.path() / "copy-0002", last.finalist = true;
  ASSERT_TRUE(judge.judge(last, events));
  ASSERT_EQ(executor.seen.size(), 2u);
  EXPECT_FALSE(executor.seen[0].request.finalist);
  EXPECT_FALSE(holds_out(executor.seen[0]));
  EXPECT_TRUE(executor.seen[1].request.finalist);
  EXPECT_TRUE(holds_out(executor.seen[1]));
  EXPECT_NE(executor.seen[0].request.secret, executor.seen[1].request.secret) << "drawn for each bundle";
  const auto ids = [](const std::vector<Case> &cases) {
    std::vector<std::string> all;
    for (const Case &one : cases) all.push_back(one.id);
    return all;
  };
  const auto request = executor.seen[1].request;
  EXPECT_EQ(ids(judge.cases({request.seed, request.secret}, true).value()), ids(executor.seen[1].cases))
      << "the verdict's seeds give the cases again";
}

TEST_F(BundleJudgeTest, CasesDependOnTheSeedOnly) {
  EXPECT_EQ(judge.cases({5}, false)->size(), judge.cases({5}, false)->size());
  EXPECT_EQ(judge.cases({5}, false)->at(0).id, "w");
}

}  // namespace
}  // namespace cupilot
