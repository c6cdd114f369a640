// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/model/bundle_json.h"
#include "evolution/model/record_json.h"
#include "evolution/model/verdict_json.h"

namespace cupilot {
using namespace model;
using namespace spec;
namespace {

Verdict full_verdict() {
  Verdict verdict;
  verdict.candidate = "c0001";
  verdict.kind = VerdictKind::faster;
  verdict.stage = "time";
  verdict.reason = "faster on llama";
  verdict.build = {1.5, 32, 0, 4096, "ptxas info"};
  verdict.errors = {{"llama", "user", "y", 1e-8, 1e-6, 2e-7, 1e-5, 1e-9, 2e-9, 17, 1.0,
                     std::numeric_limits<double>::quiet_NaN()}};
  Measurement m{.workload = "llama",
                .verdict = VerdictKind::faster,
                .speedup = 4,
                .stopped_because = "relative error 0.4 %"};
  m.original.samples_us = {4.0, 4.1};
  m.original.dropped = {{9.0, "sm clock 61 % of the default"}};
  m.candidate.samples_us = {1.0};
  verdict.measurements = {m, {.workload = "tiny", .verdict = VerdictKind::same, .speedup = 1}};
  verdict.profiles = {{"llama", {{"dram__bytes.sum", 1e9}}, "memory-bound", 0.9, 0.1, ""}};
  verdict.device = {"NVIDIA H200", "sm_90", "13.0", "13.0", 132, 150754820096, 62914560, 4300, 1980};
  verdict.cases_passed = {"llama", "llama/rows-1"};
  return verdict;
}

}  // namespace

TEST(VerdictJson, ReadsBackTheSame) {
  const auto text = to_json(full_verdict());
  const auto back = verdict_from_json(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), text);
  EXPECT_TRUE(std::isnan(back->errors[0].got));
  EXPECT_EQ(back->measurements[0].original.dropped[0].reason, "sm clock 61 % of the default");
}

TEST(VerdictJson, EstimatesStandApart) {
  auto verdict = full_verdict();
  EXPECT_EQ(to_json(verdict).find("estimates"), std::string::npos) << "measured verdicts do not mention them";
  verdict.measurements.clear();
  verdict.estimates = {{.workload = "llama",
                        .original = {20, "dram", {{"dram", 20}}, 1, 8192, 264},
                        .candidate = {5, "lsu", {{"lsu", 5}}, 2, 100, 100},
                        .verdict = VerdictKind::faster,
                        .tie = false,
                        .ratio = 4}};
  verdict.device.emulated = true;
  verdict.device.table = "public data";
  verdict.limits = {"llama verified at rows=64 instead of rows=8192"};
  const auto back = verdict_from_json(to_json(verdict));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), to_json(verdict));
  EXPECT_EQ(overall_speedup(*back), 0) << "an estimate is no speed-up";
  EXPECT_DOUBLE_EQ(overall_estimate(*back), 4);
  EXPECT_TRUE(back->device.emulated);
}

TEST(VerdictJson, KeepsLogsThatAreNotUtf8) {
  auto verdict = full_verdict();
  verdict.build.log = "bad \xff byte";
  EXPECT_TRUE(verdict_from_json(to_json(verdict)));
}

TEST(Verdict, OverallSpeedupIsTheGeometricMean) {
  auto verdict = full_verdict();
  EXPECT_DOUBLE_EQ(overall_speedup(verdict), 2.0);
  verdict.measurements.clear();
  EXPECT_EQ(overall_speedup(verdict), 0);
}

TEST(Verdict, OverallSpeedupKnowsWeightsAndDispatch) {
  Verdict verdict;
  verdict.measurements.resize(3);
  verdict.measurements[0].workload = "main", verdict.measurements[0].speedup = 4;
  verdict.measurements[1].workload = "rare", verdict.measurements[1].speedup = 0.5;
  verdict.measurements[2].workload = "none", verdict.measurements[2].speedup = 100;
  verdict.measurements[0].weight = 3, verdict.measurements[2].weight = 0;
  EXPECT_DOUBLE_EQ(overall_speedup(verdict), std::pow(4, 0.75) * std::pow(0.5, 0.25));
  verdict.dispatch = {"main"};
  EXPECT_DOUBLE_EQ(overall_speedup(verdict), std::pow(4, 0.75)) << "the original runs elsewhere";
}

