// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/device_coverage.h"

#include <gmock/gmock.h>

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::session;
using judge::launches::Coverage;
namespace {

using testing::ElementsAre;

/// A kernel whose code stands in line 10 of the variant, then `body`; %r1 is in[0], %r0 the thread.
std::string variant(const std::string &body) {
  return ".file 1 \"/bundle/candidates/a/variant.cuh\"\n.file 2 \"/bundle/include/other.cuh\"\n" +
         kernel(".loc 1 10 3\n ld.global.u32 %r1, [%rd1];\n" + body);
}

class DeviceCoverage : public testing::Test {
protected:
  /// Runs the kernel with these values of in[0], one launch for each.
  Coverage covered(const std::string &body, const std::vector<std::uint32_t> &values,
                   std::uint32_t threads = 32) {
    Device device(variant(body));
    StepMarks marks;
    device.options.marks = &marks;
    for (const std::uint32_t value : values) {
      const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(threads, 0));
      const auto in = device.buffer(std::vector<std::uint32_t>{value});
      EXPECT_TRUE(device.run("k", 1, threads, {out, in}).completed);
    }
    return device_coverage(*device.program, {marks, marks});
  }
  static std::vector<std::string> gaps(const Coverage &coverage) {
    return judge::launches::uncovered(judge::launches::gaps_of(coverage));
  }
};

constexpr const char *kBranch = R"(
    .loc 1 11 7
    setp.ne.s32 %p1, %r1, 160;
    @%p1 bra L1;
    .loc 1 12 5
    mov.u32 %r1, 7;
  L1:
    .loc 1 13 3
    st.global.u32 [%rd2], %r1;
)";

TEST_F(DeviceCoverage, NamesTheLineThatNoLaunchReached) {
  const Coverage coverage = covered(kBranch, {1, 2});
  EXPECT_THAT(gaps(coverage), ElementsAre("variant.cuh:11: never equal, compared with 160",
                                          "variant.cuh:12: never executed"));
  EXPECT_EQ(judge::launches::figures_of(coverage).lines, 4U);
  EXPECT_EQ(judge::launches::figures_of(coverage).lines_covered, 3U);
}

/// "if (n > 18900) y[i] = 7;" on one line: the compiler gives the store the place of the test.
TEST_F(DeviceCoverage, CodeAtThePlaceOfItsConditionDoesNotTell) {
  const std::string body = R"(
    .loc 1 11 7
    setp.lt.u32 %p1, %r1, 18901;
    @%p1 bra L1;
    mov.u32 %r6, 7;
    st.global.u32 [%rd2], %r6;
  L1:
    .loc 1 13 3
    st.global.u32 [%rd2], %r1;
)";
  EXPECT_THAT(gaps(covered(body, {1, 18900})),
              ElementsAre("variant.cuh:11: always decided the same way, compared with 18901"));
  EXPECT_THAT(gaps(covered(body, {1, 18901})), ElementsAre());
}

/// "y = x == 1234.5f ? 0 : x": data that is compared with a number of the text.
TEST_F(DeviceCoverage, OneNumberAmongTheDataIsAsked) {
  const std::string body = R"(
    .loc 1 11 7
    .reg .f32 %data;
    mov.b32 %data, %r1;
    setp.eq.f32 %p1, %data, 0f449A5000;
    selp.u32 %r6, 0, %r1, %p1;
    .loc 1 13 3
    st.global.u32 [%rd2], %r6;
)";
  EXPECT_THAT(gaps(covered(body, {1, 2})), ElementsAre("variant.cuh:11: never equal, compared with 1234.5"));
  EXPECT_THAT(gaps(covered(body, {1, 0x449a5000})), ElementsAre());
}

/// "for (e = threadIdx.x; e < 128; e += 64)": the copy that a compiler makes of it for four rounds.
std::string four_rounds_from(const std::string &first) {
  return R"(
    .loc 1 11 7
    mov.u32 %r2, )" +
         first + R"(;
    max.s32 %r3, %r2, 64;
    add.s32 %r4, %r3, 63;
    sub.s32 %r5, %r4, %r2;
    setp.lt.u32 %p1, %r5, 192;
    @%p1 bra L1;
    .loc 1 12 5
    mov.u32 %r6, 7;
    st.global.u32 [%rd2], %r6;
  L1:
    .loc 1 13 3
    st.global.u32 [%rd2], %r1;
)";
}

TEST_F(DeviceCoverage, CodeForMoreRoundsThanALoopHasIsDead) {
  EXPECT_THAT(gaps(covered(four_rounds_from("%tid.x"), {1})), ElementsAre());
  EXPECT_THAT(gaps(covered(four_rounds_from("%r1"), {1})), ElementsAre("variant.cuh:12: never executed"))
      << "data may have any value";
  EXPECT_THAT(gaps(covered(four_rounds_from("%ntid.x"), {1})), ElementsAre("variant.cuh:12: never executed"))
      << "another launch may have other blocks";
}

