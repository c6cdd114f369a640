// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/revisor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "brief_for_tests.h"
#include "evolution/role/log_excerpt.h"

namespace cupilot {
using namespace model;
using namespace provider;
using namespace role;
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char *kVariant =
    "constexpr int kWarps = 8;  // knob: 4 8\n__global__ void k() {}\nbool launch() {}\n";

Verdict failed(VerdictKind kind, const std::string &stage, const std::string &reason) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.stage = stage;
  verdict.reason = reason;
  return verdict;
}

std::string diagnose(const Verdict &verdict) {
  const KernelBrief brief = norm_brief();
  const Strategy strategy{.id = "s0003", .title = "rows in registers", .steps = {"keep the row"}};
  return diagnose_request({brief, strategy, kVariant, verdict, 2}).prompt;
}

TEST(Revisor, AsksWhyItFailed) {
  const KernelBrief brief = norm_brief();
  const Strategy strategy{.id = "s0003", .title = "rows in registers", .steps = {"keep the row"}};
  const Verdict verdict = failed(VerdictKind::wrong, "correct", "output y differs");
  const RoleRequest request = diagnose_request({brief, strategy, kVariant, verdict, 2});
  EXPECT_EQ(request.role, "revisor");
  EXPECT_EQ(request.prompt_version, "revisor_diagnose 1");
  EXPECT_EQ(request.prefix, stable_prefix(brief));
  EXPECT_EQ(request.content, "");
  EXPECT_THAT(request.prompt, HasSubstr("Repair 2 of at most 5"));
  EXPECT_THAT(request.prompt, HasSubstr("step 1: keep the row"));
  EXPECT_THAT(request.prompt, HasSubstr("   3| bool launch() {}\n"));
  EXPECT_THAT(request.prompt, HasSubstr("verdict: wrong, at stage 'correct'\noutput y differs\n"));
}

TEST(Revisor, IsGuidedByTheKindOfFailure) {
  EXPECT_THAT(diagnose(failed(VerdictKind::wrong, "correct", "x")), HasSubstr("It computes something else"));
  EXPECT_THAT(diagnose(failed(VerdictKind::build_failed, "build", "x")), HasSubstr("It does not compile"));
  EXPECT_THAT(diagnose(failed(VerdictKind::rejected, "static", "x")), HasSubstr("It breaks a rule"));
  EXPECT_THAT(diagnose(failed(VerdictKind::crashed, "correct", "x")), HasSubstr("It crashed"));
  const std::string hangs = diagnose(failed(VerdictKind::timed_out, "correct", "x"));
  EXPECT_THAT(hangs, HasSubstr("It did not come to an end"));
  EXPECT_THAT(hangs, Not(HasSubstr("It crashed")));
  EXPECT_THAT(hangs, Not(HasSubstr("{{")));
}

TEST(Revisor, SeesWhichElementsAreWrong) {
  Verdict verdict = failed(VerdictKind::wrong, "correct", "output y differs");
  verdict.errors = {{.case_id = "large/cols-1",
                     .family = "ramp",
                     .parameter = "y",
                     .rms = 3e-6,
                     .rms_limit = 1e-6,
                     .worst_index = 17,
                     .expected = 1.25,
                     .got = 1.5}};
  EXPECT_THAT(diagnose(verdict),
              HasSubstr("output y on case large/cols-1, inputs 'ramp': element 17 is 1.500000000, "
                        "expected 1.250000000; root mean square error 3.000e-6 (allowed 1.000e-6)"));
}

