// SPDX-License-Identifier: Apache-2.0
//
// Excerpts of small kernels in PTX: which blocks run, what is known of all of them, which values are final.
#include "evolution/emulate/session/excerpt_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "evolution/judge/data/input_family.h"
#include "tests/fakes/sample_spec.h"
#include "tests/unit/emulate/estimate/programs.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::session;
using namespace cupilot::judge::launches;
using namespace cupilot::model;
using namespace cupilot::spec;
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kElements = 1 << 20, kBlock = 256;

class Excerpts : public testing::Test {
protected:
  Excerpts() {
    which_.id = which_.workload = "w";
    which_.scalars = {{"a", 0.5}, {"rows", std::int64_t{1024}}, {"cols", std::int64_t{1024}}};
    which_.buffers = {{"x", BufferRole::in, kElements, {}}, {"y", BufferRole::out, kElements, {}}};
  }
  CaseBuffers buffers() {
    Setting setting{&which_, "user", 7};
    auto made = CaseBuffers::make(*memory_, cache_, fake::scale_spec().parameters, setting,
                                  CaseBuffers::Inputs::late);
    EXPECT_TRUE(made) << made.error().message;
    return std::move(*made);
  }
  /// One pass over launches of these grids.
  Excerpt run(CaseBuffers &buffers, const std::shared_ptr<const Program> &program,
              std::vector<std::uint32_t> grids, const std::vector<Piece> &wanted = {},
              std::uint64_t cleared = 0) {
    ExcerptRun excerpt(*memory_, buffers, 3);
    excerpt.begin_pass();
    if (cleared) {
      QueuedWork work;
      work.kind = QueuedWork::Kind::memset;
      work.address = buffers.address(1);
      work.bytes = cleared;
      excerpt.before_work(work, {});
    }
    auto loaded = LoadedProgram::load(program, *memory_);
    EXPECT_TRUE(loaded);
    const std::uint64_t x = buffers.address(0), y = buffers.address(1);
    std::vector<std::byte> parameters(program->functions[0].parameter_bytes);
    std::memcpy(parameters.data() + program->functions[0].parameters[0].offset, &x, 8);
    std::memcpy(parameters.data() + program->functions[0].parameters[1].offset, &y, 8);
    std::memcpy(parameters.data() + program->functions[0].parameters[2].offset, &kElements, 4);
    for (const std::uint32_t grid : grids) {
      excerpt.before_work({}, {});
      LaunchRequest request;
      request.grid = {grid, 1, 1};
      request.block = {kBlock, 1, 1};
      request.parameters = parameters;
      excerpt.launch({"k", loaded->get(), request}, {}, wanted);
      if (!marks_) continue;
      LaunchOptions options;
      options.marks = &*marks_;
      excerpt.begin_pass();
      excerpt.launch({"k", loaded->get(), request}, options, wanted);
    }
    EXPECT_TRUE(excerpt.findings().empty());
    return excerpt.answer(wanted, dump_);
  }

  std::unique_ptr<Memory> memory_ = Memory::make(256 << 20).value();
  InputCache cache_;
  Case which_;
  std::vector<std::byte> dump_ = std::vector<std::byte>(1 << 16);
  std::optional<StepMarks> marks_;  ///< of what is executed once more
};

TEST_F(Excerpts, SomeBlocksStandForAll) {
  auto in = buffers();
  const Excerpt excerpt = run(in, copy_program(4), {kElements / kBlock});
  EXPECT_EQ(excerpt.blocks_run, 16u);
  ASSERT_EQ(excerpt.traffic.size(), 2u);
  EXPECT_GE(excerpt.traffic[1].most_written, 4.0 * kElements);
  EXPECT_GE(excerpt.traffic[1].least_written, 0.85 * 4 * kElements);
  EXPECT_LE(excerpt.traffic[1].least_written, 4.0 * kElements);
  EXPECT_GE(excerpt.traffic[0].least_read, 0.85 * 4 * kElements);
  EXPECT_EQ(excerpt.traffic[0].most_written, 0);
  EXPECT_FALSE(excerpt.dependent);
  EXPECT_EQ(excerpt.open, "");
  ASSERT_GE(excerpt.pieces.size(), 16u);
  std::size_t at = 0;
  for (const Piece &piece : excerpt.pieces) {
    EXPECT_EQ(piece.buffer, 1u);
    EXPECT_EQ(
        std::memcmp(dump_.data() + at, reinterpret_cast<const void *>(in.address(0) + piece.at), piece.bytes),
        0);
    at += piece.bytes;
  }
}