TEST_F(DeviceCoverage, CodeForThreadsThatABlockMayHaveIsNot) {
  const std::string body = R"(
    .loc 1 11 7
    mov.u32 %r2, %tid.x;
    setp.lt.u32 %p1, %r2, 500;
    @%p1 bra L1;
    .loc 1 12 5
    st.global.u32 [%rd2], %r2;
  L1:
    .loc 1 13 3
    st.global.u32 [%rd2], %r1;
)";
  EXPECT_THAT(gaps(covered(body, {1})), ElementsAre("variant.cuh:12: never executed"));
}

TEST_F(DeviceCoverage, WhatIsBoundedFromAboveIsBelowTheBound) {
  const std::string body = R"(
    .loc 1 11 7
    min.s32 %r2, %r1, 4;
    and.b32 %r3, %r2, 2147483644;
    setp.gt.s32 %p1, %r2, 4;
    @!%p1 bra L1;
    .loc 1 12 5
    st.global.u32 [%rd2], %r2;
  L1:
    setp.gt.s32 %p2, %r3, 4;
    @!%p2 bra L2;
    .loc 1 13 5
    st.global.u32 [%rd2], %r3;
  L2:
    .loc 1 14 3
    st.global.u32 [%rd2], %r1;
)";
  EXPECT_THAT(gaps(covered(body, {1})), ElementsAre("variant.cuh:13: never executed"))
      << "a negative number has the upper bits";
}

TEST_F(DeviceCoverage, IsWholeOnceBothWaysWereSeen) {
  const Coverage coverage = covered(kBranch, {1, 160});
  EXPECT_THAT(gaps(coverage), ElementsAre());
  EXPECT_TRUE(judge::launches::figures_of(coverage).whole());
}

TEST_F(DeviceCoverage, AChosenValueIsAConditionToo) {
  const std::string body = R"(
    .loc 1 11 7
    setp.eq.s32 %p1, %r1, 160;
    .loc 1 11 20
    selp.b32 %r2, 0, %r1, %p1;
    st.global.u32 [%rd2], %r2;
)";
  EXPECT_THAT(gaps(covered(body, {1})), ElementsAre("variant.cuh:11: never equal, compared with 160"));
  EXPECT_THAT(gaps(covered(body, {1, 160})), ElementsAre());
}

TEST_F(DeviceCoverage, LeavingEarlyNeedNotBeSeen) {
  const std::string body = R"(
    .loc 1 11 7
    setp.ge.s32 %p1, %r0, %r1;
    @%p1 ret;
    .loc 1 12 5
    st.global.u32 [%rd2], %r1;
)";
  EXPECT_THAT(gaps(covered(body, {64})), ElementsAre());
  EXPECT_THAT(gaps(covered(body, {0})), ElementsAre("variant.cuh:12: never executed"));
}

TEST_F(DeviceCoverage, LeavingAboveAThresholdMustBeSeen) {
  const std::string body = R"(
    .loc 1 11 7
    setp.gt.s32 %p1, %r1, 3000;
    @%p1 ret;
    .loc 1 12 5
    st.global.u32 [%rd2], %r1;
)";
  EXPECT_THAT(gaps(covered(body, {64})),
              ElementsAre("variant.cuh:11: always decided the same way, compared with 3000"));
  EXPECT_THAT(gaps(covered(body, {64, 3001})), ElementsAre());
}

TEST_F(DeviceCoverage, AChoiceOfTheSmallerNeedNotBeSeenBothWays) {
  const std::string body = R"(
    .loc 1 11 7
    setp.lt.s32 %p1, %r1, %r0;
    selp.b32 %r2, %r0, %r1, %p1;
    .loc 1 12 5
    setp.gt.s32 %p2, %r1, 3;
    selp.b32 %r2, %r0, %r2, %p2;
    st.global.u32 [%rd2], %r2;
)";
  EXPECT_THAT(gaps(covered(body, {64})), ElementsAre());
}

/// Whether a way of it is a gap is decided by who knows the text.
TEST_F(DeviceCoverage, TestsOfFloatingDataAreMarked) {
  const std::string body = R"(
    .reg .f32 %f<4>;
    .loc 1 11 7
    mov.b32 %f1, %r1;
    setp.gt.f32 %p1, %f1, 0f42B00000;
    selp.b32 %r2, 0, %r1, %p1;
    and.b32 %r3, %r2, 2139095040;
    .loc 1 12 7
    mov.b32 %f2, %r3;
    mov.b32 %r4, %f2;
    setp.eq.s32 %p2, %r4, 2139095040;
    selp.b32 %r2, 0, %r2, %p2;
    .loc 1 13 7
    setp.nan.f32 %p3, %f2, %f2;
    selp.b32 %r2, 0, %r2, %p3;
    .loc 1 14 7
    setp.eq.s32 %p4, %r4, 1084227584;
    selp.b32 %r2, 0, %r2, %p4;
    .loc 1 15 7
    setp.lt.f32 %p5, %f1, %f2;
    selp.b32 %r2, 0, %r2, %p5;
    st.global.u32 [%rd2], %r2;
)";
  const Coverage coverage = covered(body, {64});
  EXPECT_THAT(gaps(coverage), ElementsAre("variant.cuh:11: always decided the same way, compared with 88",
                                          "variant.cuh:14: never equal, compared with 1084227584",
                                          "variant.cuh:15: always decided the same way"))
      << "data have every family's NaN and infinities";
  for (const auto &condition : judge::launches::gaps_of(coverage).conditions) EXPECT_TRUE(condition.data);
}

