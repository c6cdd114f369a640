// SPDX-License-Identifier: Apache-2.0
// Barriers of a block: all forms, and what counts as divergent.

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
namespace {

const std::string kTile = ".shared .align 4 .b8 tile[1024];\n";

TEST(Barrier, AWholeBlockWaits) {
  const auto out = run_kernel(kTile + kernel(R"(
    mov.u32 %r1, tile; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %r0;
    bar.sync 0;
    xor.b32 %r4, %r2, 508; add.u32 %r4, %r1, %r4; ld.shared.u32 %r5, [%r4];
    st.global.u32 [%rd2], %r5;)"),
                              128);
  for (std::uint32_t i = 0; i < 128; ++i) EXPECT_EQ(out[i], i ^ 127) << i;
}

TEST(Barrier, ReductionsSeeAllThreads) {
  const auto out = run_kernel(kernel(R"(
    setp.lt.u32 %p1, %r0, 70; setp.lt.u32 %p5, %r0, 1000;
    bar.red.popc.u32 %r1, 0, %p1;
    bar.red.and.pred %p2, 0, %p1;
    bar.red.or.pred %p3, 0, %p1;
    barrier.cta.red.and.aligned.pred %p4, 0, %p5;
    barrier.red.popc.aligned.u32 %r3, 1, 96, !%p1;
    selp.u32 %r2, 1000, 0, %p2; add.u32 %r1, %r1, %r2;
    selp.u32 %r2, 2000, 0, %p3; add.u32 %r1, %r1, %r2;
    selp.u32 %r2, 4000, 0, %p4; add.u32 %r1, %r1, %r2;
    shl.b32 %r3, %r3, 16; add.u32 %r1, %r1, %r3;
    st.global.u32 [%rd2], %r1;)"),
                              96);
  for (const std::uint32_t one : out) EXPECT_EQ(one, 70u + 2000 + 4000 + (26u << 16));
}

TEST(Barrier, NamedBarriersPassProducersToConsumers) {
  // Warp 0 arrives and goes on; warp 1 waits for it; warp 2 has nothing to do with it.
  const auto out = run_kernel(kTile + kernel(R"(
    setp.lt.u32 %p1, %r0, 32; setp.ge.u32 %p2, %r0, 64; mov.u32 %r5, 3;
    @%p2 bra end;
    mov.u32 %r1, tile; and.b32 %r2, %r0, 31; shl.b32 %r2, %r2, 2; add.u32 %r1, %r1, %r2;
    @!%p1 bra consumer;
    st.shared.u32 [%r1], %r0;
    bar.arrive 1, 64;
    mov.u32 %r5, 1;
    bra end;
  consumer:
    bar.sync 1, 64;
    ld.shared.u32 %r5, [%r1];
  end:
    st.global.u32 [%rd2], %r5;)"),
                              96);
  EXPECT_EQ(out[5], 1u);
  EXPECT_EQ(out[37], 5u);
  EXPECT_EQ(out[70], 3u);
}

TEST(Barrier, LanesThatArriveOneAfterTheOtherAtOneBarrierAreFine) {
  const auto out = run_kernel(kernel(R"(
    setp.lt.u32 %p1, %r0, 16;
    @%p1 bra low;
    add.u32 %r1, %r0, 5;
  low:
    mov.u32 %r3, 0;
  loop:
    bar.sync 0;
    add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3; @%p2 bra loop;
    st.global.u32 [%rd2], %r3;)"),
                              64);
  EXPECT_EQ(out[63], 3u);
}

Finding only_finding(Device &device, std::uint32_t threads) {
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(threads));
  const LaunchResult result = device.run("k", 1, threads, {out, out});
  EXPECT_EQ(result.findings.size(), 1u) << texts(result);
  return result.findings.empty() ? Finding{} : result.findings[0];
}

