// SPDX-License-Identifier: Apache-2.0
// Calls with their own frames: recursion, pointers to functions, stacks that end.

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
namespace {

const std::string kFib = R"(.func (.param .b32 result) fib(.param .b32 n) {
  .reg .pred %p<2>; .reg .b32 %r<9>; .local .align 4 .b8 mine[4];
  ld.param.u32 %r1, [n];
  st.local.u32 [mine], %r1;
  mov.u32 %r7, %r1;
  setp.lt.s32 %p1, %r1, 2;
  @%p1 bra done;
  add.s32 %r2, %r1, -1;
  { .param .b32 p0; st.param.b32 [p0+0], %r2; .param .b32 r0; call.uni (r0), fib, (p0); ld.param.b32 %r3, [r0+0]; }
  ld.local.u32 %r4, [mine];
  add.s32 %r4, %r4, -2;
  { .param .b32 p0; st.param.b32 [p0+0], %r4; .param .b32 r0; call.uni (r0), fib, (p0); ld.param.b32 %r5, [r0+0]; }
  add.s32 %r7, %r3, %r5;
done:
  st.param.b32 [result+0], %r7;
  ret;
})";

TEST(Call, RecursionWithADepthOfItsOwnForEachLane) {
  const auto out = run_kernel(kFib + kernel(R"(
    { .param .b32 p0; st.param.b32 [p0+0], %r0; .param .b32 r0; call.uni (r0), fib, (p0); ld.param.b32 %r1, [r0+0]; }
    activemask.b32 %r6;
    setp.ne.u32 %p3, %r6, 0x1fff;
    @%p3 add.u32 %r1, %r1, 100000;
    st.global.u32 [%rd2], %r1;)"),
                              13);
  const std::uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
  for (std::size_t i = 0; i < 13; ++i) EXPECT_EQ(out[i], fib[i]) << i;
}

TEST(Call, PointersToDifferentFunctionsAtOnce) {
  const std::string functions = R"(
    .func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r<3>; ld.param.u32 %r1, [x]; add.u32 %r1, %r1, %r1; st.param.b32 [r], %r1; ret; }
    .func (.param .b32 r) square(.param .b32 x) { .reg .b32 %r<3>; ld.param.u32 %r1, [x]; mul.lo.u32 %r1, %r1, %r1; st.param.b32 [r], %r1; ret; }
    .global .u64 table[2] = {twice, square};
  )";
  const auto out = run_kernel(functions + kernel(R"(
    and.b32 %r1, %r0, 1; mul.wide.u32 %rd5, %r1, 8; mov.u64 %rd6, table; add.u64 %rd6, %rd6, %rd5;
    ld.global.u64 %rd7, [%rd6];
    { .param .b32 p0; st.param.b32 [p0+0], %r0; .param .b32 r0;
      proto : .callprototype (.param .b32 _) _ (.param .b32 _);
      call (r0), %rd7, (p0), proto; ld.param.b32 %r2, [r0+0]; }
    activemask.b32 %r6;
    setp.ne.u32 %p3, %r6, 0xffffffff;
    @%p3 add.u32 %r2, %r2, 100000;
    st.global.u32 [%rd2], %r2;)"),
                              32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 ? i * i : 2 * i) << i;
}

TEST(Call, APointerToNowhereIsAFinding) {
  Device device(kernel(R"(
    mov.u64 %rd7, 4096;
    { .param .b32 p0; st.param.b32 [p0+0], %r0; .param .b32 r0;
      proto : .callprototype (.param .b32 _) _ (.param .b32 _);
      call (r0), %rd7, (p0), proto; ld.param.b32 %r2, [r0+0]; })"));
  const LaunchResult result = device.run("k", 1, 32, {0, 0});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::trap);
}

TEST(Call, EarlyReturnsOfSomeLanesMeetBehindTheCall) {
  const std::string function = R"(
    .func (.param .b32 r) f(.param .b32 x) { .reg .pred %p<4>; .reg .b32 %r<4>; ld.param.u32 %r1, [x];
      st.param.b32 [r], %r1;
      setp.gt.u32 %p1, %r1, 5; @%p1 bra large;
      setp.eq.u32 %p2, %r1, 3; @%p2 ret;
    large: add.u32 %r1, %r1, 100; st.param.b32 [r], %r1; ret; }
  )";
  const auto out = run_kernel(function + kernel(R"(
    { .param .b32 p0; st.param.b32 [p0+0], %r0; .param .b32 r0; call (r0), f, (p0); ld.param.b32 %r1, [r0+0]; }
    activemask.b32 %r6; setp.ne.u32 %p3, %r6, 0xffffffff; @%p3 add.u32 %r1, %r1, 100000;
    st.global.u32 [%rd2], %r1;)"),
                              32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i == 3 ? 3 : i + 100) << i;
}

TEST(Call, RecursionWithoutEndFillsTheStack) {
  Device device(
      R"(.func f(.param .b32 x) { .reg .b32 %r<3>; .local .align 4 .b8 mine[64]; ld.param.u32 %r1, [x];
      st.local.u32 [mine], %r1;
      { .param .b32 p0; st.param.b32 [p0+0], %r1; call f, (p0); }
      ret; })" +
      kernel("{ .param .b32 p0; st.param.b32 [p0+0], %r0; call f, (p0); }"));
  const LaunchResult result = device.run("k", 1, 32, {0, 0});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_memory);
  EXPECT_NE(result.findings[0].message.find("'f'"), std::string::npos);
}

TEST(Call, StructuresAreCopiedByValue) {
  const auto out = run_kernel(R"(
    .func (.param .align 8 .b8 r[16]) f(.param .align 8 .b8 s[16]) { .reg .b64 %rd<4>;
      ld.param.u64 %rd1, [s]; ld.param.u64 %rd2, [s+8]; st.param.b64 [r+8], %rd1; st.param.b64 [r], %rd2; ret; })" +
                                  kernel(R"(
    cvt.u64.u32 %rd5, %r0;
    { .param .align 8 .b8 p0[16]; st.param.b64 [p0+0], %rd5; st.param.b64 [p0+8], 7;
      .param .align 8 .b8 r0[16]; call (r0), f, (p0);
      ld.param.b64 %rd6, [r0+0]; ld.param.b64 %rd7, [r0+8]; }
    mul.lo.u64 %rd8, %rd6, 1000; add.u64 %rd8, %rd8, %rd7; cvt.u32.u64 %r1, %rd8;
    st.global.u32 [%rd2], %r1;)"),
                              32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], 7000 + i) << i;
}

}  // namespace
}  // namespace cupilot::emulate