/// Coverage counts what each of them executes, not what the last one alone does.
TEST_F(Excerpts, WhatAllOfTheirBlocksExecuteIsMarked) {
  auto in = buffers();
  const auto program = program_of("u64 x, u64 y, u32 n", R"(
    ld.param.u64 %rd2, [y];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.s32 %r3, %r1, 256, %r2;
    mul.wide.s32 %rd3, %r3, 4;
    add.s64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r3;
    setp.ne.u32 %p1, %r1, 4095;
    @%p1 bra END;
    st.global.u32 [%rd4], %r1;
END:
    ret;)");
  marks_.emplace();
  run(in, program, {kElements / kBlock});
  ASSERT_EQ(marks_->reach.size(), program->steps.size());
  std::set<std::uint32_t> executed;  // instructions
  std::uint32_t end = 0;
  for (std::uint32_t pc = 0; pc < marks_->reach.size(); ++pc) {
    end = std::max(end, marks_->reach[pc]);
    if (pc < end) executed.insert(program->info[pc].instruction);
  }
  constexpr std::uint32_t kStoreOfAll = 6, kStoreOfTheLast = 9;
  EXPECT_TRUE(executed.contains(kStoreOfAll));
  EXPECT_FALSE(executed.contains(kStoreOfTheLast));
}

/// The inputs are those of the whole case, not a stretch of them again and again.
TEST_F(Excerpts, InputsAreMadeWhereTheyAreRead) {
  auto late = buffers();
  const Excerpt excerpt = run(late, copy_program(4), {kElements / kBlock});
  Setting setting{&which_, "user", 7};
  auto whole =
      CaseBuffers::make(*memory_, cache_, fake::scale_spec().parameters, setting, CaseBuffers::Inputs::whole);
  ASSERT_TRUE(whole);
  for (const Piece &piece : excerpt.pieces)
    EXPECT_EQ(std::memcmp(reinterpret_cast<const void *>(late.address(0) + piece.at),
                          reinterpret_cast<const void *>(whole->address(0) + piece.at), piece.bytes),
              0);
}

TEST_F(Excerpts, AGridThatIsTooSmallWritesLess) {
  auto in = buffers();
  const Excerpt one = run(in, copy_program(4), {1});
  EXPECT_EQ(one.traffic[1].most_written, 4.0 * kBlock);
  const Excerpt some = run(in, copy_program(4), {kElements / kBlock / 4 * 3});
  EXPECT_LE(some.traffic[1].most_written, 0.76 * 4 * kElements);
}

TEST_F(Excerpts, BlocksOfAnotherShapeAreFoundByWhatTheyWrite) {
  auto in = buffers();
  const Excerpt wide = run(in, copy_program(16), {kElements / kBlock / 4});
  ASSERT_FALSE(wide.pieces.empty());
  auto again = buffers();
  const Excerpt narrow = run(again, copy_program(4), {kElements / kBlock}, wide.pieces);
  EXPECT_EQ(narrow.pieces.size(), wide.pieces.size());
}

TEST_F(Excerpts, WhatALaterLaunchWritesIsNotFinal) {
  auto in = buffers();
  const Excerpt twice = run(in, copy_program(4), {kElements / kBlock, kElements / kBlock});
  ASSERT_FALSE(twice.pieces.empty());
  EXPECT_EQ(twice.open, "");
  const Excerpt cleared = run(in, copy_program(4), {1}, {}, 4 * kElements);
  EXPECT_EQ(cleared.traffic[1].filled, 4.0 * kElements);
  EXPECT_EQ(cleared.traffic[1].most_written, 4.0 * kBlock);
}

TEST_F(Excerpts, SumsOfAtomicsAreLeftOpen) {
  which_.buffers[1].role = BufferRole::inout;
  const auto program = program_of("u64 x, u64 y, u32 n",
                                  "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nmov.u32 %r1, %ctaid.x;\n"
                                  "mov.u32 %r2, %tid.x;\nmad.lo.s32 %r3, %r1, 256, %r2;\n"
                                  "mul.wide.s32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
                                  "ld.global.f32 %f1, [%rd4];\nmul.wide.s32 %rd5, %r2, 4;\n"
                                  "add.s64 %rd6, %rd2, %rd5;\nred.global.add.f32 [%rd6], %f1;\nret;");
  auto in = buffers();
  const Excerpt excerpt = run(in, program, {kElements / kBlock});
  EXPECT_TRUE(excerpt.pieces.empty());
  EXPECT_THAT(excerpt.open, HasSubstr("atomics"));
  EXPECT_FALSE(excerpt.dependent) << "what they write depends on no other block";
  EXPECT_EQ(excerpt.traffic[1].least_written, 4.0 * kBlock) << "all write the same bytes";
}

TEST_F(Excerpts, ReadsOfWhatOthersWriteAreLeftOpen) {
  // y[i] = y[i ^ 256]: of the block beside.
  const auto program = program_of("u64 x, u64 y, u32 n",
                                  "ld.param.u64 %rd2, [y];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\n"
                                  "mad.lo.s32 %r3, %r1, 256, %r2;\nxor.b32 %r4, %r3, 256;\n"
                                  "mul.wide.s32 %rd3, %r4, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
                                  "ld.global.f32 %f1, [%rd4];\nmul.wide.s32 %rd5, %r3, 4;\n"
                                  "add.s64 %rd6, %rd2, %rd5;\nst.global.f32 [%rd6], %f1;\nret;");
  auto in = buffers();
  const Excerpt excerpt = run(in, program, {kElements / kBlock});
  EXPECT_TRUE(excerpt.pieces.empty());
  EXPECT_TRUE(excerpt.dependent);
  EXPECT_THAT(excerpt.open, HasSubstr("what others write"));
}

}  // namespace
}  // namespace cupilot::emulate