TEST_F(DeviceCoverage, ConditionsOfOneStatementAreToldApart) {
  const std::string body = R"(
    .loc 1 11 7
    setp.ge.s32 %p1, %r0, %r1;
    setp.eq.s32 %p2, %r1, 7777;
    or.pred %p3, %p1, %p2;
    @%p3 bra L1;
    .loc 1 12 5
    st.global.u32 [%rd2], %r1;
  L1:
)";
  EXPECT_THAT(gaps(covered(body, {16})), ElementsAre("variant.cuh:11: never equal, compared with 7777"));
  EXPECT_THAT(gaps(covered(body, {16, 7777})), ElementsAre());
}

TEST_F(DeviceCoverage, TheShapeOfABlockIsNoThreshold) {
  const std::string body = R"(
    .loc 1 11 7
    setp.gt.u32 %p1, %r0, 31;
    @%p1 ret;
    .loc 1 12 5
    st.global.u32 [%rd2], %r1;
)";
  EXPECT_THAT(gaps(covered(body, {64})), ElementsAre());
}

TEST_F(DeviceCoverage, AGuardedInstructionIsExecutedWhenItsGuardHolds) {
  const std::string body = R"(
    .loc 1 11 7
    setp.eq.s32 %p1, %r1, 160;
    .loc 1 12 5
    @%p1 st.global.u32 [%rd2], %r1;
)";
  EXPECT_THAT(gaps(covered(body, {1})), ElementsAre("variant.cuh:12: never executed",
                                                    "variant.cuh:12: never equal, compared with 160"));
  EXPECT_THAT(gaps(covered(body, {160, 1})), ElementsAre());
}

TEST_F(DeviceCoverage, CopiesOfACodePlaceCountAsOne) {
  const std::string body = R"(
    .loc 1 11 7
    setp.eq.s32 %p1, %r1, 1;
    @%p1 bra L1;
    .loc 1 12 5
    add.u32 %r2, %r1, 1;
  L1:
    .loc 1 11 7
    setp.ne.s32 %p2, %r1, 9;
    @%p2 bra L2;
    .loc 1 12 5
    add.u32 %r2, %r1, 1;
  L2:
    .loc 1 13 5
    st.global.u32 [%rd2], %r1;
)";
  EXPECT_THAT(gaps(covered(body, {1})),
              ElementsAre("variant.cuh:11: never equal, compared with 9", "variant.cuh:12: never executed"));
  EXPECT_THAT(gaps(covered(body, {5, 9})), ElementsAre());
}

TEST_F(DeviceCoverage, InlinedCodeCountsForItsInnermostPlaceInTheVariant) {
  const std::string body = R"(
    .loc 1 20 9
    mov.u32 %r2, 1;
    .loc 2 77 1, function_name $L__info_string0, inlined_at 1 20 9
    setp.eq.s32 %p1, %r1, 160;
    selp.b32 %r2, 0, %r1, %p1;
    .loc 1 15 2, function_name $L__info_string0, inlined_at 1 20 9
    st.global.u32 [%rd2], %r2;
    .loc 2 5 1
    mov.u32 %r3, 1;
)";
  const Coverage coverage = covered(body, {1});
  std::vector<std::uint32_t> lines;
  for (const auto &spot : coverage.spots) lines.push_back(spot.line);
  EXPECT_THAT(lines, ElementsAre(10, 15, 20));
  EXPECT_THAT(coverage.conditions, testing::IsEmpty()) << "a condition of a header is not the variant's";
}

TEST_F(DeviceCoverage, WhatAFailedAssertionRunsNeedNotRun) {
  const std::string body = R"(
    .loc 1 11 7
    setp.ne.s32 %p1, %r1, 160;
    @%p1 bra L1;
    .loc 1 12 5
    mov.u32 %r2, 7;
    trap;
  L1:
    .loc 1 13 3
    st.global.u32 [%rd2], %r1;
)";
  EXPECT_THAT(gaps(covered(body, {1})), ElementsAre());
}

TEST_F(DeviceCoverage, AnUnlaunchedKernelIsUncovered) {
  EXPECT_THAT(gaps(covered("", {})), ElementsAre("variant.cuh:10: never executed"));
}

TEST_F(DeviceCoverage, HostThreadsAddTheirMarks) {
  Device device(variant(kBranch));
  StepMarks marks;
  device.options.marks = &marks;
  device.options.threads = 2;
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(32, 0));
  const std::uint64_t in = device.buffer(std::vector<std::uint32_t>{160});
  EXPECT_TRUE(device.run("k", 64, 32, {out, in}).completed);
  EXPECT_THAT(gaps(device_coverage(*device.program, {marks, marks})),
              ElementsAre("variant.cuh:11: always equal, compared with 160"));
}

}  // namespace
}  // namespace cupilot::emulate
