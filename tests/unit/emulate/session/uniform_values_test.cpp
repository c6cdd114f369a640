// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/uniform_values.h"

#include <gmock/gmock.h>

#include "tests/unit/emulate/machine/run_ptx.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::session;
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A kernel of one size, %r1, all of whose code stands in the variant.
class OfOneSize {
public:
  explicit OfOneSize(const std::string &body)
      : device_(R"(.file 1 "/bundle/candidates/a/variant.cuh"
.visible .entry k(.param .u64 out, .param .u32 size) {
  .reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .f32 %f<9>;
  .loc 1 10 3
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [size];
)" + body + "\n st.global.u32 [%rd1], %r1;\n ret;\n}\n"),
        values_(*device_.program, device_.program->entries.at("k")) {}

  std::vector<bool> at(std::uint32_t size, std::uint32_t blocks = 1) const {
    std::vector<std::vector<std::byte>> arguments{std::vector<std::byte>(8), std::vector<std::byte>(4)};
    std::memcpy(arguments[1].data(), &size, sizeof size);
    std::vector<bool> truths;
    for (const UniformTruth &one : values_.truths({{blocks, 1, 1}, {64, 1, 1}, arguments}))
      truths.push_back(one.value);
    return truths;
  }
  const UniformValues &values() const { return values_; }

private:
  Device device_;
  UniformValues values_;
};

/// As nvcc writes `n % 4099 == 6`.
constexpr const char *kResidue = R"(
  mul.hi.s32 %r2, %r1, 16764937;
  shr.u32 %r3, %r2, 31;
  shr.s32 %r4, %r2, 4;
  add.s32 %r5, %r4, %r3;
  mul.lo.s32 %r6, %r5, 4099;
  sub.s32 %r7, %r1, %r6;
  setp.eq.s32 %p1, %r7, 6;
  selp.b32 %r8, 1, 2, %p1;
)";

TEST(UniformValues, KnowARemainderThatACompilerMultiplied) {
  const OfOneSize kernel(kResidue);
  for (const std::uint32_t size : {6u, 4105u, 16402u})
    EXPECT_THAT(kernel.at(size), ElementsAre(true)) << size;
  for (const std::uint32_t size : {0u, 5u, 4099u, 16403u})
    EXPECT_THAT(kernel.at(size), ElementsAre(false)) << size;
  EXPECT_THAT(kernel.values().numbers(), testing::IsSupersetOf({6, 4099}));
}

TEST(UniformValues, KnowBitsProductsAndConjunctions) {
  const OfOneSize kernel(R"(
    popc.b32 %r2, %r1;
    setp.eq.s32 %p1, %r2, 9;
    mul.wide.s32 %rd2, %r1, 3;
    setp.eq.s64 %p2, %rd2, 1533;
    and.pred %p3, %p1, %p2;
    selp.b32 %r8, 1, 2, %p3;
  )");
  EXPECT_THAT(kernel.at(511), ElementsAre(true, true, true));
  EXPECT_THAT(kernel.at(1022), ElementsAre(true, false, false));
  EXPECT_THAT(kernel.at(7), ElementsAre(false, false, false));
}

TEST(UniformValues, KnowTheSizeOfTheGrid) {
  const OfOneSize kernel(R"(
    mov.u32 %r2, %nctaid.x;
    setp.gt.u32 %p1, %r2, %r1;
    selp.b32 %r8, 1, 2, %p1;
  )");
  EXPECT_THAT(kernel.at(4, 5), ElementsAre(true));
  EXPECT_THAT(kernel.at(5, 5), ElementsAre(false));
}

TEST(UniformValues, KnowConversionsAndRealNumbers) {
  const OfOneSize kernel(R"(
    cvt.rn.f32.s32 %f1, %r1;
    sqrt.rn.f32 %f2, %f1;
    cvt.rzi.s32.f32 %r2, %f2;
    setp.eq.s32 %p1, %r2, 12;
    selp.b32 %r8, 1, 2, %p1;
  )");
  EXPECT_THAT(kernel.at(150), ElementsAre(true));
  EXPECT_THAT(kernel.at(169), ElementsAre(false));
}

TEST(UniformValues, LeaveOutThreadsDataAndWhatIsWrittenTwice) {
  const OfOneSize kernel(R"(
    mov.u32 %r2, %tid.x;
    setp.gt.u32 %p1, %r2, %r1;
    ld.global.u32 %r3, [%rd1];
    setp.eq.s32 %p2, %r3, 6;
    mov.u32 %r4, 1;
    add.s32 %r4, %r4, %r1;
    setp.eq.s32 %p3, %r4, 6;
    selp.b32 %r8, 1, 2, %p1;
  )");
  EXPECT_THAT(kernel.at(6), IsEmpty());
}

/// "a && b" as a compiler writes it: the second is only computed where the first one holds.
TEST(UniformValues, KnowAConditionOfARegisterThatIsWrittenTwice) {
  const OfOneSize kernel(R"(
    mov.pred %p3, 0;
    setp.ne.s32 %p1, %r1, 30;
    @%p1 bra L1;
    setp.eq.s32 %p3, %r1, 31;
  L1:
    and.pred %p4, %p3, %p1;
    selp.b32 %r8, 1, 2, %p4;
  )");
  EXPECT_THAT(kernel.at(31), ElementsAre(true, true)) << "what reads it is not known";
}

TEST(UniformValues, ADivisionByZeroIsNotKnown) {
  const OfOneSize kernel(R"(
    rem.s32 %r2, 12, %r1;
    setp.eq.s32 %p1, %r2, 2;
    selp.b32 %r8, 1, 2, %p1;
  )");
  EXPECT_THAT(kernel.at(0), IsEmpty());
  EXPECT_THAT(kernel.at(5), ElementsAre(true));
}

}  // namespace
}  // namespace cupilot::emulate
