// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/sanitizer_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace judge::tools;
namespace {

using testing::HasSubstr;

TEST(SanitizerReport, NothingFound) {
  const auto report = parse_sanitizer_output(
      "========= COMPUTE-SANITIZER\n"
      "the program's own words\n"
      "========= ERROR SUMMARY: 0 errors\n");
  EXPECT_TRUE(report.complete);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.errors, 0u);
}

TEST(SanitizerReport, AnAccessPastTheEndHasKernelLineThreadAndDistance) {
  const auto report = parse_sanitizer_output(
      "========= COMPUTE-SANITIZER\n"
      "========= Invalid __global__ write of size 4 bytes\n"
      "=========     at void cupilot_variant::rows<(int)4>(const float *, float *, int)+0x1b0 in "
      "variant.cuh:17\n"
      "=========     by thread (33,0,0) in block (2,0,0)\n"
      "=========     Access at 0x7f21cdc00804 is out of bounds\n"
      "=========     and is 5 bytes after the nearest allocation at 0x7f21cdc00600 of size 512 bytes\n"
      "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
      "=========         Host Frame: cuLaunchKernel [0x2d1a3f] in libcuda.so.1\n"
      "=========\n"
      "========= Invalid __global__ write of size 4 bytes\n"
      "=========     at void cupilot_variant::rows<(int)4>(const float *, float *, int)+0x1b0 in "
      "variant.cuh:17\n"
      "=========     by thread (34,0,0) in block (2,0,0)\n"
      "=========     Access at 0x7f21cdc00808 is out of bounds\n"
      "=========\n"
      "========= ERROR SUMMARY: 2 errors\n");
  ASSERT_EQ(report.findings.size(), 1u);
  const SanitizerFinding &one = report.findings[0];
  EXPECT_EQ(one.kind, "Invalid __global__ write of size 4 bytes");
  EXPECT_EQ(one.kernel, "cupilot_variant::rows");
  EXPECT_EQ(one.place, "variant.cuh:17");
  EXPECT_EQ(one.thread, "thread (33,0,0) in block (2,0,0)");
  EXPECT_EQ(one.times, 2u);
  EXPECT_EQ(report.errors, 2u);
  EXPECT_EQ(describe(one),
            "Invalid __global__ write of size 4 bytes in cupilot_variant::rows at variant.cuh:17, "
            "thread (33,0,0) in block (2,0,0): out of bounds, 5 bytes after the nearest allocation of size "
            "512 bytes (2 reports)");
}

TEST(SanitizerReport, ARaceHasTwoSidesAndWarningsAreApart) {
  const auto report = parse_sanitizer_output(
      "========= COMPUTE-SANITIZER\n"
      "========= Error: Race reported between Write access at racing(const float *, float *)+0x90 in "
      "variant.cuh:7\n"
      "=========     and Read access at racing(const float *, float *)+0x100 in variant.cuh:9 [508 hazards]\n"
      "=========     and Read access at racing(const float *, float *)+0x140 in variant.cuh:11 [8 hazards]\n"
      "=========\n"
      "========= Warning: Race reported between Write access at racing(const float *, float *)+0x50 in "
      "variant.cuh:5\n"
      "=========     and Write access at racing(const float *, float *)+0x50 in variant.cuh:5 [3 hazards]\n"
      "=========\n"
      "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n");
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(describe(report.findings[0]),
            "Race reported between a Write and a Read in racing at variant.cuh:7 and variant.cuh:9");
  EXPECT_FALSE(report.findings[0].warning);
  EXPECT_TRUE(report.findings[1].warning);
  EXPECT_EQ(report.errors, 1u);
}

TEST(SanitizerReport, OlderWordsAndNoLines) {
  const auto report = parse_sanitizer_output(
      "========= Uninitialized __global__ memory read of size 4 bytes\n"
      "=========     at 0x250 in /tmp/b/candidates/c1/variant.cuh:41:sum(int *)\n"
      "=========     by thread (16,0,0) in block (0,0,0)\n"
      "=========     Address 0x7f3c7ec000fc\n"
      "========= Barrier error detected. Divergent thread(s) in block\n"
      "=========     at 0x2c8 in spread(float *)\n"
      "=========     by thread (1,0,0) in block (0,0,0)\n"
      "========= ERROR SUMMARY: 2 errors\n"
      "========= ERROR SUMMARY: 157 errors were not printed. Use --print-limit option\n");
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].kernel, "sum");
  EXPECT_EQ(report.findings[0].place, "variant.cuh:41");
  EXPECT_EQ(report.findings[1].kernel, "spread");
  EXPECT_TRUE(report.findings[1].place.empty());
  EXPECT_EQ(report.errors, 2u);
}

TEST(SanitizerReport, ALineInTheVariantSaysMoreThanOneInAHeader) {
  const auto report = parse_sanitizer_output(
      "========= Barrier error detected. Invalid arguments.\n"
      "=========     at __syncwarp(unsigned int)+0xe0 in sm_30_intrinsics.hpp:110\n"
      "=========     by thread (5,0,0) in block (0,0,0)\n"
      "=========         Device Frame: broken(float *, unsigned long)+0xb0 in variant.cuh:12\n"
      "========= Target application returned an error\n"
      "========= ERROR SUMMARY: 17 errors\n");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].place, "variant.cuh:12");
  EXPECT_EQ(report.findings[0].kernel, "broken");
  EXPECT_EQ(report.findings[0].kind, "Barrier error detected. Invalid arguments");
}

TEST(SanitizerReport, AToolThatFailsIsNotAClean) {
  const auto report = parse_sanitizer_output(
      "========= COMPUTE-SANITIZER\n"
      "========= Error: Target application terminated before first instrumented API call\n");
  EXPECT_FALSE(report.complete);
  EXPECT_THAT(report.trouble, HasSubstr("terminated before"));
  EXPECT_FALSE(parse_sanitizer_output("").complete);
  EXPECT_FALSE(parse_sanitizer_output("bash: compute-sanitizer: no such file\n").complete);
}

TEST(SanitizerReport, WhatTheOriginalHasTooIsNotTheCandidates) {
  const SanitizerFinding read{.kind = "Uninitialized __global__ memory read of size 4 bytes", .place = "a:1"};
  const SanitizerFinding wide{.kind = "Uninitialized __global__ memory read of size 16 bytes",
                              .place = "variant.cuh:3"};
  const SanitizerFinding write{.kind = "Invalid __global__ write of size 4 bytes"};
  const auto left = without({wide, write}, {read});
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].kind, write.kind);
  const SanitizerFinding race{.kind = "Race reported between a Write and a Read"};
  SanitizerFinding mild = race;
  mild.warning = true;
  EXPECT_EQ(without({race}, {mild}).size(), 1u) << "a warning of the original does not excuse an error";
}

}  // namespace
}  // namespace cupilot