TEST(BundleJson, ReadsBackTheSame) {
  Bundle bundle{.id = "b", .kernel = "k", .kernel_id = "id", .architecture = "sm_90", .flags = {"-O3"}};
  bundle.parameters = {{"x", "float *", true, false, true, ElementType::f16, "__half", 2}};
  bundle.cases = {{.id = "w/n-1", .workload = "w", .timed = false}};
  bundle.cases[0].scalars = {{"n", std::int64_t{7}}, {"alpha", 2.0}, {"beta", std::nan("")}};
  bundle.cases[0].buffers = {{"x", BufferRole::out, 1ull << 33, {}}};
  bundle.cases[0].families = {"user", "special"};
  bundle.candidates = {{"c0001"}, {"c0002"}};
  bundle.request.seed = std::numeric_limits<std::uint64_t>::max();
  const auto back = bundle_from_json(to_json(bundle));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), to_json(bundle));
  EXPECT_EQ(std::get<double>(back->cases[0].scalars.at("alpha")), 2.0) << "an integral double stays a double";
  EXPECT_EQ(std::get<std::int64_t>(back->cases[0].scalars.at("n")), 7);
  EXPECT_TRUE(std::isnan(std::get<double>(back->cases[0].scalars.at("beta"))));
}

TEST(RecordJson, ReadsBackTheSameAndRoundsFigures) {
  Record record;
  record.arch = "sm_90";
  record.kernel.name = "k";
  record.kernel.parameters = {{.name = "rows", .type = "int"}};
  record.guard.domain = {{"rows", {1, 8193}}};
  record.guard.launch = {{"(rows + 255) / 256", "1", "1"}, {"256", "1", "1"}, "0", false};
  record.guard.configurations = {{1, 1, 1, 256, 1, 1, 0}};
  record.measurements = {{.workload = "w", .original_us = 123.456789, .samples = 40, .verdict = "faster"}};
  record.fingerprints = {{"k.cu", {{"k.cu", "00"}}, "11"}};
  record.knobs = {{"kThreads", 256}};
  const auto text = to_json(record);
  EXPECT_NE(text.find("\"original_us\": 123.457,"), std::string::npos) << text;
  EXPECT_NE(text.find("\"rows\": [1,8193]"), std::string::npos) << text;
  const auto back = record_from_json(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), text);
  EXPECT_FALSE(record_from_json(replace_all(text, "\"arch\"", "\"ark\"")));
}

TEST(RecordJson, CarriesWhatRepeatsTheJudgement) {
  Record record;
  record.arch = "sm_90";
  record.kernel.name = "k";
  record.kernel.precision = {PrecisionKind::relaxed, 0.01, 0};
  record.kernel.deterministic = true;
  record.guard.assumptions = {"n % 4 == 0"};
  record.guard.boxes = {{{"n", {64, 128}}}, {{"n", {4096, 4097}}}};
  record.guard.launch.grid = {"n", "1", "1"};
  record.oracle = "twin";
  record.judged_seed = 18446744073709551615u;
  record.secret = 7;
  record.scratch_bytes = 4096;
  record.waived = {"shared-race"};
  record.finalist = {
      {.name = "racecheck", .outcome = FinalistCheck::Outcome::passed, .detail = "d", .seconds = 2}};
  record.errors = {{.case_id = "w", .family = "normal", .parameter = "y", .rms = 1e-8, .own_rms = 2e-8}};
  record.measurements = {{.workload = "w", .verdict = "faster", .weight = 2, .holdout = true}};
  const auto text = to_json(record);
  const auto back = record_from_json(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), text);
  EXPECT_EQ(to_string(back->kernel.precision), "relaxed(0.01, 0)");
  EXPECT_EQ(back->judged_seed, record.judged_seed);
  EXPECT_EQ(back->errors.at(0).own_rms, 2e-8);
  EXPECT_EQ(back->guard.boxes, record.guard.boxes);
  EXPECT_TRUE(back->measurements.at(0).holdout);
  EXPECT_EQ(back->finalist.at(0).outcome, FinalistCheck::Outcome::passed);
}

TEST(RecordJson, RecordsOfBeforeAreRead) {
  const auto text =
      read_file(std::string(CUPILOT_SOURCE) + "/examples/rms_norm/tuned/rms_norm_kernel/sm_90/record.json");
  ASSERT_TRUE(text);
  const auto record = record_from_json(*text);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(to_string(record->kernel.precision), "same");
  EXPECT_TRUE(record->guard.boxes.empty());
}

TEST(RecordJson, AnEstimateStandsInTheFirstLine) {
  Record record;
  record.estimate = true;
  record.arch = "sm_90";
  record.estimates = {{.workload = "w", .original_us = 20, .tuned_us = 5, .ratio = 4, .verdict = "faster"}};
  record.limits = {"w verified at n=64 instead of n=1024"};
  const auto text = to_json(record);
  EXPECT_NE(text.substr(0, text.find('\n')).find("\"estimate\": true"), std::string::npos) << text;
  const auto back = record_from_json(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(back->estimate);
  EXPECT_EQ(to_json(*back), text);
}

}  // namespace cupilot
