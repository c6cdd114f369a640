// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/block_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/emulate/estimate/programs.h"

namespace cupilot::emulate::estimation {
using namespace cupilot::emulate::estimate;
using namespace cupilot::emulate::program;
namespace {

class BlockCodes : public testing::Test {
protected:
  /// The opcodes of the positions, in order.
  std::vector<std::string> opcodes(const Program &program, const BlockCode &code) {
    std::vector<std::string> found;
    for (const Position &position : code.positions) {
      const StepInfo &info = program.info[position.pc];
      if (info.instruction == kNowhere) continue;
      found.emplace_back(program.functions[info.function].source->body[info.instruction].opcode);
    }
    return found;
  }
  std::uint32_t step_of(const Program &program, std::string_view opcode) {
    for (std::uint32_t pc = 0; pc < program.info.size(); ++pc) {
      const StepInfo &info = program.info[pc];
      if (info.instruction != kNowhere &&
          program.functions[info.function].source->body[info.instruction].opcode == opcode)
        return pc;
    }
    ADD_FAILURE() << opcode;
    return 0;
  }
  DeviceTable device_ = *device_table("sm_90_h200");
};

TEST_F(BlockCodes, LoadsMoveUp) {
  const auto program =
      program_of("u64 x",
                 "ld.param.u64 %rd1, [x];\nld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\n"
                 "ld.global.f32 %f3, [%rd1+4];\nmul.f32 %f4, %f3, %f2;\nst.global.f32 [%rd1], %f4;\n"
                 "ld.global.f32 %f5, [%rd1+8];\nst.global.f32 [%rd1+4], %f5;\nret;");
  ASSERT_TRUE(program);
  CodeBook codes(*program, device_);
  const auto order = opcodes(*program, codes.at(step_of(*program, "add.f32")));
  const auto at = [&](const char *opcode, int number) {
    std::size_t place = 0;
    for (; place < order.size(); ++place)
      if (order[place] == opcode && number-- == 0) break;
    return place;
  };
  EXPECT_LT(at("ld.global.f32", 1), at("add.f32", 0));
  EXPECT_GT(at("ld.global.f32", 2), at("st.global.f32", 0));  // may read what the store wrote
}

constexpr const char *kLoop =
    "ld.param.u64 %rd1, [x];\nld.param.u32 %r1, [n];\nmov.f32 %f1, 0f00000000;\n"
    "LOOP:\nld.global.f32 %f2, [%rd1];\nadd.f32 %f1, %f1, %f2;\nadd.s64 %rd1, %rd1, 4;\nadd.s32 %r1, %r1, "
    "-1;\n"
    "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra LOOP;\nst.global.f32 [%rd1], %f1;\nret;";

TEST_F(BlockCodes, ShortCountedLoopsUnroll) {
  const auto program = program_of("u64 x, u32 n", kLoop);
  ASSERT_TRUE(program);
  CodeBook codes(*program, device_);
  const std::uint32_t pc = step_of(*program, "add.f32");
  EXPECT_TRUE(codes.unrolls(pc));
  EXPECT_FALSE(codes.unrolls(step_of(*program, "mov.f32")));
  const BlockCode &code = codes.at(pc, true);
  EXPECT_EQ(code.iterations, kUnrolled);
  // All four loads are issued before the first sum needs one.
  const auto order = opcodes(*program, code);
  const auto first_sum = std::ranges::find(order, "add.f32");
  EXPECT_EQ(std::count(order.begin(), first_sum, "ld.global.f32"), 4);
}

TEST_F(BlockCodes, ABarrierKeepsALoopAsItIs) {
  std::string body = kLoop;
  body.insert(body.find("add.f32"), "bar.sync 0;\n");
  const auto program = program_of("u64 x, u32 n", body);
  ASSERT_TRUE(program);
  CodeBook codes(*program, device_);
  EXPECT_FALSE(codes.unrolls(step_of(*program, "add.f32")));
}

TEST_F(BlockCodes, NeighbouringSharedLoadsBecomeOne) {
  const auto program =
      program_of("u64 x",
                 ".shared .align 16 .b8 s[256];\nld.param.u64 %rd1, [x];\nmov.u32 %r1, s;\n"
                 "ld.shared.f32 %f1, [%r1];\nld.shared.f32 %f2, [%r1+4];\nld.shared.f32 %f3, [%r1+8];\n"
                 "ld.shared.f32 %f4, [%r1+12];\nld.shared.f32 %f5, [%r1+64];\nadd.f32 %f6, %f1, %f2;\n"
                 "st.global.f32 [%rd1], %f6;\nret;");
  ASSERT_TRUE(program);
  CodeBook codes(*program, device_);
  std::vector<unsigned> merged;
  for (const Position &position : codes.at(step_of(*program, "ld.shared.f32")).positions)
    if (position.cost.kind == Kind::load && position.cost.issues > 0) merged.push_back(position.merged);
  EXPECT_THAT(merged, testing::UnorderedElementsAre(3, kDoneByOther, kDoneByOther, kDoneByOther, 0));
}

}  // namespace
}  // namespace cupilot::emulate::estimation
