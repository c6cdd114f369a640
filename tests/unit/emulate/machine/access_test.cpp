// SPDX-License-Identifier: Apache-2.0
// Faults of accesses: what is found, and its exact words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;
namespace {

using testing::HasSubstr;

/// Runs `body` in one thread of `k(p)`; %rd1 is p.
LaunchResult run_one(Device &device, std::uint64_t pointer) {
  return device.run("k", 1, 1, {pointer});
}
std::string one(const std::string &body) {
  return ".visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 16 .b8 "
         "tile[64];\n"
         ".local .align 8 .b8 own[16]; ld.param.u64 %rd1, [p];\n" +
         body + "\nret; }\n";
}

struct Fault {
  FindingKind kind;
  std::string body, words;
};

void expect_fault(const Fault &fault, const std::string &label = "'x'") {
  Device device(one(fault.body));
  const std::uint64_t x = *device.memory->allocate(4096, label);
  const LaunchResult result = run_one(device, x);
  ASSERT_EQ(result.findings.size(), 1u) << fault.body << "\n" << texts(result);
  EXPECT_EQ(to_string(result.findings[0].kind), std::string(to_string(fault.kind)));
  EXPECT_EQ(result.findings[0].message, fault.words);
  EXPECT_FALSE(result.completed);
}

TEST(Access, OutOfBoundsSaysHowFar) {
  const FindingKind kind = FindingKind::out_of_bounds;
  expect_fault(
      {kind, "st.global.u32 [%rd1+4108], 1;", "writes 4 bytes, 12 bytes past the end of 'x' (4096 bytes)"});
  expect_fault(
      {kind, "ld.global.u32 %r1, [%rd1+4096];", "reads 4 bytes right past the end of 'x' (4096 bytes)"});
  expect_fault({kind, "ld.global.u8 %r1, [%rd1+-8];", "reads 1 byte, 8 bytes before 'x' (4096 bytes)"});
  expect_fault({kind, "mov.u64 %rd2, 8; ld.global.u32 %r1, [%rd2];",
                "reads 4 bytes through a null pointer (address 0x8)"});
  expect_fault({kind, "mov.u64 %rd2, 0x500000000000; st.u32 [%rd2], 1;",
                "writes 4 bytes at 0x500000000000, which is in no allocation"});
}

TEST(Access, PartlyOutside) {
  Device device(one("ld.global.v2.u64 {%rd2, %rd3}, [%rd1+16];"));
  const std::uint64_t x = *device.memory->allocate(24, "'x'");
  const LaunchResult result = run_one(device, x);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].message, "reads 16 bytes, 8 bytes of them past the end of 'x' (24 bytes)");
}

TEST(Access, SharedAndLocalMemory) {
  const FindingKind kind = FindingKind::out_of_bounds;
  expect_fault(
      {kind, "mov.u32 %r1, tile; st.shared.u32 [%r1+80], 1;", "writes 4 bytes at shared address 80 of 64"});
  expect_fault({kind, "mov.u64 %rd2, own; st.local.u32 [%rd2+1048576], 1;",
                "writes 4 bytes at local address 1048576 of 16"});
}

TEST(Access, Misaligned) {
  expect_fault(
      {FindingKind::misaligned, "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+4];",
       "reads 16 bytes at an address that is no multiple of 16: it is 4 bytes past one ('x' + 4 (4096 "
       "bytes))"});
}

TEST(Access, Freed) {
  Device device(one("ld.global.u32 %r1, [%rd1+16];"));
  const std::uint64_t x = *device.memory->allocate(4096, "'x'");
  ASSERT_TRUE(device.memory->free(x));
  const LaunchResult result = run_one(device, x);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].message,
            "reads 4 bytes inside the freed allocation 'x' (4096 bytes), at its byte 16");
}

TEST(Access, ReadOnlyMemory) {
  Device device(one("st.global.u32 [%rd1+16], 1;"));
  const std::uint64_t x = *device.memory->allocate(4096, "'x'");
  device.memory->set_read_only(x);
  const LaunchResult result = run_one(device, x);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].message, "writes 4 bytes of read-only memory: 'x' (4096 bytes) + 16");
}

TEST(Access, ScratchHasItsOwnKind) {
  expect_fault({FindingKind::scratch_misuse, "st.global.u32 [%rd1+4096], 1;",
                "writes 4 bytes right past the end of scratch 1 (4096 bytes)"},
               "scratch 1");
}

