// SPDX-License-Identifier: Apache-2.0
// Threads that wait for threads: spin locks, .sync operations, loops that never end.

#include <thread>

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
namespace {

/// in[0] is the lock, in[1] what it guards.
const std::string kSpinLock = kernel(R"(
  again:
    atom.global.cas.b32 %r1, [%rd1], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra again;
    ld.volatile.global.u32 %r2, [%rd1+4];
    add.u32 %r2, %r2, 1;
    st.volatile.global.u32 [%rd1+4], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [%rd1], 0;
    st.global.u32 [%rd2], %r2;)");

TEST(Waiting, ALockWithinAWarpIsPassedOn) {
  Device device(kSpinLock);
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(64));
  const std::uint64_t lock = device.buffer(std::vector<std::uint32_t>{0, 0});
  const LaunchResult result = device.run("k", 1, 64, {out, lock});
  EXPECT_EQ(texts(result), "");
  EXPECT_EQ(device.read<std::uint32_t>(lock, 2), (std::vector<std::uint32_t>{0, 64}));
}

TEST(Waiting, ALockBetweenBlocksOnTwoHostThreads) {
  Device device(kSpinLock);
  device.options.threads = 2;
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(32));
  const std::uint64_t lock = device.buffer(std::vector<std::uint32_t>{0, 0});
  const LaunchResult result = device.run("k", 20, 32, {out, lock});
  EXPECT_EQ(texts(result), "");
  EXPECT_EQ(device.read<std::uint32_t>(lock, 2), (std::vector<std::uint32_t>{0, 640}));
}

TEST(Waiting, AnEarlierBlockMayWaitForALaterOne) {
  // Block b waits until the flag says b + 1; the last block sets it first.
  const std::string text = R"(.visible .entry k(.param .u64 flag, .param .u64 last) {
    .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [flag]; ld.param.u32 %r1, [last];
    mov.u32 %r2, %ctaid.x; mov.u32 %r5, %tid.x;
    setp.ne.u32 %p0, %r5, 0; @%p0 ret;
    setp.eq.u32 %p1, %r2, %r1;
    @%p1 bra set;
    add.u32 %r3, %r2, 1;
  spin:
    ld.acquire.gpu.global.u32 %r4, [%rd1];
    setp.ne.u32 %p2, %r4, %r3;
    @%p2 bra spin;
  set:
    st.release.gpu.global.u32 [%rd1], %r2;
    ret; })";
  for (const unsigned threads : {1u, 2u}) {
    Device device(text);
    device.options.threads = threads;
    const std::uint64_t flag = device.buffer(std::vector<std::uint32_t>{1000});
    const LaunchResult result = device.run("k", 50, 64, {flag, 49});
    EXPECT_EQ(texts(result), "");
    EXPECT_TRUE(result.completed);
    EXPECT_EQ(device.read<std::uint32_t>(flag, 1)[0], 0u);
  }
}

TEST(Waiting, OneWarpMayWaitForAnother) {
  Device device(kernel(R"(
    setp.lt.u32 %p1, %r0, 32;
    @!%p1 bra second;
  spin:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra spin;
    bra end;
  second:
    st.volatile.global.u32 [%rd1], 5; mov.u32 %r1, 7;
  end:
    st.global.u32 [%rd2], %r1;)"));
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(64));
  const LaunchResult result = device.run("k", 1, 64, {out, device.buffer(std::vector<std::uint32_t>{0})});
  EXPECT_EQ(texts(result), "");
  EXPECT_EQ(device.read<std::uint32_t>(out, 1)[0], 5u);
}

TEST(Waiting, AShuffleWaitsForMembersOnOtherWays) {
  // Both halves shuffle at steps of their own; the operation is one.
  const auto out = run_kernel(kernel(R"(
    setp.lt.u32 %p1, %r0, 16;
    add.u32 %r1, %r0, 100;
    @%p1 bra low;
    shfl.sync.bfly.b32 %r2, %r1, 16, 31, 0xffffffff;
    bra end;
  low:
    add.u32 %r4, %r0, 500;
    shfl.sync.bfly.b32 %r2, %r4, 16, 31, 0xffffffff;
  end:
    st.global.u32 [%rd2], %r2;)"),
                              32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 16 ? 116 + i : 500 + i - 16) << i;
}

