// SPDX-License-Identifier: Apache-2.0
// Launches: shapes, special registers, orders of blocks, host threads, observers, and launches that cannot
// be.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;
namespace {

/// out[linear thread of the grid] = special register.
std::string special_kernel(const std::string &name, bool wide) {
  const std::string read =
      wide ? "mov.u64 %rd8, " + name + "; cvt.u32.u64 %r9, %rd8;" : "mov.u32 %r9, " + name + ";";
  return R"(.extern .shared .align 16 .b8 dynamic[];
    .visible .entry k(.param .u64 out) { .reg .b32 %r<20>; .reg .b64 %rd<9>; .shared .align 4 .b8 own[100];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
    mad.lo.u32 %r6, %r3, %r5, %r2; mad.lo.u32 %r6, %r6, %r4, %r1;
    mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r7, %ntid.z;
    mad.lo.u32 %r8, %r3, %r5, %r2; mad.lo.u32 %r8, %r8, %r4, %r1;
    mul.lo.u32 %r4, %r4, %r5; mul.lo.u32 %r4, %r4, %r7; mad.lo.u32 %r8, %r6, %r4, %r8;
    mul.wide.u32 %rd2, %r8, 4; add.u64 %rd1, %rd1, %rd2;
    mov.u32 %r10, own; mov.u32 %r10, dynamic;
    )" + read +
         " st.global.u32 [%rd1], %r9; ret; }";
}

TEST(Launch, SpecialRegisters) {
  const std::map<std::string, std::uint32_t> last = {{"%tid.x", 9},
                                                     {"%tid.y", 3},
                                                     {"%tid.z", 1},
                                                     {"%ntid.x", 10},
                                                     {"%ntid.y", 4},
                                                     {"%ntid.z", 2},
                                                     {"%ctaid.x", 2},
                                                     {"%ctaid.y", 1},
                                                     {"%ctaid.z", 1},
                                                     {"%nctaid.x", 3},
                                                     {"%nctaid.y", 2},
                                                     {"%nctaid.z", 2},
                                                     {"%laneid", 15},
                                                     {"%warpid", 2},
                                                     {"%smid", 11},
                                                     {"%lanemask_eq", 0x8000},
                                                     {"%lanemask_lt", 0x7fff},
                                                     {"%lanemask_le", 0xffff},
                                                     {"%lanemask_gt", 0xffff0000},
                                                     {"%lanemask_ge", 0xffff8000},
                                                     {"%dynamic_smem_size", 64},
                                                     {"%total_smem_size", 112 + 64},
                                                     {"%aggr_smem_size", 1024 + 112 + 64},
                                                     {"%reserved_smem_offset_begin", 0},
                                                     {"%reserved_smem_offset_end", 1024},
                                                     {"%clusterid.x", 2},
                                                     {"%nclusterid.x", 3},
                                                     {"%cluster_ctaid.x", 0},
                                                     {"%cluster_nctaid.x", 1},
                                                     {"%cluster_ctarank", 0},
                                                     {"%cluster_nctarank", 1},
                                                     {"%envreg3", 0},
                                                     {"WARP_SZ", 32}};
  for (const auto &[name, value] : last) {
    Device device(special_kernel(name, false));
    const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(960));
    const LaunchResult result = device.run("k", {3, 2, 2}, {10, 4, 2}, {out}, 64);
    EXPECT_EQ(texts(result), "");
    EXPECT_EQ(device.read<std::uint32_t>(out, 960)[959], value) << name;
  }
}

TEST(Launch, PlacesAreDrawnWhereTheyAreAskedFor) {
  std::map<std::string, std::set<std::uint32_t>> seen;
  for (const auto &[name, most] :
       std::map<std::string, std::uint32_t>{{"%smid", 12}, {"%warpid", 64}, {"%gridid", ~0u}})
    for (const std::uint64_t seed : {1, 1, 2}) {
      Device device(special_kernel(name, false));
      const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(960));
      device.options.place_seed = seed;
      EXPECT_EQ(texts(device.run("k", {3, 2, 2}, {10, 4, 2}, {out}, 64)), "");
      const auto all = device.read<std::uint32_t>(out, 960);
      EXPECT_TRUE(std::ranges::all_of(all, [&](std::uint32_t value) { return value < most; })) << name;
      seen[name].insert(all.begin(), all.end());
      if (name == "%warpid") {
        EXPECT_EQ((all[0] + 1) % 64, all[32]) << "warps of a block stand side by side";
      }
    }
  EXPECT_GT(seen["%smid"].size(), 6u);
  EXPECT_GT(seen["%warpid"].size(), 12u);
  EXPECT_EQ(seen["%gridid"].size(), 2u) << "the same seed gives the same places";
}

