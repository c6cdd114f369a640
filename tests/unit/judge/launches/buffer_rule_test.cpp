// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/buffer_rule.h"

#include <gtest/gtest.h>

#include "evolution/judge/data/input_family.h"

namespace cupilot {
using namespace judge::cases;
using namespace judge::data;
using namespace judge::launches;
using namespace model;
using namespace spec;
namespace {

Parameter pointer(const std::string &name, ElementType element, std::size_t bytes) {
  Parameter made;
  made.name = name;
  made.element = element;
  made.element_bytes = bytes;
  made.pointer = true;
  return made;
}

struct Buffers {
  std::vector<Parameter> parameters{pointer("x", ElementType::f32, 4), pointer("s", ElementType::opaque, 6),
                                    pointer("y", ElementType::f32, 4)};
  Case which;
  CaseLayout layout;

  explicit Buffers(bool promoted = false) {
    which.id = "w";
    which.buffers = {
        {"x", BufferRole::in, 1000, {}}, {"s", BufferRole::in, 5, {}}, {"y", BufferRole::out, 1000, {}}};
    layout = *make_layout(parameters, which, Placement::base, promoted);
  }
  InputRule rule(std::size_t index, const Setting &setting) const {
    const PlacedBuffer &buffer = layout.buffers[index];
    return *buffer_rule(layout, buffer, parameters[buffer.parameter].name, setting);
  }
};

TEST(BufferRule, EachParameterHasDataOfItsOwn) {
  const Buffers buffers;
  const Setting setting{&buffers.which, "user", 7};
  EXPECT_EQ(buffers.rule(0, setting).count, 1000u);
  EXPECT_EQ(buffers.rule(0, setting).seed, derived_seed(7, "x"));
  EXPECT_NE(buffers.rule(0, setting).seed, buffers.rule(1, setting).seed);
}

TEST(BufferRule, BytesOfAClassTypeAreFloats) {
  const Buffers buffers;
  EXPECT_EQ(buffers.rule(1, {&buffers.which, "user", 7}).count, 5u * 6u / sizeof(float));
}

TEST(BufferRule, ANudgeMovesValuesThatStandForNoIntegers) {
  const Buffers buffers;
  Setting setting{&buffers.which, "user", 7};
  EXPECT_EQ(buffers.rule(0, setting).nudge, 0);
  setting.nudge = 3;
  EXPECT_EQ(buffers.rule(0, setting).nudge, nudge_of(buffers.layout, ElementType::f32));
  EXPECT_EQ(buffers.rule(0, setting).nudge_seed, derived_seed(3, "x"));
}

TEST(BufferRule, APromotedBufferHoldsTheValuesOfTheNarrowerType) {
  const Buffers buffers(true);
  Setting setting{&buffers.which, "user", 7};
  setting.promoted = true;
  setting.operands = PrecisionKind::tf32;
  EXPECT_EQ(buffers.rule(0, setting).rounding, InputRounding::f32);
  EXPECT_EQ(buffers.rule(0, setting).operands, InputRounding::tf32);
}

TEST(BufferRule, AnUnknownFamilyIsAnError) {
  const Buffers buffers;
  EXPECT_FALSE(buffer_rule(buffers.layout, buffers.layout.buffers[0], "x", {&buffers.which, "weird", 7}));
}

}  // namespace
}  // namespace cupilot
