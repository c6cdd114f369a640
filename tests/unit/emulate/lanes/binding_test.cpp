// SPDX-License-Identifier: Apache-2.0
//
// What bind functions accept, what they say of the rest, and what they charge.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/emulate/lanes/families.h"
#include "tests/unit/emulate/lanes/hand_made.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::program;
namespace {

using testing::HasSubstr;

TEST(Binding, KnowsEveryVectorExtension) {
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    HandMade add("add.s32", {32, 32, 32});
    ASSERT_TRUE(add.bind(bind_integer, isa).has_value()) << to_string(isa);
    EXPECT_NE(add.bind(bind_integer, isa)->run, nullptr);
  }
}

TEST(Binding, RefusesWhatPtxHasNot) {
  EXPECT_FALSE(HandMade("add.s128", {64, 64, 64}).bind(bind_integer).has_value());
  EXPECT_FALSE(HandMade("add.rn.sat.f64", {64, 64, 64}).bind(bind_float).has_value());
  EXPECT_FALSE(HandMade("setp.lo.f32", {1, 32, 32}).bind(bind_logic).has_value());
  EXPECT_FALSE(HandMade("cvt.s32.f32", {32, 64}).bind(bind_integer).has_value());
}

TEST(Binding, SaysWhatIsMissing) {
  HandMade stochastic("cvt.rs.f16x2.f32", {32, 32, 32});
  EXPECT_FALSE(stochastic.bind(bind_convert).has_value());
  EXPECT_THAT(stochastic.why, HasSubstr(".rs"));
  HandMade division("div.f32", {32, 32, 32});
  EXPECT_FALSE(division.bind(bind_float).has_value());
  EXPECT_THAT(division.why, HasSubstr("rounding"));
}

TEST(Binding, ChargesRoutinesForWhatTheyAre) {
  const auto cost = [](const char *opcode, auto bind) {
    return HandMade(opcode, {32, 32, 32}).bind(bind)->cost;
  };
  EXPECT_EQ(cost("add.s32", bind_integer), 1);
  EXPECT_GE(cost("div.s32", bind_integer), 15);
  EXPECT_GE(cost("rem.u64", bind_integer), 50);
  EXPECT_GE(cost("div.rn.f32", bind_float), 8);
  EXPECT_EQ(HandMade("fma.rn.f64", {64, 64, 64, 64}).bind(bind_float)->pipe, Pipe::fp64);
  EXPECT_EQ(HandMade("sin.approx.f32", {32, 32}).bind(bind_float)->pipe, Pipe::transcendental);
}

TEST(Binding, LiteralsOfFloatingInstructionsAreFloating) {
  const std::optional<Binding> add = HandMade("add.f32", {32, 32, 32}).bind(bind_float);
  EXPECT_FALSE(add->uses[0].real);
  EXPECT_TRUE(add->uses[1].real);
  EXPECT_TRUE(HandMade("mov.f64", {64, 64}).bind(bind_logic)->uses[1].real);
}

TEST(Binding, ConversionsTakeWiderRegisters) {
  const std::optional<Binding> cvt = HandMade("cvt.u8.u32", {32, 32}).bind(bind_convert);
  ASSERT_TRUE(cvt.has_value());
  EXPECT_EQ(cvt->uses[0].bits, 32);
}

}  // namespace
}  // namespace cupilot::emulate