TEST(Waiting, TilesOfAWarpWaitForTheirOwnMembers) {
  // Quarters of the warp loop for different times, and synchronise within the quarter.
  const auto out = run_kernel(kernel(R"(
    shr.u32 %r1, %r0, 3; shl.b32 %r2, %r1, 3; shl.b32 %r3, 255, %r2; mov.u32 %r4, 0; mov.u32 %r5, %r0;
  loop:
    shfl.sync.down.b32 %r5, %r5, 1, 0x1807, %r3;
    bar.warp.sync %r3;
    add.u32 %r4, %r4, 1;
    setp.le.u32 %p1, %r4, %r1;
    @%p1 bra loop;
    st.global.u32 [%rd2], %r5;)"),
                              32);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], std::min(i + i / 8 + 1, i / 8 * 8 + 7)) << i;
}

TEST(Waiting, AMemberThatNeverComesIsNamed) {
  Device device(kernel(R"(
    setp.eq.u32 %p1, %r0, 3;
    @%p1 bra other;
    bar.warp.sync 0xffffffff;
    bra end;
  other:
    bar.sync 0;
  end:
    st.global.u32 [%rd2], %r0;)"));
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(32));
  const LaunchResult result = device.run("k", 1, 32, {out, out});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::divergent_barrier);
  EXPECT_NE(result.findings[0].message.find("lanes 3"), std::string::npos) << texts(result);
}

TEST(Waiting, MembersThatHaveLeftAreNotWaitedFor) {
  const auto out = run_kernel(kernel(R"(
    setp.gt.u32 %p1, %r0, 9;
    @%p1 bra end;
    bar.warp.sync 0xffffffff;
    st.global.u32 [%rd2], 1;
  end:)"),
                              32);
  EXPECT_EQ(out[0], 1u);
  EXPECT_EQ(out[10], 0xdeadu);
}

TEST(Waiting, NobodyIsKeptAtAJoinByLanesThatWaitForThem) {
  // Warp 0 waits for a flag that lane 40 sets, which is at a join with lanes that wait for the whole block.
  Device device(kernel(R"(
    setp.lt.u32 %p1, %r0, 32;
    @!%p1 bra second;
  spin:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.eq.u32 %p2, %r1, 0;
    @%p2 bra spin;
    bar.sync 0;
    bra end;
  second:
    setp.eq.u32 %p3, %r0, 40;
    @%p3 bra meet;
    barrier.sync 0;
  meet:
    @!%p3 bra end;
    st.volatile.global.u32 [%rd1], 1;
    barrier.sync 0;
  end:
    st.global.u32 [%rd2], %r0;)"));
  device.options.instruction_budget = 10000000;
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(64));
  const LaunchResult result = device.run("k", 1, 64, {out, device.buffer(std::vector<std::uint32_t>{0})});
  EXPECT_TRUE(result.completed) << texts(result);
  EXPECT_EQ(device.read<std::uint32_t>(out, 64)[63], 63u);
}

TEST(Waiting, AnEndlessLoopIsFoundWithItsPlace) {
  Device device(kernel(R"(
  loop:
    add.u32 %r1, %r1, 1;
    bra loop;)"));
  device.options.instruction_budget = 100000;
  const LaunchResult result = device.run("k", 1, 64, {0, 0});
  ASSERT_EQ(result.findings.size(), 1u) << texts(result);
  EXPECT_EQ(result.findings[0].kind, FindingKind::endless_loop);
  EXPECT_EQ(result.findings[0].place.text, "bra loop");
  EXPECT_FALSE(result.completed);
}

TEST(Waiting, ALockNobodyOpensIsAnEndlessLoop) {
  Device device(kSpinLock);
  device.options.instruction_budget = 20000;
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(64));
  const LaunchResult result = device.run("k", 3, 64, {out, device.buffer(std::vector<std::uint32_t>{1, 0})});
  ASSERT_FALSE(result.findings.empty());
  EXPECT_EQ(result.findings[0].kind, FindingKind::endless_loop);
}

TEST(Waiting, TheDeadlineAndTheStopFlagEndALaunch) {
  Device device(kernel("loop: bra loop;"));
  device.options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  EXPECT_FALSE(device.run("k", 4, 64, {0, 0}).completed);
  device.options.deadline = std::chrono::steady_clock::time_point::max();
  std::atomic<bool> stop{false};
  device.options.stop = &stop;
  std::jthread later([&] { stop = true; });
  const LaunchResult result = device.run("k", 4, 64, {0, 0});
  EXPECT_FALSE(result.completed);
  EXPECT_EQ(texts(result), "");
}

}  // namespace
}  // namespace cupilot::emulate
