// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/buffer_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

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
  EXPECT_EQ(buffers.rule(0, setting).common_seed, buffers.rule(1, setting).common_seed);
}

TEST(BufferRule, BytesOfAClassTypeAreFloats) {
  const Buffers buffers;
  EXPECT_EQ(buffers.rule(1, {&buffers.which, "user", 7}).count, 5u * 6u / sizeof(float));
}

TEST(BufferRule, InfinitiesMayStandInOneInputAlone) {
  Buffers buffers;
  buffers.layout.buffers[2].role = BufferRole::inout;
  const auto infinite = [&](std::size_t index, const char *family) {
    const InputRule rule = buffers.rule(index, {&buffers.which, family, 7});
    return std::isinf(input_value(rule, rule.count - 1));
  };
  EXPECT_TRUE(infinite(0, "infinities") && infinite(2, "infinities"));
  EXPECT_TRUE(infinite(0, kInfinitiesInOne) && !infinite(2, kInfinitiesInOne));
  EXPECT_TRUE(!infinite(0, kInfinitiesInOthers) && infinite(2, kInfinitiesInOthers));
}

TEST(BufferRule, ZerosMayStandInOneInputAlone) {
  Buffers buffers;
  buffers.layout.buffers[2].role = BufferRole::inout;
  const auto zero = [&](std::size_t index, const char *family) {
    return input_value(buffers.rule(index, {&buffers.which, family, 7}), 3) == 0;
  };
  EXPECT_TRUE(zero(0, kZerosInOne) && !zero(2, kZerosInOne));
  EXPECT_TRUE(!zero(0, kZerosInOthers) && zero(2, kZerosInOthers));
}

TEST(BufferRule, RowsAreAsLongAsASizeThatDividesTheBuffer) {
  Buffers buffers;
  buffers.which.scalars = {{"rows", std::int64_t{40}},
                           {"cols", std::int64_t{25}},
                           {"n", std::int64_t{7}},
                           {"all", std::int64_t{1000}},
                           {"alpha", 2.0}};
  std::set<std::uint64_t> rows;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    rows.insert(buffers.rule(0, {&buffers.which, "patchwork", seed}).patchwork.row);
  EXPECT_EQ(rows, (std::set<std::uint64_t>{25, 40}));
  buffers.which.scalars.clear();
  EXPECT_EQ(buffers.rule(0, {&buffers.which, "patchwork", 1}).patchwork.row, 0u);
}

TEST(BufferRule, WhatIsPromisedOfDataIsKept) {
  Buffers buffers;
  const auto all = [&](const std::string &family) {
    const InputRule rule = buffers.rule(0, {&buffers.which, family, 7});
    std::vector<double> values;
    for (std::uint64_t i = 0; i < rule.count; ++i) values.push_back(input_value(rule, i));
    return values;
  };
  const auto finite = [](double value) { return std::isfinite(value); };
  for (const char *family : {"special", "infinities", "nans", "masked_low", "masked_high", "sparse"}) {
    buffers.layout.buffers[0].finite = false;
    const bool rare =
        std::string(family) == "special" || std::string(family) == "sparse";  // one in 512 or less
    EXPECT_TRUE(rare || !std::ranges::all_of(all(family), finite)) << family;
    buffers.layout.buffers[0].finite = true;
    EXPECT_TRUE(std::ranges::all_of(all(family), finite)) << family;
  }
  buffers.layout.buffers[0].range = {0, 100};
  for (const char *family : {"user", "heavy_tail", "extreme", "magnitudes", "impulse/x/3", "infinities"}) {
    const auto values = all(family);
    EXPECT_TRUE(std::ranges::all_of(values, [](double value) { return value >= 0 && value <= 100; }))
        << family;
    EXPECT_GT(std::set<double>(values.begin(), values.end()).size(), 800u) << family;
  }
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

TEST(BufferRule, OneOperandMayBeRoundedAlone) {
  const Buffers buffers(true);
  Setting setting{&buffers.which, "user", 7};
  setting.promoted = true;
  setting.operands = PrecisionKind::bf16;
  setting.operand = "x";
  EXPECT_EQ(buffers.rule(0, setting).operands, InputRounding::bf16);
  EXPECT_EQ(buffers.rule(2, setting).operands, InputRounding::none);
  EXPECT_EQ(buffers.rule(2, setting).rounding, InputRounding::f32) << "its own type all the same";
}

TEST(BufferRule, AnUnknownFamilyIsAnError) {
  const Buffers buffers;
  EXPECT_FALSE(buffer_rule(buffers.layout, buffers.layout.buffers[0], "x", {&buffers.which, "weird", 7}));
}

}  // namespace
}  // namespace cupilot
