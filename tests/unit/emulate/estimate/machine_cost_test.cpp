// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/machine_cost.h"

#include <gtest/gtest.h>

#include "tests/unit/emulate/estimate/programs.h"

namespace cupilot::emulate::estimation {
using namespace cupilot::emulate::estimate;
namespace {

class MachineCosts : public testing::Test {
protected:
  MachineCost cost(const std::string &line) {
    const auto module = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n.reg .pred "
        "%p<8>;\n.reg .b16 "
        "%h<8>;\n.reg .b32 %r<20>;\n.reg .f32 %f<20>;\n.reg .f64 %d<8>;\n.reg .b64 %rd<8>;\n" +
            line + "\nret;\n}\n",
        "test.ptx");
    EXPECT_TRUE(module) << module.error().message;
    return module ? machine_cost(module->functions[0].body[0], device_) : MachineCost{};
  }
  DeviceTable device_ = *device_table("sm_90_h200");
};

TEST_F(MachineCosts, SomeInstructionsDisappear) {
  for (const char *line : {"ld.param.u64 %rd1, [x];", "cvta.to.global.u64 %rd1, %rd2;", "mov.f32 %f1, %f2;",
                           "neg.f32 %f1, %f2;", "mov.u32 %r1, 7;"})
    EXPECT_EQ(cost(line).issues, 0) << line;
}

TEST_F(MachineCosts, UnitsAreTold) {
  EXPECT_EQ(cost("fma.rn.f32 %f1, %f2, %f3, %f4;").port, Port::fma);
  EXPECT_EQ(cost("add.s32 %r1, %r2, %r3;").port, Port::alu);
  EXPECT_EQ(cost("mad.lo.s32 %r1, %r2, %r3, %r4;").port, Port::imad);
  EXPECT_EQ(cost("fma.rn.f64 %d1, %d2, %d3, %d4;").port, Port::fp64);
  EXPECT_EQ(cost("ex2.approx.ftz.f32 %f1, %f2;").port, Port::special);
  EXPECT_EQ(cost("shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;").port, Port::shuffle);
  EXPECT_EQ(cost("cvt.rzi.s32.f32 %r1, %f1;").port, Port::convert);
}

TEST_F(MachineCosts, DivisionsAreSequences) {
  EXPECT_GT(cost("div.s32 %r1, %r2, %r3;").issues, 10);
  EXPECT_GT(cost("rem.u64 %rd1, %rd2, %rd3;").issues, 30);
  EXPECT_GT(cost("div.rn.f32 %f1, %f2, %f3;").issues, 3 * cost("div.approx.f32 %f1, %f2, %f3;").issues);
}

TEST_F(MachineCosts, MemoryBarriersAndWalls) {
  EXPECT_EQ(cost("ld.global.f32 %f1, [%rd1];").kind, Kind::load);
  EXPECT_TRUE(cost("ld.global.f32 %f1, [%rd1];").hoistable);
  EXPECT_FALSE(cost("ld.volatile.global.f32 %f1, [%rd1];").hoistable);
  EXPECT_EQ(cost("st.shared.f32 [%r1], %f1;").kind, Kind::store);
  EXPECT_EQ(cost("atom.global.add.u32 %r1, [%rd1], %r2;").kind, Kind::atomic);
  EXPECT_EQ(cost("bar.sync 0;").kind, Kind::barrier);
  EXPECT_EQ(cost("bar.warp.sync -1;").kind, Kind::ordering);
}

TEST_F(MachineCosts, TensorInstructionsTakeTheirOperations) {
  const auto half = cost(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
      "{%r5,%r6}, {%f1,%f2,%f3,%f4};");
  EXPECT_EQ(half.port, Port::tensor);
  EXPECT_NEAR(half.port_cycles, 4096 / device_.values.at("mma_f16_flops_per_cycle"), 1e-3);
}

}  // namespace
}  // namespace cupilot::emulate::estimation
