// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/address_flow.h"

#include <gmock/gmock.h>

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::session;
namespace {

using testing::HasSubstr;

/// Both parameters of `kernel` are addresses: out in %rd0, in in %rd1; line 10 of the variant.
AddressUse use_of(const std::string &body, const std::string &before = "") {
  const Device device(".file 1 \"/bundle/candidates/a/variant.cuh\"\n" + before +
                      kernel(".loc 1 10 3\n" + body));
  return address_use(*device.program, device.program->entries.at("k"), {0, 8});
}
bool computes(const std::string &body) {
  return use_of(body).computed.has_value();
}

TEST(AddressFlow, LoadsStoresAndStepsAreWhatAddressesAreFor) {
  EXPECT_FALSE(
      computes("ld.global.u32 %r1, [%rd1+4]; add.s64 %rd3, %rd1, 8; mad.wide.s32 %rd4, %r0, 4, %rd3;"
               "st.global.u32 [%rd4], %r1;"));
  EXPECT_FALSE(
      computes("mov.u64 %rd3, %rd1; L: ld.global.u32 %r1, [%rd3]; add.s64 %rd3, %rd3, 4;"
               "add.s64 %rd4, %rd1, 64; setp.lt.u64 %p1, %rd3, %rd4; @%p1 bra L;"));
  EXPECT_FALSE(computes("sub.s64 %rd3, %rd0, %rd1; add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r1, [%rd4];"))
      << "the other address again";
  EXPECT_FALSE(computes("setp.eq.s64 %p1, %rd1, 0;")) << "null";
}

TEST(AddressFlow, LowBitsMayBeLookedAt) {
  EXPECT_FALSE(computes("or.b64 %rd3, %rd0, %rd1; and.b64 %rd4, %rd3, 15; setp.eq.s64 %p1, %rd4, 0;"));
  EXPECT_FALSE(
      computes("cvt.u32.u64 %r1, %rd1; shr.u32 %r2, %r1, 2; neg.s32 %r3, %r2; and.b32 %r4, %r3, 3;"
               "setp.eq.s32 %p1, %r4, 0;"));
  EXPECT_FALSE(computes("add.s64 %rd3, %rd1, 15; and.b64 %rd4, %rd3, -16; ld.global.u32 %r1, [%rd4];"));
  EXPECT_FALSE(computes("cvt.u32.u64 %r1, %rd1; or.b32 %r2, %r1, -16; max.s32 %r3, %r2, %r0;"));
  EXPECT_TRUE(computes("cvt.u32.u64 %r1, %rd1; or.b32 %r2, %r1, 15; max.s32 %r3, %r2, %r0;"));
  EXPECT_TRUE(computes("and.b64 %rd4, %rd1, 4096; setp.eq.s64 %p1, %rd4, 0;"));
  EXPECT_TRUE(computes("shr.u64 %rd3, %rd1, 21; and.b64 %rd4, %rd3, 15; setp.eq.s64 %p1, %rd4, 0;"));
}

TEST(AddressFlow, ComputingWithAnAddressIsTold) {
  const auto use = use_of("shr.u64 %rd3, %rd0, 21; rem.u64 %rd4, %rd3, 4093;");
  ASSERT_TRUE(use.computed);
  EXPECT_THAT(*use.computed, HasSubstr("variant.cuh:10: computes with an address of memory (rem.u64)"));
  EXPECT_TRUE(computes("setp.lt.u64 %p1, %rd1, 4096;"));
  EXPECT_TRUE(computes("sub.s64 %rd3, %rd0, %rd1; setp.lt.u64 %p1, %rd3, 4096;"));
  EXPECT_TRUE(computes("mov.b64 {%r1, %r2}, %rd0; st.global.u32 [%rd2], %r2;"));
  EXPECT_TRUE(computes("shr.u64 %rd3, %rd0, 21; add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r1, [%rd4];"))
      << "a table that is indexed by it";
}

TEST(AddressFlow, WindowsAreAddressesToo) {
  const std::string window = ".shared .align 8 .b8 some[16]; mov.u64 %rd3, some; cvta.shared.u64 %rd4, %rd3;";
  EXPECT_TRUE(computes(window + "shr.u64 %rd5, %rd4, 40; setp.eq.s64 %p1, %rd5, 127;"));
  EXPECT_FALSE(computes(window + "cvta.to.shared.u64 %rd5, %rd4; cvt.u32.u64 %r1, %rd5; shr.u32 %r2, %r1, 7;"
                                 "setp.eq.s32 %p1, %r2, 0;"));
  EXPECT_TRUE(
      computes(window + "st.shared.u64 [some], %rd1; ld.shared.u64 %rd6, [some]; popc.b64 %r1, %rd6;"))
      << "kept in memory meanwhile";
}

TEST(AddressFlow, FunctionsGetAddresses) {
  const std::string callee =
      ".func (.param .b32 r) f(.param .b64 a) { .reg .b32 %r<2>; .reg .b64 %rd<2>;\n.loc 1 5 3\n"
      "ld.param.u64 %rd0, [a]; popc.b64 %r0, %rd0; st.param.b32 [r], %r0; ret; }\n";
  const std::string call =
      "{ .param .b64 p; .param .b32 q; st.param.b64 [p], VALUE;"
      "call.uni (q), f, (p); ld.param.b32 %r1, [q]; }";
  const auto with = [&](const std::string &value) {
    std::string text = call;
    return use_of(text.replace(text.find("VALUE"), 5, value), callee).computed;
  };
  ASSERT_TRUE(with("%rd1"));
  EXPECT_THAT(*with("%rd1"), HasSubstr("variant.cuh:5"));
  EXPECT_FALSE(with("1"));
}

TEST(AddressFlow, ComparedAddressesAreNamed) {
  EXPECT_EQ(use_of("setp.lt.u64 %p1, %rd0, %rd1;").compared.size(), 1u);
  EXPECT_TRUE(use_of("add.s64 %rd3, %rd1, 64; setp.lt.u64 %p1, %rd3, %rd1;").compared.empty());
}

}  // namespace
}  // namespace cupilot::emulate
