// SPDX-License-Identifier: Apache-2.0
//
// Handlers under masks and with shared registers; the values themselves are opcode_test's.

#include <gtest/gtest.h>

#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/memory/memory.h"
#include "tests/unit/emulate/lanes/hand_made.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;
namespace {

class EveryIsa : public testing::TestWithParam<int> {
protected:
  void SetUp() override {
    if (GetParam() > static_cast<int>(host_isa())) GTEST_SKIP() << "not on this processor";
  }
  static Isa isa() { return static_cast<Isa>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(All, EveryIsa, testing::Values(0, 1, 2));

TEST_P(EveryIsa, LanesOutsideTheMaskKeepTheirValue) {
  HandMade add("add.s32", {32, 32, 32});
  for (int i = 0; i < kLanes; ++i) {
    add.lanes<std::int32_t>(0)[i] = -1;
    add.lanes<std::int32_t>(1)[i] = i;
    add.lanes<std::int32_t>(2)[i] = 100;
  }
  add.run(*add.bind(bind_integer, isa()), 0x80000005);
  for (int i = 0; i < kLanes; ++i)
    EXPECT_EQ(add.lanes<std::int32_t>(0)[i], i == 0 || i == 2 || i == 31 ? i + 100 : -1) << i;
}

TEST_P(EveryIsa, NarrowRegistersMergeToo) {
  HandMade add("add.u16", {16, 16, 16});
  for (int i = 0; i < kLanes; ++i) add.lanes<std::uint16_t>(1)[i] = static_cast<std::uint16_t>(i + 1);
  add.run(*add.bind(bind_integer, isa()), 0xffff0001);
  for (int i = 0; i < kLanes; ++i)
    EXPECT_EQ(add.lanes<std::uint16_t>(0)[i], i == 0 || i >= 16 ? i + 1 : 0) << i;
}

TEST_P(EveryIsa, ComparisonsMakeMasks) {
  HandMade less("setp.lt.s32", {1, 32, 32});
  for (int i = 0; i < kLanes; ++i) less.lanes<std::int32_t>(1)[i] = i - 16;
  less.predicate(0) = 0xff000000;
  less.run(*less.bind(bind_logic, isa()), 0x00ffffff);
  EXPECT_EQ(less.predicate(0), 0xff00ffff);
}

TEST_P(EveryIsa, NegatedPredicatesOfLogic) {
  HandMade both("and.pred", {1, 1, 1});
  both.predicate(1) = 0xff00ff00;
  both.predicate(2) = 0xffff0000;
  both.operand(2).negated = true;
  both.run(*both.bind(bind_logic, isa()), 0xffffffff);
  EXPECT_EQ(both.predicate(0), 0x0000ff00);
}

TEST(Handlers, SharedAddressesAreWindows) {
  HandMade cvta("cvta.shared.u64", {64, 64});
  cvta.lanes<std::uint64_t>(1)[3] = 0x40;
  cvta.run(*cvta.bind(bind_convert), 0xffffffff);
  EXPECT_EQ(cvta.lanes<std::uint64_t>(0)[3], kSharedWindow + 0x40);
  HandMade back("cvta.to.shared.u64", {64, 64});
  back.lanes<std::uint64_t>(1)[3] = kSharedWindow + 0x40;
  back.run(*back.bind(bind_convert), 0xffffffff);
  EXPECT_EQ(back.lanes<std::uint64_t>(0)[3], 0x40);
}

}  // namespace
}  // namespace cupilot::emulate
