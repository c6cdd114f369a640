// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/analyst.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "brief_for_tests.h"

namespace cupilot {
using namespace model;
using namespace provider;
using namespace role;
namespace {

using testing::Contains;
using testing::Each;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr const char *kDram = "dram__bytes.sum";
constexpr const char *kWarps = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char *kIssue = "smsp__issue_active.avg.pct_of_peak_sustained_active";

SampleSet at(double median_us) {
  return {.median_us = median_us};
}

/// 800 MB in 400 us (original) and 200 us (candidate) at 4000 GB/s: half and all of the copy bandwidth.
Verdict timed() {
  Verdict verdict;
  verdict.kind = VerdictKind::faster;
  verdict.device.copy_bandwidth_gbs = 4000;
  verdict.measurements = {{.workload = "large",
                           .original = at(400),
                           .candidate = at(250),
                           .verdict = VerdictKind::faster,
                           .speedup = 1.6,
                           .bytes_moved = 800e6}};
  return verdict;
}

Verdict profiled(const std::string &roofline_class, double memory, double compute,
                 std::map<std::string, double> counters) {
  Verdict verdict = timed();
  counters.emplace("gpu__time_duration.sum", 1);
  verdict.profiles = {{.workload = "large",
                       .counters = std::move(counters),
                       .roofline_class = roofline_class,
                       .memory_share = memory,
                       .compute_share = compute}};
  return verdict;
}

TEST(Analyst, SaysWhatCountersShow) {
  const Analysis analysis = analyse(profiled("memory-bound", 0.8, 0.2, {{kDram, 820e6}}), true);
  EXPECT_EQ(analysis.roofline_class, "memory-bound");
  EXPECT_DOUBLE_EQ(analysis.roof_share, 0.8);
  ASSERT_THAT(analysis.digest, Not(IsEmpty()));
  EXPECT_EQ(
      analysis.digest[0],
      "On workload 'large' it takes 250.0 us and is memory-bound: 80 % of the measured copy bandwidth (4000 "
      "GB/s), 20 % of the arithmetic peak.");
  EXPECT_THAT(analysis.digest,
              Contains(StartsWith("DRAM carries hardly more than the least bytes (1.02 times)")));
  EXPECT_THAT(analysis.digest, Contains(StartsWith("Memory is the limit while arithmetic idles")));
}

TEST(Analyst, RegisterPressureNeedsBoth) {
  Verdict verdict = profiled("latency-bound", 0.3, 0.5, {{kWarps, 25}});
  verdict.build.registers = 128;
  EXPECT_THAT(
      analyse(verdict, true).digest,
      Contains(StartsWith("Register pressure: with 128 registers a thread only 25 % of the warp slots")));
  verdict.build.registers = 40;
  EXPECT_THAT(analyse(verdict, true).digest,
              Contains(StartsWith("Only 25 % of the warp slots are active, with 40")));
  verdict = profiled("latency-bound", 0.3, 0.5, {{kWarps, 60}});
  verdict.build.registers = 128;
  EXPECT_THAT(analyse(verdict, true).digest, Each(Not(HasSubstr("registers"))));
}

TEST(Analyst, BalanceOfMemoryAndArithmetic) {
  const auto sentence = [](double memory, double compute) {
    const Analysis analysis = analyse(profiled("latency-bound", memory, compute, {{kIssue, 1}}), true);
    return digest_text(analysis);
  };
  EXPECT_THAT(sentence(0.70, 0.50), HasSubstr("Memory is the limit"));
  EXPECT_THAT(sentence(0.50, 0.70), HasSubstr("Arithmetic is the limit"));
  EXPECT_THAT(sentence(0.40, 0.40),
              HasSubstr("Neither memory nor arithmetic is busy (memory 40 %, arithmetic 40 %)"));
  EXPECT_THAT(sentence(0.69, 0.51), Not(HasSubstr("limit")));
  EXPECT_THAT(sentence(0.41, 0.40), Not(HasSubstr("Neither")));
}

TEST(Analyst, TrafficThatIsFetchedAgain) {
  EXPECT_THAT(analyse(profiled("memory-bound", 0.9, 0.1, {{kDram, 2400e6}}), true).digest,
              Contains(StartsWith("DRAM carries 3.0 times the least bytes (2.4 GB against 800 MB)")));
  EXPECT_THAT(digest_text(analyse(profiled("latency-bound", 0.3, 0.1, {{kDram, 900e6}}), true)),
              Not(HasSubstr("DRAM carries")));
}

TEST(Analyst, TheClassChoosesWhatComesFirst) {
  const std::map<std::string, double> counters{{kDram, 2400e6},
                                               {kIssue, 85},
                                               {kWarps, 30},
                                               {"lts__t_bytes.sum", 4800e6},
                                               {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 3e9},
                                               {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1e9}};
  const Analysis memory = analyse(profiled("memory-bound", 0.9, 0.5, counters), true);
  ASSERT_GE(memory.digest.size(), 2u);
  EXPECT_THAT(memory.digest[1], StartsWith("DRAM carries 3.0 times"));
  EXPECT_THAT(memory.digest, Contains(StartsWith("The L2 carries 2.0 times what DRAM carries")));
  const Analysis compute = analyse(profiled("compute-bound", 0.3, 0.85, counters), true);
  ASSERT_GE(compute.digest.size(), 2u);
  EXPECT_THAT(compute.digest[1],
              StartsWith("Instructions are issued in 85 % of the cycles, and 75 % of the float"));
  EXPECT_THAT(compute.digest, Each(Not(HasSubstr("The L2 carries"))));
}

TEST(Analyst, AtMostSixSentences) {
  Verdict verdict = profiled("memory-bound", 0.9, 0.2,
                             {{kDram, 2400e6}, {kIssue, 85}, {kWarps, 30}, {"lts__t_bytes.sum", 4800e6}});
  verdict.build.registers = 200;
  verdict.build.spill_bytes = 64;
  verdict.measurements.push_back({.workload = "tiny", .original = at(3), .candidate = at(4), .speedup = 0.7});
  const Analysis analysis = analyse(verdict, true);
  EXPECT_THAT(analysis.digest, SizeIs(kMostDigestSentences));
  EXPECT_THAT(analysis.digest, Each(EndsWith(".")));
  EXPECT_THAT(analysis.digest, Contains(HasSubstr("spills 64 bytes")));
}

TEST(Analyst, BothBusyIsTheMiddle) {
  EXPECT_EQ(analyse(profiled("memory-bound", 0.8, 0.7, {{kIssue, 70}}), true).roofline_class, "middle");
}

TEST(Analyst, WithoutCountersItSaysSo) {
  Verdict verdict = timed();
  verdict.profiles = {
      {.workload = "large", .roofline_class = "latency-bound", .note = "no permission:\nask the admin"}};
  const Analysis analysis = analyse(verdict, true);
  EXPECT_EQ(analysis.roofline_class, "memory-bound") << "800 MB in 250 us are 80 % of 4000 GB/s";
  ASSERT_THAT(analysis.digest, SizeIs(1));
  EXPECT_EQ(
      analysis.digest[0],
      "No hardware counters (no permission: ask the admin); by its time alone, on workload 'large' it takes "
      "250.0 us and is memory-bound, moving its least bytes (800 MB) at 80 % of the measured copy bandwidth "
      "(4000 GB/s).");
  const Analysis original = analyse(verdict, false);
  EXPECT_EQ(original.roofline_class, "") << "half of the bandwidth says nothing of arithmetic";
  EXPECT_NEAR(original.roof_share, 0.5, 1e-9);
  EXPECT_THAT(original.digest[0], HasSubstr("400.0 us, moving its least bytes (800 MB) at 50 %"));
}

TEST(Analyst, EstimatesAreCalledThat) {
  Verdict verdict;
  verdict.estimates = {
      {.workload = "large",
       .original = {.time_us = 500,
                    .bound = "dram",
                    .parts_us = {{"dram", 450}, {"issue", 100}, {"launch", 2}}},
       .candidate = {.time_us = 300, .bound = "issue", .parts_us = {{"issue", 240}, {"dram", 60}}}}};
  const Analysis original = analyse(verdict, false);
  EXPECT_EQ(original.roofline_class, "memory-bound");
  EXPECT_NEAR(original.roof_share, 0.9, 1e-9);
  EXPECT_EQ(
      original.digest[0],
      "No measurement: by an estimate on the CPU it takes about 500.0 us on workload 'large', most of it for "
      "'dram' (dram 450.0 us, issue 100.0 us, launch 2.0 us).");
  EXPECT_EQ(analyse(verdict, true).roofline_class, "compute-bound");
  verdict.estimates[0].candidate.bound = "atomics";
  EXPECT_EQ(analyse(verdict, true).roofline_class, "latency-bound");
}

TEST(Analyst, TheOriginalHasNoBuildOfOurs) {
  Verdict verdict = timed();
  verdict.build.registers = 200;
  verdict.build.spill_bytes = 99;
  EXPECT_THAT(digest_text(analyse(verdict, false)), Not(HasSubstr("registers")));
  EXPECT_THAT(digest_text(analyse(verdict, true)), HasSubstr("200 registers a thread"));
}

TEST(Analyst, TheWorkloadThatWeighsMost) {
  Verdict verdict = timed();
  verdict.measurements.push_back(
      {.workload = "huge", .original = at(4000), .candidate = at(100), .weight = 0.01});
  EXPECT_THAT(analyse(verdict, true).digest[0], HasSubstr("'large'"));
  verdict.measurements[1].weight = 1;
  EXPECT_THAT(analyse(verdict, true).digest[0], HasSubstr("'huge'"));
}

/// Nothing of a hold-out may reach a role: neither its name nor a figure.
TEST(Analyst, LooksAtNoHoldout) {
  Verdict verdict = timed();
  verdict.measurements.push_back(
      {.workload = "secret", .original = at(9e6), .candidate = at(9e6), .speedup = 0.1, .holdout = true});
  verdict.profiles.push_back(
      {.workload = "secret", .counters = {{kDram, 1}}, .roofline_class = "compute-bound"});
  verdict.estimates = {
      {.workload = "secret", .original = {.time_us = 1}, .candidate = {.time_us = 1}, .holdout = true}};
  EXPECT_THAT(digest_text(analyse(verdict, true)), Not(HasSubstr("secret")));
  EXPECT_THAT(analyst_request(norm_brief(), verdict, true).prompt, Not(HasSubstr("secret")));
  verdict.measurements.erase(verdict.measurements.begin());
  EXPECT_THAT(analyse(verdict, true).digest, IsEmpty());
}

TEST(Analyst, NothingKnownIsNothingSaid) {
  const Analysis analysis = analyse({}, true);
  EXPECT_EQ(analysis.roofline_class, "");
  EXPECT_THAT(analysis.digest, IsEmpty());
  EXPECT_EQ(analysis.roof_share, 0);
  EXPECT_EQ(digest_text(analysis), "");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Verdict verdict = profiled("latency-bound", nan, nan, {{kDram, nan}, {kWarps, nan}});
  EXPECT_GE(analyse(verdict, true).roof_share, 0);
  EXPECT_THAT(digest_text(analyse(verdict, true)), Not(HasSubstr("nan")));
}

TEST(Analyst, SlowerOnAnotherWorkload) {
  Verdict verdict = timed();
  verdict.measurements.push_back(
      {.workload = "tiny", .original = at(3), .candidate = at(4), .speedup = 0.75});
  EXPECT_THAT(analyse(verdict, true).digest,
              Contains("On workload 'tiny' it is slower than the original: 0.75x."));
  EXPECT_THAT(digest_text(analyse(verdict, false)), Not(HasSubstr("tiny")));
}

TEST(Analyst, AsksAModelWithFiguresAndRules) {
  const RoleRequest request =
      analyst_request(norm_brief(), profiled("memory-bound", 0.8, 0.2, {{kDram, 820e6}}), true);
  EXPECT_EQ(request.role, "analyst");
  EXPECT_EQ(request.prompt_version, "analyst 1");
  EXPECT_EQ(request.prefix, stable_prefix(norm_brief()));
  EXPECT_THAT(request.prompt, HasSubstr("dram__bytes.sum: 820000000.00"));
  EXPECT_THAT(request.prompt, HasSubstr("- On workload 'large' it takes"));
}

TEST(Analyst, ReadsADigest) {
  const auto analysis = parse_analyst_answer(
      R"({"cupilot_answer":1,"roofline_class":"latency-bound","digest":["It waits."],"roof_share":0.3})");
  ASSERT_TRUE(analysis) << analysis.error().message;
  EXPECT_EQ(analysis->roofline_class, "latency-bound");
  EXPECT_EQ(digest_text(*analysis), "- It waits.\n");
  EXPECT_DOUBLE_EQ(analysis->roof_share, 0.3);
  const auto said = [](const std::string &answer) {
    const auto parsed = parse_analyst_answer(answer);
    return parsed ? "accepted" : parsed.error().message;
  };
  EXPECT_THAT(said(R"({"cupilot_answer":1,"roofline_class":"slow","digest":["a"],"roof_share":0})"),
              HasSubstr("'roofline_class' is 'slow', which is none of"));
  EXPECT_THAT(
      said(
          R"({"cupilot_answer":1,"roofline_class":"","digest":["a","b","c","d","e","f","g"],"roof_share":0})"),
      HasSubstr("'digest' has 7 items"));
  EXPECT_THAT(said(R"({"cupilot_answer":1,"roofline_class":"","digest":["a"],"roof_share":1.5})"),
              HasSubstr("'roof_share' is out of range"));
}

}  // namespace
}  // namespace cupilot