TEST(Revisor, SeesTheLogOnceAndShortened) {
  Verdict verdict = failed(VerdictKind::build_failed, "build", "nvcc: x");
  verdict.build.log = "head\n" + std::string(50'000, 'w') + "\nentry.cu(12): error: no such name\n" +
                      std::string(50'000, 'w') + "\ntail\n";
  const std::string prompt = diagnose(verdict);
  EXPECT_LT(prompt.size(), 18'000u);
  EXPECT_THAT(prompt, HasSubstr("head\n"));
  EXPECT_THAT(prompt, HasSubstr("error: no such name"));
  EXPECT_THAT(prompt, HasSubstr("\ntail\n"));
  EXPECT_THAT(prompt, HasSubstr("bytes left out"));
  verdict.build.log = "entry.cu(12): error: no such name\n";
  verdict.reason = "nvcc: " + verdict.build.log;
  EXPECT_THAT(diagnose(verdict), Not(HasSubstr("The compiler's log")));
}

TEST(Revisor, AsksForEdits) {
  const KernelBrief brief = norm_brief();
  const Strategy strategy{.id = "s0003", .title = "rows in registers"};
  const Diagnosis diagnosis{"line 2 is empty", "fill it"};
  const RoleRequest request = edit_request({brief, strategy, kVariant, diagnosis});
  EXPECT_EQ(request.role, "revisor");
  EXPECT_EQ(request.prompt_version, "revisor_edit 1");
  EXPECT_EQ(request.prefix, stable_prefix(brief));
  EXPECT_THAT(request.prompt, HasSubstr("line 2 is empty"));
  EXPECT_THAT(request.prompt, HasSubstr("fill it"));
  EXPECT_THAT(request.prompt, HasSubstr("   2| __global__ void k() {}\n"));
}

TEST(Revisor, ReadsADiagnosis) {
  const auto diagnosis =
      parse_diagnosis("```json\n{\"cupilot_answer\":1,\"cause\":\"line 3\\nand 4\",\"fix\":\"swap\"}\n```");
  ASSERT_TRUE(diagnosis) << diagnosis.error().message;
  EXPECT_EQ(diagnosis->cause, "line 3\nand 4");
  EXPECT_EQ(diagnosis->fix, "swap");
  const auto bad = parse_diagnosis("```json\n{\"cupilot_answer\":1,\"cause\":\" \",\"fix\":\"swap\"}\n```");
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, StartsWith("'cause' is empty; expected {\"cupilot_answer\":1,\"cause\""));
}

TEST(Critic, AsksForOneIssueOfAFailure) {
  const KernelBrief brief = norm_brief();
  const RoleRequest request =
      critic_request({brief, kVariant, failed(VerdictKind::crashed, "correct", "illegal address"), ""});
  EXPECT_EQ(request.role, "critic");
  EXPECT_EQ(request.prompt_version, "critic 1");
  EXPECT_THAT(request.prompt, HasSubstr("verdict: crashed, at stage 'correct'\nillegal address"));
  EXPECT_THAT(request.prompt, Not(HasSubstr("found it correct")));
}

TEST(Critic, AsksForTheBottleneckOfWhatPassed) {
  const KernelBrief brief = norm_brief();
  Verdict verdict = failed(VerdictKind::faster, "time", "1.5x");
  verdict.measurements = {{.workload = "large", .verdict = VerdictKind::faster, .speedup = 1.5}};
  const std::string prompt = critic_request({brief, kVariant, verdict, "- It waits.\n"}).prompt;
  EXPECT_THAT(prompt, HasSubstr("The judge found it correct: faster, 1.50x of the original's speed."));
  EXPECT_THAT(prompt, HasSubstr("How it runs:\n- It waits.\n"));
  EXPECT_THAT(prompt, Not(HasSubstr("refused it")));
}

TEST(Critic, ReadsOneIssue) {
  const auto criticism = parse_criticism(R"({"cupilot_answer":1,"issue":"i","why":"w","fix":"f"})");
  ASSERT_TRUE(criticism) << criticism.error().message;
  EXPECT_EQ(criticism->issue + criticism->why + criticism->fix, "iwf");
  EXPECT_FALSE(parse_criticism(R"({"cupilot_answer":1,"issue":"i","why":"w"})"));
}

bool same(const std::string &one, const std::string &other) {
  return same_failure(failed(VerdictKind::wrong, "correct", one),
                      failed(VerdictKind::wrong, "correct", other));
}

TEST(SameFailure, ButForNumbersAndFiles) {
  EXPECT_TRUE(same("element 17 is 1.5, expected 1.25e-3", "element 4711 is -0.5, expected 2"));
  EXPECT_TRUE(same("illegal access at 0x7f00aabb", "illegal access at 0x0"));
  EXPECT_TRUE(same("/tmp/a1/entry.cu(12): error: x", "/var/x/entry.cu(340): error: x"));
  EXPECT_TRUE(same("entry.cu(12): error", "variant.cuh(9): error"));
  EXPECT_TRUE(same("line 3:  two   blanks", "line 4: two blanks"));
  EXPECT_FALSE(same("output y differs", "output z differs"));
  EXPECT_FALSE(same("identifier \"a\" is undefined", "identifier \"b\" is undefined"));
  EXPECT_FALSE(same("element 17 is NaN, expected 1", "element 17 is 2, expected 1"));
}

TEST(SameFailure, ComparesKindStageAndTheFirstError) {
  const Verdict one = failed(VerdictKind::wrong, "correct", "x");
  EXPECT_FALSE(same_failure(one, failed(VerdictKind::crashed, "correct", "x")));
  EXPECT_FALSE(same_failure(one, failed(VerdictKind::wrong, "time", "x")));
  Verdict first = failed(VerdictKind::build_failed, "build", "nvcc failed"), second = first;
  first.build.log = "warning\na.cu(3): error: no a\n";
  second.build.log = "a.cu(9): error: no a\nmore\n";
  EXPECT_TRUE(same_failure(first, second));
  second.build.log = "a.cu(9): error: no b\n";
  EXPECT_FALSE(same_failure(first, second));
}

TEST(LogExcerpt, KeepsHeadFirstErrorAndTail) {
  EXPECT_EQ(log_excerpt("short\n", 100), "short\n");
  EXPECT_EQ(log_excerpt("a\x1b[31mb\rc\n", 100), "a[31mbc\n");
  const std::string filler(100'000, 'x');
  for (const std::size_t at : {0u, 50u, 50'000u, 99'990u, 100'000u}) {
    std::string log = filler;
    log.insert(at, "\nx.cu(1): error: here\n");
    const std::string text = log_excerpt(log, kMostLogCharacters);
    EXPECT_LE(text.size(), kMostLogCharacters) << at;
    EXPECT_THAT(text, HasSubstr("x.cu(1): error: here")) << at;
    EXPECT_THAT(text, HasSubstr("bytes left out")) << at;
  }
  EXPECT_LE(log_excerpt(filler, kMostLogCharacters).size(), kMostLogCharacters);
  EXPECT_EQ(log_excerpt(filler, 100).size(), 100u);
}

TEST(LogExcerpt, CutsNoCharacterInTwo) {
  std::string log;
  while (log.size() < 30'000) log += "\xe2\x82\xac";
  for (std::size_t most : {100u, 1000u, 1001u, 1002u, 10'000u}) {
    const std::string text = log_excerpt(log, most);
    std::size_t euros = 0;
    for (std::size_t at = 0; (at = text.find("\xe2\x82\xac", at)) != std::string::npos; at += 3) ++euros;
    const auto wide =
        std::ranges::count_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    EXPECT_EQ(static_cast<std::size_t>(wide), 3 * euros) << most;
  }
}

}  // namespace
}  // namespace cupilot
