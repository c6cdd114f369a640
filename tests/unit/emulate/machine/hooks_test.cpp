// SPDX-License-Identifier: Apache-2.0
//
// The checks learn of every kind of barrier: without one there is a race, with it there is none.

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
namespace {

/// Every thread writes its word of `tile` and reads the one of thread tid ^ `apart` after `between`.
LaunchResult exchanged(const std::string &between, unsigned apart, unsigned threads = 64) {
  Device device(
      ".shared .align 4 .b8 tile[1024];\n" + kernel(R"(
    mov.u32 %r1, tile; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %r0;
    )" + between + " xor.b32 %r4, %r2, " + std::to_string(4 * apart) +
                                                    R"(; add.u32 %r4, %r1, %r4; ld.shared.u32 %r5, [%r4];
    st.global.u32 [%rd2], %r5;)"));
  device.options.checks = {.races = true, .initialised = true};
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(threads));
  return device.run("k", 2, threads, {out, out});
}

bool races(const LaunchResult &result) {
  for (const Finding &finding : result.findings)
    if (finding.kind == FindingKind::shared_race) return true;
  return false;
}

TEST(Hooks, NoBarrierIsARace) {
  EXPECT_TRUE(races(exchanged("", 1)));
  EXPECT_TRUE(races(exchanged("", 32)));
}

TEST(Hooks, ABlockBarrierOrdersAll) {
  EXPECT_FALSE(races(exchanged("bar.sync 0;", 1)));
  EXPECT_FALSE(races(exchanged("bar.sync 0;", 32)));
  EXPECT_FALSE(races(exchanged("setp.eq.u32 %p1, %r0, 0; bar.red.popc.u32 %r9, 0, %p1;", 32)));
}

TEST(Hooks, AWarpBarrierOrdersItsWarp) {
  EXPECT_FALSE(races(exchanged("bar.warp.sync 0xffffffff;", 1)));
  EXPECT_TRUE(races(exchanged("bar.warp.sync 0xffffffff;", 32)));
}

TEST(Hooks, ANamedBarrierOrdersWhoWasThere) {
  const std::string pairs = "shr.u32 %r8, %r0, 6; add.u32 %r8, %r8, 1; bar.sync %r8, 64;";
  EXPECT_FALSE(races(exchanged(pairs, 32, 128)));
  EXPECT_TRUE(races(exchanged(pairs, 64, 128)));
}

TEST(Hooks, EachBlockStartsAfresh) {
  // The second block must not see the first one's accesses: its threads touch the words the other way round.
  Device device(".shared .align 4 .b8 tile[1024];\n" + kernel(R"(
    mov.u32 %r6, %ctaid.x; mul.lo.u32 %r6, %r6, 63; xor.b32 %r6, %r6, %r0; and.b32 %r6, %r6, 63;
    mov.u32 %r1, tile; shl.b32 %r2, %r6, 2; add.u32 %r3, %r1, %r2; st.shared.u32 [%r3], %r0;)"));
  device.options.checks = {.races = true, .initialised = true};
  EXPECT_EQ(texts(device.run("k", 2, 64, {0, 0})), "");
}

TEST(Hooks, SharedMemoryOfTheBlockBeforeIsNotInitialised) {
  Device device(".shared .align 4 .b8 tile[4];\n" + kernel(R"(
    mov.u32 %r6, %ctaid.x; setp.ne.u32 %p1, %r6, 0; @%p1 bra read;
    st.shared.u32 [tile], %r0;
  read: ld.shared.u32 %r7, [tile]; st.global.u32 [%rd2], %r7;)"));
  device.options.checks.initialised = true;
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(1));
  const LaunchResult result = device.run("k", 2, 1, {out, out});
  ASSERT_EQ(result.findings.size(), 1u) << texts(result);
  EXPECT_EQ(result.findings[0].kind, FindingKind::uninitialised_read);
  EXPECT_EQ(result.findings[0].thread.block[0], 1u);
}

TEST(Hooks, TheReadOnlyPathMustNotReadWhatTheLaunchWrites) {
  const std::string reads = "ld.global.nc.u32 %r5, [%rd2]; st.global.u32 [%rd2], %r5;";
  for (const bool writes : {false, true}) {
    Device device(kernel((writes ? "st.global.u32 [%rd2], %r0; bar.sync 0;" : "") + reads));
    device.options.checks = {.races = true};
    const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(64));
    const std::string found = texts(device.run("k", 1, 64, {out, out}));
    EXPECT_EQ(found.find("by the read-only path") != found.npos, writes) << found;
  }
}

TEST(Hooks, ATicketNeedsAFence) {
  for (const bool fence : {false, true}) {
    Device device(kernel(std::string(R"(
    mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd0, %rd3;
    st.volatile.global.u32 [%rd3], %r1;)") +
                         (fence ? "membar.gl;" : "") +
                         R"(atom.global.add.u32 %r2, [%rd1], 1; setp.ne.u32 %p1, %r2, 3; @%p1 bra done;
    ld.volatile.global.u32 %r3, [%rd0]; st.global.u32 [%rd0+64], %r3;
  done:)"));
    device.options.checks = {.races = true};
    const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(64)),
                        ticket = device.buffer<std::uint32_t>({0});
    const std::string found = texts(device.run("k", 4, 1, {out, ticket}));
    EXPECT_EQ(found.find("volatile does not order the two") != found.npos, !fence) << found;
  }
}

TEST(Hooks, RegistersThatNobodySetAreNotZero) {
  Device device(kernel("add.u32 %r1, %r0, %r2; st.global.u32 [%rd2], %r1;"));
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(32));
  EXPECT_TRUE(device.run("k", 1, 32, {out, out}).completed);
  EXPECT_NE(device.read<std::uint32_t>(out, 32)[3], 3u);
}

TEST(Hooks, AnyLanesMayRunTogether) {
  Device device(kernel("activemask.b32 %r1; st.global.u32 [%rd2], %r1; bar.sync 0;"));
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(32));
  EXPECT_TRUE(device.run("k", 1, 32, {out, out}).completed);
  EXPECT_EQ(device.read<std::uint32_t>(out, 32), std::vector<std::uint32_t>(32, ~0u));
  bool split = false;
  for (device.options.place_seed = 1; device.options.place_seed < 32; ++device.options.place_seed) {
    const LaunchResult result = device.run("k", 1, 32, {out, out});
    EXPECT_TRUE(result.completed) << texts(result);
    const auto masks = device.read<std::uint32_t>(out, 32);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_TRUE(masks[lane] >> lane & 1);
      EXPECT_EQ(masks[lane], masks[static_cast<std::uint32_t>(__builtin_ctz(masks[lane]))]);
      split = split || masks[lane] != ~0u;
    }
  }
  EXPECT_TRUE(split);
}

}  // namespace
}  // namespace cupilot::emulate