TEST(Barrier, DifferentPlacesOfOneBarrierAreDivergent) {
  const std::string split = kernel(R"(
    setp.lt.u32 %p1, %r0, BOUND;
    @%p1 bra low;
    bar.sync 0;
    bra end;
  low:
    bar.sync 0;
  end:
    st.global.u32 [%rd2], %r0;)");
  for (const std::string bound : {"16", "32"}) {
    std::string text = split;
    text.replace(text.find("BOUND"), 5, bound);
    Device device(text);
    const Finding finding = only_finding(device, 64);
    EXPECT_EQ(finding.kind, FindingKind::divergent_barrier);
    ASSERT_TRUE(finding.other_place && finding.other_thread);
    EXPECT_NE(finding.place.line, finding.other_place->line);
  }
}

TEST(Barrier, TheSameSourceLineIsTheSamePlace) {
  const auto out =
      run_kernel(R"(.visible .entry k(.param .u64 out, .param .u64 in) { .reg .pred %p<3>; .reg .b32 %r<4>;
    .loc 1 7 1
    mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 16;
    @%p1 bra low;
    .loc 1 9 1
    bar.sync 0;
    bra end;
  low:
    bar.sync 0;
  end: ret; }
  .file 1 "k.cu"
  )",
                 32);
  EXPECT_EQ(out.size(), 32u);
}

TEST(Barrier, ThreadsThatLeftAreAFindingWhereSomethingFollows) {
  const std::string text = kernel(R"(
    setp.gt.u32 %p1, %r0, 40;
    @%p1 ret;
    bar.sync 0;
    st.global.u32 [%rd2], %r0;)");
  Device device(text);
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(64));
  const LaunchResult result = device.run("k", 1, 64, {out, out});
  ASSERT_EQ(result.findings.size(), 1u) << texts(result);
  EXPECT_EQ(result.findings[0].kind, FindingKind::divergent_barrier);
  EXPECT_EQ(result.findings[0].other_thread->thread[0], 41u);
  EXPECT_TRUE(result.completed);  // as on the hardware
  EXPECT_EQ(device.read<std::uint32_t>(out, 41)[40], 40u);
}

TEST(Barrier, ThreadsThatLeftBeforeALastBarrierAreNone) {
  const auto out = run_kernel(kernel(R"(
    st.global.u32 [%rd2], %r0;
    setp.gt.u32 %p1, %r0, 40;
    @%p1 ret;
    bar.sync 0;)"),
                              64);
  EXPECT_EQ(out[63], 63u);
}

TEST(Barrier, TwoBarriersThatWaitForEachOther) {
  Device device(kernel(R"(
    setp.lt.u32 %p1, %r0, 32;
    @%p1 bra low;
    bar.sync 1;
    bra end;
  low:
    bar.sync 2;
  end:
    st.global.u32 [%rd2], %r0;)"));
  const Finding finding = only_finding(device, 64);
  EXPECT_EQ(finding.kind, FindingKind::divergent_barrier);
  EXPECT_TRUE(finding.other_place);
}

TEST(Barrier, CountsThatCannotComeOrAreNone) {
  for (const char *count : {"96", "40", "0"}) {
    Device device(kernel("bar.sync 1, " + std::string(count) + "; st.global.u32 [%rd2], %r0;"));
    EXPECT_EQ(only_finding(device, 64).kind, FindingKind::divergent_barrier) << count;
  }
  Device device(kernel("mov.u32 %r1, 16; bar.sync %r1; st.global.u32 [%rd2], %r0;"));
  EXPECT_EQ(only_finding(device, 64).kind, FindingKind::divergent_barrier);
}

TEST(Barrier, AClusterOfOneBlock) {
  const auto out = run_kernel(kTile + kernel(R"(
    mov.u32 %r1, tile; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %r0;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    xor.b32 %r4, %r2, 252; add.u32 %r4, %r1, %r4; ld.shared.u32 %r5, [%r4];
    st.global.u32 [%rd2], %r5;)"),
                              64);
  EXPECT_EQ(out[0], 63u);
}

}  // namespace
}  // namespace cupilot::emulate