TEST(Launch, ClocksGoOn) {
  for (const char *name : {"%clock64", "%globaltimer"}) {
    Device device(
        kernel("mov.u64 %rd5, " + std::string(name) + "; mov.u64 %rd6, " + name +
               "; setp.gt.u64 %p1, %rd6, %rd5; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd2], %r1;"));
    const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(32));
    EXPECT_EQ(texts(device.run("k", 1, 32, {out, out})), "");
    EXPECT_EQ(device.read<std::uint32_t>(out, 32)[31], 1u) << name;
  }
}

TEST(Launch, DynamicSharedMemoryFollowsTheStatic) {
  Device device(R"(.extern .shared .align 128 .b8 dynamic[]; .shared .align 4 .b8 other[4];
    .visible .entry k(.param .u64 out) { .reg .b32 %r<4>; .reg .b64 %rd<2>; .shared .align 8 .b8 own[40];
    ld.param.u64 %rd1, [out]; mov.u32 %r1, own; mov.u32 %r2, dynamic; st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2;
    st.shared.u32 [%r2+60], %r1; ret; })");
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(2));
  EXPECT_EQ(texts(device.run("k", 1, 1, {out}, 64)), "");
  // `other` is not used by this kernel and takes no room.
  EXPECT_EQ(device.read<std::uint32_t>(out, 2), (std::vector<std::uint32_t>{1024, 1152}));
  const LaunchResult short_of = device.run("k", 1, 1, {out}, 60);
  ASSERT_EQ(short_of.findings.size(), 1u);
  EXPECT_EQ(short_of.findings[0].kind, FindingKind::out_of_bounds);
}

TEST(Launch, ParametersMayBeReachedByTheirAddress) {
  const auto out = run_kernel(kernel(R"(
    mov.b64 %rd5, out; add.u64 %rd5, %rd5, 8; ld.param.u64 %rd6, [%rd5]; ld.global.u32 %r1, [%rd6];
    mov.b64 %rd7, in; cvta.param.u64 %rd8, %rd7; ld.u64 %rd9, [%rd8]; ld.u32 %r2, [%rd9+4];
    add.u32 %r1, %r1, %r2; st.global.u32 [%rd2], %r1;)"),
                              32, {40, 2});
  EXPECT_EQ(out[31], 42u);
}

/// Appends its block number to in[1...], in[0] counts.
const std::string kOrder = kernel(R"(
    setp.ne.u32 %p1, %r0, 0; @%p1 ret;
    mov.u32 %r1, %ctaid.x; atom.global.add.u32 %r2, [%rd1], 1;
    mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd5, %rd1; st.global.u32 [%rd5+4], %r1;)");

std::vector<std::uint32_t> order(const std::function<void(LaunchOptions &)> &set) {
  Device device(kOrder);
  set(device.options);
  const std::uint64_t list = device.buffer(std::vector<std::uint32_t>(7));
  const LaunchResult result = device.run("k", 6, 64, {list, list});
  EXPECT_EQ(texts(result), "");
  EXPECT_TRUE(result.completed);
  auto all = device.read<std::uint32_t>(list, 7);
  const std::uint32_t count = all[0];
  return {all.begin() + 1, all.begin() + 1 + count};
}

