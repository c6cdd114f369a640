// SPDX-License-Identifier: Apache-2.0
// What exchange, atomics, matrices and asynchronous copies report, and what they refuse.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <span>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/machine/launch.h"
#include "evolution/emulate/ptx/parser.h"

namespace {

using namespace cupilot;
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;
using namespace cupilot::emulate;
using testing::HasSubstr;

struct Outcome {
  std::vector<Finding> findings;
  std::vector<std::uint32_t> data;  ///< the buffer afterwards
  std::string refused;              ///< first unsupported instruction
};

/// One block of 32 threads; %data is a buffer of 64 words (word i holds i), %t the thread.
Outcome run(const std::string &body, const std::string &module_scope = "") {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n" + module_scope +
      ".visible .entry test(.param .u64 p) {\n.reg .b64 %data, %rd<8>;\n.reg .b32 %t, %r<40>;\n"
      ".reg .pred %p<8>;\nld.param.u64 %data, [p];\nmov.u32 %t, %tid.x;\n" +
      body + "\nret;\n}\n";
  Outcome outcome;
  auto parsed = cupilot::emulate::ptx::parse(text, "test.ptx");
  if (!parsed) return {.refused = parsed.error().message};
  auto program =
      decode(std::make_shared<const cupilot::emulate::ptx::Module>(std::move(*parsed)), families());
  if (!program) return {.refused = program.error().message};
  if (!(*program)->unsupported.empty()) return {.refused = (*program)->unsupported.front().what};
  auto memory = Memory::make(1 << 22);
  const std::uint64_t address = (*memory)->allocate(256, "'data'").value();
  auto *words = reinterpret_cast<std::uint32_t *>(address);
  for (std::uint32_t i = 0; i < 64; ++i) words[i] = i;
  auto loaded = LoadedProgram::load(*program, **memory);
  LaunchRequest request{.function = (*program)->entries.at("test"), .block = {32, 1, 1}};
  request.parameters = std::as_bytes(std::span(&address, 1));
  LaunchOptions options{.threads = 1, .instruction_budget = 1 << 16};
  options.checks = {.races = true, .initialised = true};
  outcome.findings = launch(**loaded, **memory, request, options).findings;
  outcome.data.assign(words, words + 64);
  return outcome;
}

void expect_one(const Outcome &outcome, FindingKind kind, const std::string &words) {
  EXPECT_EQ(outcome.refused, "");
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_EQ(to_string(outcome.findings[0].kind), std::string(to_string(kind)));
  EXPECT_THAT(outcome.findings[0].message, HasSubstr(words));
}

TEST(Exchange, CallerMustBeAMember) {
  expect_one(run("shfl.sync.idx.b32 %r1, %t, 3, 31, 0xffff;"), FindingKind::bad_shuffle_mask, "lanes 16-31");
}

TEST(Exchange, MembersMustAgree) {
  const Outcome outcome =
      run("setp.lt.u32 %p1, %t, 4;\nselp.b32 %r2, -1, 0xfffffff0, %p1;\n"
          "vote.sync.ballot.b32 %r1, %p1, %r2;");
  expect_one(outcome, FindingKind::bad_shuffle_mask, "names members");
}

TEST(Exchange, NamedLaneNeverComes) {
  const Outcome outcome =
      run("setp.lt.u32 %p1, %t, 8;\n@%p1 bra L;\nredux.sync.add.u32 %r1, %t, -1;\nbra M;\n"
          "L:\nbar.sync 0;\nM:");
  ASSERT_FALSE(outcome.findings.empty());
}

TEST(Exchange, SourceMustTakePart) {
  const Outcome outcome =
      run("setp.lt.u32 %p1, %t, 16;\n@!%p1 bra L;\nshfl.sync.idx.b32 %r1, %t, 20, 31, 0xffff;\nL:");
  expect_one(outcome, FindingKind::bad_shuffle_mask, "reads from lane 20");
}

TEST(Exchange, ShiftPastTheGroupIsSilent) {
  const Outcome outcome =
      run("setp.lt.u32 %p1, %t, 16;\n@!%p1 bra L;\nshfl.sync.down.b32 %r1, %t, 8, 31, 0xffff;\nL:");
  EXPECT_TRUE(outcome.findings.empty());
}

TEST(Atomic, ChecksBoundsAndAlignment) {
  expect_one(run("atom.global.add.u32 %r1, [%data+256], 1;"), FindingKind::out_of_bounds, "updates 4 bytes");
  expect_one(run("red.global.add.u64 [%data+4], 1;"), FindingKind::misaligned, "8 bytes");
}

TEST(Atomic, RefusesWhatDoesNotExist) {
  EXPECT_THAT(run("atom.global.mul.u32 %r1, [%data], 1;").refused, HasSubstr("atom.global.mul.u32"));
  EXPECT_THAT(run("atom.global.add.u32.fancy %r1, [%data], 1;").refused, HasSubstr("fancy"));
}

const std::string kBuffer = ".shared .align 16 .b8 buffer[512];\n.shared .align 8 .b64 barrier;\n";
const std::string kOwnWord =
    "mov.u32 %r1, buffer;\nmad.lo.u32 %r1, %t, 4, %r1;\nmad.wide.u32 %rd1, %t, 4, %data;\n"
    "st.shared.u32 [%r1], 77;\n";

TEST(AsyncCopy, WithoutWaitOldDataAreSeenAndReported) {
  const Outcome outcome = run(kOwnWord +
                                  "cp.async.ca.shared.global [%r1], [%rd1], 4;\nld.shared.u32 %r2, [%r1];\n"
                                  "st.global.u32 [%rd1+128], %r2;",
                              kBuffer);
  expect_one(outcome, FindingKind::shared_race, "");
  EXPECT_EQ(outcome.data[32 + 5], 77u);
}

TEST(AsyncCopy, WaitsForTheGroupsNamed) {
  const Outcome outcome =
      run(kOwnWord +
              "cp.async.ca.shared.global [%r1], [%rd1], 4;\ncp.async.commit_group;\n"
              "cp.async.wait_group 1;\nld.shared.u32 %r2, [%r1];\nst.global.u32 [%rd1+128], %r2;",
          kBuffer);
  expect_one(outcome, FindingKind::shared_race, "");
  EXPECT_EQ(outcome.data[32 + 5], 77u);
}

TEST(AsyncCopy, SourceOutOfBounds) {
  expect_one(run(kOwnWord + "cp.async.ca.shared.global [%r1], [%rd1+192], 4;", kBuffer),
             FindingKind::out_of_bounds, "'data'");
}

const std::string kBarrier = "mov.u32 %r3, barrier;\nsetp.eq.u32 %p1, %t, 0;\n";

TEST(MBarrier, TooManyArrivals) {
  expect_one(
      run(kBarrier +
              "@%p1 mbarrier.init.shared.b64 [%r3], 0;\nbar.sync 0;\nmbarrier.arrive.shared.b64 %rd2, [%r3];",
          kBuffer),
      FindingKind::divergent_barrier, "more often");
}

TEST(MBarrier, PhaseThatNeverEndsIsAnEndlessLoop) {
  expect_one(run(kBarrier + "@%p1 mbarrier.init.shared.b64 [%r3], 33;\nbar.sync "
                            "0;\nmbarrier.arrive.shared.b64 %rd2, [%r3];\nW:\n"
                            "mbarrier.try_wait.shared.b64 %p2, [%r3], %rd2;\n@!%p2 bra W;",
                 kBuffer),
             FindingKind::endless_loop, "");
}

TEST(BulkCopy, WithoutWaitOldDataAreSeen) {
  const Outcome outcome =
      run(kBarrier + kOwnWord +
              "@%p1 mbarrier.init.shared.b64 [%r3], 1;\nbar.sync 0;\nmov.u32 %r4, buffer;\n"
              "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%data], 128, "
              "[%r3];\n"
              "bar.sync 0;\nld.shared.u32 %r2, [%r1];\nst.global.u32 [%rd1+128], %r2;",
          kBuffer);
  EXPECT_EQ(outcome.refused, "");
  EXPECT_EQ(outcome.data[32 + 5], 77u);
}

TEST(Matrix, NeedsTheWholeWarp) {
  const Outcome outcome =
      run("setp.lt.u32 %p1, %t, 8;\n@%p1 bra L;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r1, %t;\nbra "
          "M;\nL:\nbar.sync 0;\nM:");
  EXPECT_FALSE(outcome.findings.empty());
}

TEST(Matrix, RowsAreChecked) {
  expect_one(run("mov.u32 %r1, buffer;\nadd.u32 %r1, %r1, 8;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 "
                 "{%r2}, [%r1];",
                 kBuffer),
             FindingKind::misaligned, "16 bytes");
}

TEST(Matrix, SaysWhatIsMissing) {
  EXPECT_THAT(run("wgmma.fence.sync.aligned;").refused, HasSubstr("wgmma"));
  EXPECT_THAT(run("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, "
                  "%r8}, {%r9, %r10}, "
                  "{%r1, %r2, %r3, %r4};")
                  .refused,
              HasSubstr("mma.sync"));
  EXPECT_THAT(run("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, "
                  "{%r2, %r3}], [%r4];")
                  .refused,
              HasSubstr("cp.async.bulk.tensor"));
}

TEST(Damaged, OperandsThatCannotBeAreRefused) {
  for (const char *text :
       {"shfl.sync.idx.b32 %r1, _, 3, 31, -1;", "shfl.sync.idx.b32 {%r1, %r2}, %r1, 3, 31, -1;",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, _}, [%r3];", "atom.add.u32 _, [%data], _;",
        "wmma.load.c.sync.aligned.row.m16n16k16.f16 {%r1, %r2, _, %r4}, [%data];",
        "cp.async.ca.shared.global [%r1], [%data], 4, _;", "movmatrix.sync.aligned.m8n8.trans.b16 _, %r1;",
        "vote.sync.any.pred 1, %p1, -1;", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {_};"})
    EXPECT_THAT(run(text).refused, HasSubstr("operands it cannot have")) << text;
}

TEST(Damaged, ResultsNobodyWantsAreDropped) {
  EXPECT_TRUE(run("elect.sync _|%p1, -1;\nelect.sync %r1|_, -1;\nredux.sync.add.u32 _, %r1, -1;\n"
                  "vote.sync.any.pred _, %p1, -1;\natom.global.add.u32 _, [%data], 1;")
                  .findings.empty());
}

}  // namespace
