// SPDX-License-Identifier: Apache-2.0
//
// Lanes that take different ways and meet again; `activemask` shows who runs together.

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
namespace {

TEST(Divergence, NestedBranchesMeetAtTheirEnds) {
  const auto out = run_kernel(kernel(R"(
    and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; mov.u32 %r5, 0;
    @%p1 bra even;
    setp.gt.u32 %p2, %r0, 8;
    @%p2 bra big;
    add.u32 %r5, %r5, 1; bra inner;
  big:
    add.u32 %r5, %r5, 2;
  inner:
    activemask.b32 %r6;
    setp.ne.u32 %p3, %r6, 0xaaaaaaaa;
    @%p3 add.u32 %r5, %r5, 1000;
    bra end;
  even:
    add.u32 %r5, %r5, 4;
  end:
    activemask.b32 %r6;
    setp.ne.u32 %p3, %r6, 0xffffffff;
    @%p3 add.u32 %r5, %r5, 1000;
    st.global.u32 [%rd2], %r5;)"),
                              32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? 4u : i > 8 ? 2u : 1u) << i;
}

TEST(Divergence, LanesLeaveALoopOneByOneAndMeetBehindIt) {
  // Lane i goes round i + 1 times, lanes above 20 break out in the middle of the body.
  const auto out = run_kernel(kernel(R"(
    mov.u32 %r1, 0; mov.u32 %r2, 0;
  loop:
    add.u32 %r1, %r1, 1;
    setp.gt.u32 %p1, %r1, 20;
    @%p1 bra out_of_it;
    add.u32 %r2, %r2, %r1;
    setp.le.u32 %p2, %r1, %r0;
    @%p2 bra loop;
  out_of_it:
    activemask.b32 %r6;
    setp.ne.u32 %p3, %r6, 0xffffffff;
    @%p3 add.u32 %r2, %r2, 100000;
    st.global.u32 [%rd2], %r2;)"),
                              32);
  for (std::uint32_t i = 0; i < 32; ++i) {
    std::uint32_t sum = 0;
    for (std::uint32_t k = 1; k <= 20; ++k) {
      sum += k;
      if (k > i) break;
    }
    EXPECT_EQ(out[i], sum) << i;
  }
}

TEST(Divergence, WhoReturnsEarlyIsNotWaitedFor) {
  const auto out = run_kernel(kernel(R"(
    setp.gt.u32 %p1, %r0, 3;
    @%p1 bra rest;
    setp.eq.u32 %p2, %r0, 1;
    @%p2 ret;
    setp.eq.u32 %p3, %r0, 2;
    @!%p3 bra rest;
    exit;
  rest:
    activemask.b32 %r6;
    st.global.u32 [%rd2], %r6;)"),
                              32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i == 1 || i == 2 ? 0xdeadu : 0xfffffff9u) << i;
}

TEST(Divergence, ATableOfBranchesSplitsAndJoins) {
  const auto out = run_kernel(kernel(R"(
    and.b32 %r1, %r0, 3;
  table: .branchtargets a, b, c, a;
    brx.idx %r1, table;
  a:
    mov.u32 %r2, 10; bra end;
  b:
    mov.u32 %r2, 20; bra end;
  c:
    mov.u32 %r2, 30;
  end:
    activemask.b32 %r6;
    setp.ne.u32 %p3, %r6, 0xffffffff;
    @%p3 add.u32 %r2, %r2, 1000;
    st.global.u32 [%rd2], %r2;)"),
                              32);
  const std::uint32_t expected[] = {10, 20, 30, 10};
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], expected[i % 4]) << i;
}

TEST(Divergence, ABranchBeyondItsTableIsAFinding) {
  Device device(kernel(R"(
  table: .branchtargets a, b;
    brx.idx %r0, table;
  a:
    mov.u32 %r2, 10;
  b:
    st.global.u32 [%rd2], %r2;)"));
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(32));
  const LaunchResult result = device.run("k", 1, 32, {out, out});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::trap);
  EXPECT_FALSE(result.completed);
}

TEST(Divergence, ALoopOfAtomicsIsNoSpinLoop) {
  // Lanes of very different numbers of rounds: the early ones wait at the end, they are not set free.
  const auto out = run_kernel(kernel(R"(
    mad.lo.u32 %r1, %r0, 40, 1;
  loop:
    atom.global.add.u32 %r2, [%rd1], 1;
    add.u32 %r1, %r1, -1; setp.ne.u32 %p1, %r1, 0; @%p1 bra loop;
    activemask.b32 %r6;
    st.global.u32 [%rd2], %r6;)"),
                              32);
  for (const std::uint32_t mask : out) EXPECT_EQ(mask, 0xffffffffu);
}

TEST(Divergence, APartialWarpHasOnlyItsLanes) {
  const auto out = run_kernel(kernel("activemask.b32 %r6; st.global.u32 [%rd2], %r6;"), 40);
  EXPECT_EQ(out[0], 0xffffffffu);
  EXPECT_EQ(out[39], 0xffu);
}

}  // namespace
}  // namespace cupilot::emulate
