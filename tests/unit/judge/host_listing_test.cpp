// SPDX-License-Identifier: Apache-2.0
//
// Pieces of listings as objdump 2.40 prints them of what g++ 12 makes.
#include "evolution/judge/tools/host_listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cupilot {
using namespace judge::launches;
using namespace judge::tools;
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char *kHead =
    "\ntraced.so:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n\n";

/// if (n == 160)  // line 13
///   grid = 1;    // 14
/// grid -= (n == 77);  // 15
std::string entry_listing() {
  return std::string(kHead) + R"(0000000000003100 <cupilot_entry>:
cupilot_entry():
/tmp/b/entry.cu:90
    3100:	push   %rbp
/tmp/b/variant.cuh:13
    3101:	call   2180 <__sanitizer_cov_trace_pc@plt>
    3106:	mov    -0x6c(%rbp),%eax
    31aa:	call   20b0 <__sanitizer_cov_trace_const_cmp4@plt>
    31af:	cmpl   $0xa0,-0x6c(%rbp)
    31b6:	jne    31c4 <cupilot_entry+0xc4>
/tmp/b/variant.cuh:14
    31b8:	call   2180 <__sanitizer_cov_trace_pc@plt>
    31bd:	movl   $0x1,-0x14(%rbp)
/tmp/b/variant.cuh:15 (discriminator 1)
    31c4:	call   2180 <__sanitizer_cov_trace_pc@plt>
    31c9:	mov    -0x6c(%rbp),%eax
    32cc:	call   20b0 <__sanitizer_cov_trace_const_cmp4@plt>
    32d1:	cmpl   $0x4d,-0x6c(%rbp)
    32d5:	sete   %al
    32d8:	ret
)";
}

constexpr std::uint32_t kFirst = 0x3106, kThen = 0x31bd, kLast = 0x31c9, kBranch = 0x31af, kValue = 0x32d1;

judge::screen::QuietLines equal_on(int line) {
  judge::screen::QuietLines quiet;
  quiet.operators[line] = {"=="};
  return quiet;
}

HostComparison compared(std::uint32_t site, std::int64_t with, bool equal, bool other) {
  HostComparison one{.site = site, .bytes = 4, .constant = true, .less = other, .equal = equal, .left = with};
  one.right_fixed = false;
  return one;
}

TEST(HostListing, FindsBlocksBranchesAndValues) {
  const HostCode code = read_host_listing(entry_listing(), {}, equal_on(13));
  EXPECT_EQ(code.unknown, "");
  ASSERT_THAT(code.blocks, SizeIs(3));
  EXPECT_EQ(code.blocks[0].site, kFirst);
  EXPECT_THAT(code.blocks[0].lines, ElementsAre(13));
  EXPECT_THAT(code.blocks[0].ways, ElementsAre(kThen, kLast)) << "true first";
  EXPECT_EQ(code.blocks[0].comparison, kBranch);
  EXPECT_THAT(code.blocks[1].lines, ElementsAre(14));
  EXPECT_THAT(code.blocks[1].ways, IsEmpty());
  ASSERT_THAT(code.values, SizeIs(1));
  EXPECT_EQ(code.values[0].site, kValue);
  EXPECT_EQ(code.values[0].place.line, 15u);
}

TEST(HostListing, ATraceSaysWhatWasExecuted) {
  const HostCode code = read_host_listing(entry_listing(), {}, equal_on(13));
  HostTrace trace;
  trace.steps = {{0, kFirst}, {kFirst, kLast}};
  trace.comparisons = {compared(kBranch, 160, false, true), compared(kValue, 77, false, true)};
  EXPECT_THAT(uncovered(host_coverage(code, trace)),
              ElementsAre("variant.cuh:13: never true, compared with 160", "variant.cuh:14: never executed",
                          "variant.cuh:15: never true, compared with 77"));
  trace.steps.push_back({kFirst, kThen});
  trace.steps.push_back({kThen, kLast});
  trace.comparisons[1].equal = true;
  EXPECT_THAT(uncovered(host_coverage(code, trace)), IsEmpty());
}

TEST(HostListing, AForgedTraceOfOtherPlacesSaysNothing) {
  const HostCode code = read_host_listing(entry_listing(), {}, equal_on(13));
  HostTrace trace;
  for (std::uint32_t site = 1; site < 0x3100; ++site) trace.steps.push_back({site, site + 1});
  trace.comparisons = {compared(0, 0, true, true), compared(0xffff'ffff, 0, true, true)};
  trace.switches = {{kFirst, {{1, true}}}};
  const Coverage coverage = host_coverage(code, trace);
  EXPECT_EQ(figures_of(coverage).lines_covered, 0u);
  EXPECT_EQ(figures_of(coverage).conditions_covered, 0u);
}

TEST(HostListing, CodeThatCannotBeReachedIsLeftOut) {
  const std::string other = R"(
0000000000004000 <_Z4deadv>:
/tmp/b/variant.cuh:40
    4000:	call   2180 <__sanitizer_cov_trace_pc@plt>
    4005:	ret
)";
  EXPECT_THAT(read_host_listing(entry_listing() + other, {}, {}).blocks, SizeIs(3));
  EXPECT_THAT(read_host_listing(entry_listing() + other, {0x4000}, {}).blocks, SizeIs(4)) << "in a table";
}

TEST(HostListing, TheHostSideOfADeviceFunctionIsNoCode) {
  const std::string stand_in = R"(
0000000000004000 <_Z4halfv>:
/tmp/b/variant.cuh:40
    4000:	call   2180 <__sanitizer_cov_trace_pc@plt>
    4005:	mov    %eax,%edi
    4007:	call   2190 <exit@plt>
)";
  EXPECT_THAT(read_host_listing(entry_listing() + stand_in, {0x4000}, {}).blocks, SizeIs(3));
}

TEST(HostListing, TheBranchOfALaunchIsNoCondition) {
  const HostCode code = read_host_listing(std::string(kHead) + R"(0000000000003100 <cupilot_entry>:
/tmp/b/variant.cuh:33
    3100:	call   2180 <__sanitizer_cov_trace_pc@plt>
    3105:	call   2240 <__cudaPushCallConfiguration@plt>
    310a:	mov    %eax,%ebx
    310c:	call   2180 <__sanitizer_cov_trace_pc@plt>
    3111:	call   20b0 <__sanitizer_cov_trace_const_cmp4@plt>
    3116:	test   %ebx,%ebx
    3118:	jne    311f <cupilot_entry+0x1f>
    311a:	call   2180 <__sanitizer_cov_trace_pc@plt>
    311f:	call   2180 <__sanitizer_cov_trace_pc@plt>
    3124:	ret
)",
                                          {}, {});
  ASSERT_THAT(code.blocks, SizeIs(4));
  EXPECT_THAT(code.blocks[1].ways, IsEmpty());
}

TEST(HostListing, WhatIsNoListingIsNotKnown) {
  for (const std::string &text :
       {std::string(), std::string("file format elf64-littleaarch64"), std::string(kHead),
        kHead + std::string("0000000000003100 <x>:\n    3100:\tret\n")})
    EXPECT_NE(read_host_listing(text, {}, {}).unknown, "");
  const std::string whole = entry_listing();
  for (std::size_t end = 0; end < whole.size(); end += 7)
    (void)read_host_listing(whole.substr(0, end), {}, {});
}

}  // namespace
}  // namespace cupilot
