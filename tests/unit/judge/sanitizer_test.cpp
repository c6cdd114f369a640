// SPDX-License-Identifier: Apache-2.0
//
// compute-sanitizer's place is taken by a script that says what the tools would.
#include "evolution/judge/engine/sanitizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "annotate/support/files.h"

namespace cupilot {
using namespace judge::engine;
using namespace model;
using namespace spec;
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

/// $2 is the tool; the last word is what is looked at.
constexpr const char *kScript = R"(#!/bin/sh
for subject; do :; done
echo "$2 $subject" >> "$(dirname "$0")/calls"
echo '========= COMPUTE-SANITIZER'
case "$2 $subject" in
  "racecheck c0001")
    echo '========= Error: Race reported between Write access at racing(float *)+0x90 in variant.cuh:7'
    echo '=========     and Read access at racing(float *)+0x100 in variant.cuh:9 [508 hazards]'
    echo '========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)'
    exit 86;;
  "memcheck original")
    if [ -e "$(dirname "$0")/fails-beside" ] && [ ! -e "$(dirname "$0")/original/sanitized-cases-are-own" ]; then
      echo '========= Invalid __global__ read of size 4 bytes'
      echo '=========     at norm(int *)+0x70 in norm.slice.cu:22'
      echo '========= ERROR SUMMARY: 1 error'
      exit 86
    fi
    echo '========= ERROR SUMMARY: 0 errors';;
  "initcheck original")
    echo '========= Uninitialized __global__ memory read of size 4 bytes'
    echo '=========     at sum(int *)+0x70 in norm.slice.cu:41'
    echo '========= ERROR SUMMARY: 1 error'
    exit 86;;
  "synccheck c0001")
    echo 'no device'
    exit 1;;
  racecheck*) echo '========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)';;
  *) echo '========= ERROR SUMMARY: 0 errors';;
esac
)";

class SanitizerTest : public testing::Test {
protected:
  SanitizerTest() {
    const fs::path script = folder_.path() / "compute-sanitizer";
    EXPECT_TRUE(write_file_atomic(script, kScript));
    fs::permissions(script, fs::perms::owner_all);
    ::setenv("CUPILOT_COMPUTE_SANITIZER", script.c_str(), 1);
    EXPECT_TRUE(write_file_atomic(folder_.path() / "original" / "entry.cu", "// the original\n"));
  }
  ~SanitizerTest() override { ::unsetenv("CUPILOT_COMPUTE_SANITIZER"); }

  std::size_t calls() const {
    const auto text = read_file(folder_.path() / "calls");
    return text ? static_cast<std::size_t>(std::ranges::count(*text, '\n')) : 0;
  }
  TemporaryFolder folder_ = TemporaryFolder::create("cupilot-sanitizer-test").value();
};

TEST_F(SanitizerTest, EveryToolIsAskedAndAnswersForItself) {
  const auto runs = run_sanitizer({folder_.path(), "c0001"});
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(calls(), 4u);
  EXPECT_EQ(runs[0].tool, "memcheck");
  EXPECT_THAT(runs[0].findings, IsEmpty());
  EXPECT_EQ(runs[0].not_run, "");
  ASSERT_EQ(runs[1].findings.size(), 1u);
  EXPECT_EQ(runs[1].findings[0].place, "variant.cuh:7");
  EXPECT_EQ(runs[1].not_run, "") << "errors are an answer, whatever the exit code";
  EXPECT_THAT(runs[3].not_run, HasSubstr("exit code 1"));
  EXPECT_THAT(runs[3].not_run, HasSubstr("no device"));
}

TEST_F(SanitizerTest, TheOriginalIsLookedAtOnce) {
  const auto first = run_sanitizer_on_original(folder_.path());
  const auto again = run_sanitizer_on_original(folder_.path());
  EXPECT_EQ(calls(), 4u);
  ASSERT_EQ(again.size(), 4u);
  ASSERT_EQ(again[2].findings.size(), 1u);
  EXPECT_EQ(again[2].findings[0].place, first[2].findings[0].place);
  EXPECT_TRUE(write_file_atomic(folder_.path() / "original" / "entry.cu", "// another\n"));
  (void)run_sanitizer_on_original(folder_.path());
  EXPECT_EQ(calls(), 8u);
}

TEST_F(SanitizerTest, WhatTheDeveloperVouchesForIsNoFinding) {
  Bundle bundle;
  const auto found = original_findings(bundle, folder_.path());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0], HasSubstr("initcheck: Uninitialized __global__ memory read"));
  EXPECT_THAT(found[0], HasSubstr("norm.slice.cu:41"));
  bundle.waived = {"uninitialised-read"};
  EXPECT_THAT(original_findings(bundle, folder_.path()), IsEmpty());
}

TEST_F(SanitizerTest, AtSizesThatNobodyAskedForTheOriginalMayFail) {
  Bundle bundle;
  bundle.waived = {"uninitialised-read"};
  Parameter y;
  y.name = "y", y.type = "float *", y.pointer = true, y.element = ElementType::f32, y.element_bytes = 4;
  bundle.parameters = {y};
  for (const char *id : {"w", "w/n=2"}) {
    Case which;
    which.id = id, which.workload = "w", which.families = {"user"};
    which.buffers = {{"y", BufferRole::out, 100, {}}};
    bundle.cases.push_back(std::move(which));
  }
  EXPECT_TRUE(write_file_atomic(folder_.path() / "fails-beside", ""));
  EXPECT_THAT(original_findings(bundle, folder_.path()), IsEmpty());
  EXPECT_TRUE(takes_own_cases_only(folder_.path())) << "candidates are not looked at there either";
  EXPECT_EQ(calls(), 8u);
  EXPECT_THAT(original_findings(bundle, folder_.path()), IsEmpty());
  EXPECT_EQ(calls(), 8u);
}

TEST_F(SanitizerTest, WithoutItEveryToolSaysSo) {
  ::setenv("CUPILOT_COMPUTE_SANITIZER", "/nowhere/compute-sanitizer", 1);
  for (const ToolRun &run : run_sanitizer({folder_.path(), "c0001"}))
    EXPECT_THAT(run.not_run, HasSubstr("not installed here")) << run.tool;
  EXPECT_EQ(calls(), 0u);
}

TEST(SanitizedCases, AreFewAndSmall) {
  Bundle bundle;
  Parameter y;
  y.name = "y", y.type = "float *", y.pointer = true, y.element = ElementType::f32, y.element_bytes = 4;
  bundle.parameters = {y};
  const auto add = [&](const std::string &id, std::uint64_t elements, std::vector<std::string> families) {
    Case which;
    which.id = id, which.workload = "w", which.families = std::move(families);
    which.buffers = {{"y", BufferRole::out, elements, {}}};
    bundle.cases.push_back(std::move(which));
  };
  add("w", 1 << 28, {"user", "special"});
  const auto alone = sanitized_cases(bundle, false);
  ASSERT_EQ(alone.size(), 2u) << "nothing smaller to be had";
  for (int i = 0; i < 9; ++i) add("w/n=" + std::to_string(i), 100 + i, {"user", "special"});
  const auto chosen = sanitized_cases(bundle, false);
  EXPECT_LE(chosen.size(), 7u);
  EXPECT_GE(chosen.size(), 4u);
  for (const SanitizedCase &one : chosen) EXPECT_NE(one.case_index, 0u);
  EXPECT_EQ(chosen[0].family, "user");
  EXPECT_EQ(chosen[1].family, "special");
  const auto own = sanitized_cases(bundle, true);
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].case_index, 0u);
}

}  // namespace
}  // namespace cupilot