TEST(Launch, BlocksInTheOrderAskedFor) {
  using List = std::vector<std::uint32_t>;
  EXPECT_EQ(order([](LaunchOptions &) {}), (List{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(order([](LaunchOptions &o) { o.reversed = true; }), (List{5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(order([](LaunchOptions &o) { o.only_blocks = {4, 1}; }), (List{4, 1}));
  EXPECT_EQ(order([](LaunchOptions &o) { o.resident_blocks = 4; }), (List{0, 1, 2, 3, 4, 5}));
}

TEST(Launch, AnyNumberOfHostThreadsGivesTheSame) {
  const std::string text = kernel(R"(
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %r0; mul.wide.u32 %rd5, %r3, 4; add.u64 %rd5, %rd0, %rd5;
    mov.u32 %r4, 0;
  loop: mad.lo.u32 %r3, %r3, 1664525, 1013904223; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r0; @%p1 bra loop;
    bar.sync 0; st.global.u32 [%rd5], %r3;)");
  std::vector<std::vector<std::uint32_t>> results;
  for (const unsigned threads : {1u, 2u, 5u}) {
    Device device(text);
    device.options.threads = threads;
    const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(200 * 96));
    EXPECT_EQ(texts(device.run("k", 200, 96, {out, out})), "");
    results.push_back(device.read<std::uint32_t>(out, 200 * 96));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Launch, ImpossibleOnesAreRefused) {
  Device device(
      R"(.visible .entry k(.param .u64 a) { .reg .b32 %r<2>; .shared .align 4 .b8 own[1000]; mov.u32 %r1, own; ret; }
    .visible .entry required(.param .u64 a) .reqntid 64 { ret; }
    .visible .entry most(.param .u64 a) .maxntid 128, 1, 1 { ret; }
    .visible .entry deep(.param .u64 a) { .local .align 4 .b8 big[1000000]; .reg .b64 %rd<2>; mov.u64 %rd1, big; ret; })");
  const auto refused = [&](const LaunchResult &result, FindingKind kind) {
    EXPECT_FALSE(result.completed);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, kind) << texts(result);
  };
  const FindingKind invalid = FindingKind::invalid_launch;
  refused(device.run("k", 1, 1025, {0}), invalid);
  refused(device.run("k", {1, 1, 1}, {1, 1, 65}, {0}), invalid);
  refused(device.run("k", 0, 32, {0}), invalid);
  refused(device.run("k", 1, 32, {0, 0}), invalid);
  refused(device.run("k", 1, 32, {0}, (227 << 10) - 999), invalid);
  refused(device.run("required", 1, 32, {0}), invalid);
  refused(device.run("most", 1, 129, {0}), invalid);
  refused(device.run("deep", 1, 32, {0}), FindingKind::out_of_memory);
  EXPECT_TRUE(device.run("k", 1, 32, {0}, (227 << 10) - 1000).completed);
  EXPECT_TRUE(device.run("required", 1, 64, {0}).completed);
  device.options.only_blocks = {7};
  refused(device.run("k", 7, 32, {0}), invalid);
}

TEST(Launch, AnUnsupportedInstructionStopsWhoReachesIt) {
  auto memory = std::move(*Memory::make(std::uint64_t{1} << 24));
  auto module = ptx::parse(
      ".version 8.4 .target sm_90 .address_size 64 .visible .entry k() {\n frobnicate.sync.b32 3;\n ret; }",
      "test.ptx");
  ASSERT_TRUE(module);
  const auto program = *decode(std::make_shared<const ptx::Module>(std::move(*module)), families());
  ASSERT_EQ(program->unsupported.size(), 1u);
  const auto loaded = *LoadedProgram::load(program, *memory);
  const LaunchResult result = launch(*loaded, *memory, {.function = program->entries.at("k")}, {});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::unsupported);
  EXPECT_EQ(result.findings[0].place.line, 2u);
}

class Counting : public Observer {
public:
  void block_begins(std::uint64_t block, unsigned slot, unsigned warps) override {
    log.push_back({'b', block, slot, warps});
  }
  void block_ends(std::uint64_t block, unsigned slot) override { log.push_back({'e', block, slot, 0}); }
  void step(unsigned, unsigned, std::uint32_t, Mask) override { ++steps; }
  void access(unsigned slot, unsigned warp, std::uint32_t, const AccessSeen &seen) override {
    log.push_back({seen.write ? std::uint64_t{'w'} : std::uint64_t{'r'}, seen.mask, slot, warp});
  }
  std::vector<std::array<std::uint64_t, 4>> log;
  std::uint64_t steps = 0;
};

TEST(Launch, AnObserverSeesWarpsTakeTurnsAtMemory) {
  Device device(kernel("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1;"));
  Counting observer;
  device.options.observer = &observer;
  device.options.threads = 4;
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(64));
  const LaunchResult result = device.run("k", 2, 64, {out, out});
  EXPECT_EQ(texts(result), "");
  std::vector<std::uint64_t> warps;
  for (const auto &entry : observer.log)
    if ((entry[0] == 'r' || entry[0] == 'w')) warps.push_back(entry[3]);
  EXPECT_EQ(warps, (std::vector<std::uint64_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(observer.log.front(), (std::array<std::uint64_t, 4>{'b', 0, 0, 2}));
  ASSERT_EQ(result.executed.size(), device.program->steps.size());
  std::uint64_t sum = 0;
  for (const std::uint64_t count : result.executed) sum += count;
  EXPECT_EQ(sum, observer.steps);
  EXPECT_EQ(result.executed[device.program->functions[0].begin], 4u);
}

TEST(Launch, FindingsAreCountedAndLimited) {
  Device device(kernel("st.global.u32 [%rd2+4000], %r0;"));
  const std::uint64_t out = device.buffer(std::vector<std::uint32_t>(32));
  const LaunchResult result = device.run("k", 1, 32, {out, out});
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_FALSE(result.completed);
}

/// PTX ISA, `red`: .add.f32 in global memory flushes subnormal inputs and results, in shared memory it does
/// not.
TEST(Launch, CountsWhatFloatAtomicsFlush) {
  Device device(R"(.visible .entry k(.param .u64 to, .param .u64 from) { .reg .b64 %rd<4>; .reg .f32 %f<2>;
      .shared .align 4 .f32 own;
      ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [from];
      ld.global.f32 %f1, [%rd2]; red.global.add.f32 [%rd1], %f1;
      ld.global.f32 %f1, [%rd2+4]; red.global.add.f32 [%rd1], %f1;
      ld.global.f32 %f1, [%rd2+8]; red.global.add.f32 [%rd1], %f1;
      st.shared.f32 [own], %f1; red.shared.add.f32 [own], %f1; ret; })");
  const auto flushed = [&](const std::vector<float> &from, float first) {
    const auto to = device.buffer(std::vector<float>{first});
    return device.run("k", 1, 1, {to, device.buffer(from)}).flushed;
  };
  EXPECT_EQ(flushed({1, 2, 0}, 0), 0u);
  EXPECT_EQ(flushed({0x1p-127f, 1, 0x1p-140f}, 0), 2u) << "operands";
  EXPECT_EQ(flushed({1, 2, 3}, 0x1p-127f), 1u) << "the old value";
  EXPECT_EQ(flushed({-0x1.8p-126f, 0, 0}, 0x1p-126f), 1u) << "a result";
}

/// The halves of the addresses of a shared and of a local variable, and what is stored and read through them.
constexpr const char *kWindows = R"(
  .shared .align 4 .b32 own; .local .align 4 .b32 mine;
  mov.u64 %rd3, own; cvta.shared.u64 %rd4, %rd3; mov.u64 %rd5, mine; cvta.local.u64 %rd6, %rd5;
  st.u32 [%rd4], 7; st.u32 [%rd6], 8; ld.shared.u32 %r1, [own]; ld.local.u32 %r2, [mine];
  atom.add.u32 %r5, [%rd4], 1;
  mov.b64 {%r3, %r4}, %rd4; shl.b32 %r1, %r1, 4; or.b32 %r1, %r1, %r2;
  shr.u64 %rd7, %rd4, 24; cvt.u32.u64 %r3, %rd7; shr.u64 %rd8, %rd6, 32; cvt.u32.u64 %r4, %rd8;
  st.global.v4.u32 [%rd0], {%r1, %r3, %r4, %r5};)";

TEST(Launch, WindowsLieWhereTheSeedPutsThem) {
  std::set<std::uint32_t> places;
  for (const std::uint64_t seed : {0, 1, 2, 3, 1}) {
    Device device(kernel(kWindows));
    device.options.place_seed = seed;
    const auto out = device.buffer(std::vector<std::uint32_t>(4));
    const LaunchResult result = device.run("k", 1, 1, {out, out});
    EXPECT_EQ(texts(result), "");
    const auto values = device.read<std::uint32_t>(out, 4);
    EXPECT_EQ(values[0], 0x78u);
    EXPECT_EQ(values[3], 7u);
    if (seed) {
      EXPECT_EQ(values[1] >> 20, 7u) << "in the upper 16 TiB of a process";
    }
    places.insert(values[1]);
  }
  EXPECT_EQ(places.size(), 4u);
}

constexpr const char *kApproximations = R"(
  ld.global.f32 %f0, [%rd1]; ex2.approx.ftz.f32 %f1, %f0; rcp.approx.f32 %f2, %f0; sin.approx.f32 %f3, %f0;
  st.global.v2.f32 [%rd0], {%f1, %f2}; st.global.f32 [%rd0+8], %f3;)";

TEST(Launch, LastBitsOfApproximationsAreTheSeeds) {
  const auto results = [](std::uint64_t seed, float x) {
    std::string text = kernel(kApproximations);
    text.replace(text.find(".reg .pred"), 0, ".reg .f32 %f<4>; ");
    Device device(text);
    device.options.place_seed = seed;
    const auto out = device.buffer(std::vector<float>(3));
    EXPECT_TRUE(device.run("k", 1, 1, {out, device.buffer(std::vector<float>{x})}).completed);
    return device.read<float>(out, 3);
  };
  std::set<float> seen[3];
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto values = results(seed, 0.7f);
    EXPECT_EQ(values, results(seed, 0.7f));
    EXPECT_NEAR(values[0], std::exp2(0.7), 1.2e-7 * 2);
    EXPECT_NEAR(values[1], 1 / 0.7, 1.2e-7 * 2);
    EXPECT_NEAR(values[2], std::sin(0.7), 0x1p-20);
    for (int i = 0; i < 3; ++i) seen[i].insert(values[static_cast<std::size_t>(i)]);
    EXPECT_EQ(results(seed, 4.0f)[0], 16.0f) << "exact ones stay so";
    EXPECT_EQ(results(seed, 4.0f)[1], 0.25f);
  }
  for (const auto &one : seen) EXPECT_GT(one.size(), 1u);
}

}  // namespace
}  // namespace cupilot::emulate