TEST(Access, UnwrittenBytesAreFoundOnce) {
  Device device(
      one("ld.global.u64 %rd2, [%rd1+8]; st.global.u64 [%rd1+16], %rd2; ld.global.u64 %rd3, [%rd1+16];"));
  device.options.checks = {.races = false, .initialised = true};
  const std::uint64_t x = *device.memory->allocate(64, "'x'", true);
  device.memory->mark_written(x, 12);
  const LaunchResult result = run_one(device, x);
  ASSERT_EQ(result.findings.size(), 1u) << texts(result);
  EXPECT_EQ(result.findings[0].kind, FindingKind::uninitialised_read);
  EXPECT_EQ(result.findings[0].message, "reads 8 bytes that nobody wrote: 'x' + 12 (64 bytes)");
  EXPECT_TRUE(result.completed);
}

TEST(Access, UncheckedStoresCountAsWritten) {
  Device device(one("st.global.u64 [%rd1], 7;"));
  const std::uint64_t x = *device.memory->allocate(64, "'x'", true);
  ASSERT_TRUE(run_one(device, x).completed);
  const Allocation *allocation = device.memory->find(x);
  EXPECT_TRUE(allocation->written.all(0, 8));
  EXPECT_FALSE(allocation->written.all(0, 9));
}

/// One shared word: warp 1 reads what warp 0 writes.
TEST(Access, RaceNamesBothParties) {
  Device device(
      ".visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;\n"
      ".shared .align 4 .b8 tile[4];\n"
      "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r1, 32;\n"
      "@!%p1 st.shared.u32 [tile], 7;\n"
      "@!%p2 ld.shared.u32 %r2, [tile];\n"
      "@!%p2 st.global.u32 [%rd1], %r2;\nret; }\n");
  device.options.checks.races = true;
  const LaunchResult result = device.run("k", 1, 64, {device.buffer<std::uint32_t>({0})});
  ASSERT_EQ(result.findings.size(), 1u) << texts(result);
  const Finding &race = result.findings[0];
  EXPECT_EQ(race.kind, FindingKind::shared_race);
  EXPECT_EQ(race.thread.thread[0], 32u);
  ASSERT_TRUE(race.other_thread);
  EXPECT_EQ(race.other_thread->thread[0], 0u);
  EXPECT_EQ(
      race.message,
      "reads 4 bytes of shared address 0 of 4, which another thread writes with nothing that orders the two");
}

/// The usual loop around compare-and-swap starts with a plain read: whatever it reads, the swap decides.
TEST(Access, PlainReadBeforeCompareAndSwapIsNoRace) {
  const auto kernel = [](const std::string &atomic) {
    return ".visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u64 %rd1, [p];\n"
           "ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1;\n" +
           atomic + "\nret; }\n";
  };
  for (const auto &[atomic, races] : {std::pair{"atom.global.cas.b32 %r3, [%rd1], %r1, %r2;", false},
                                      std::pair{"atom.global.add.u32 %r3, [%rd1], %r2;", true}}) {
    Device device(kernel(atomic));
    device.options.checks.races = true;
    const LaunchResult result = device.run("k", 4, 1, {device.buffer<std::uint32_t>({0})});
    EXPECT_EQ(!result.findings.empty(), races) << texts(result);
  }
}

TEST(Finding, ReadsLikeACompiler) {
  Finding finding;
  finding.kind = FindingKind::shared_race;
  finding.kernel = "k";
  finding.message = "reads";
  finding.place = {"norm.cu", 12, 3, ""};
  finding.thread = {{1, 0, 0}, {3, 0, 0}};
  EXPECT_EQ(describe(finding), "norm.cu:12: error: shared-race: reads [block (1,0,0) thread (3,0,0)]");
  finding.other_place = SourcePlace{"norm.cu", 10, 1, ""};
  finding.other_thread = ThreadPlace{{1, 0, 0}, {4, 0, 0}};
  finding.times = 3;
  EXPECT_EQ(describe(finding),
            "norm.cu:12: error: shared-race: reads [block (1,0,0) thread (3,0,0)] (3 times)\n"
            "norm.cu:10: note: the other access [block (1,0,0) thread (4,0,0)]");
}

}  // namespace
}  // namespace cupilot::emulate
