// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/case_layout.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cupilot {
using namespace judge::cases;
using namespace model;
using namespace spec;
namespace {

Parameter parameter(const std::string &name, ElementType element, std::size_t bytes, bool pointer) {
  Parameter made;
  made.name = name;
  made.element = element;
  made.element_bytes = bytes;
  made.pointer = pointer;
  return made;
}

std::vector<Parameter> parameters() {
  return {parameter("x", ElementType::f32, 4, true), parameter("y", ElementType::f16, 2, true),
          parameter("t", ElementType::f64, 8, true), parameter("n", ElementType::i32, 4, false)};
}

Case some_case() {
  Case made;
  made.id = "w";
  made.scalars = {{"n", std::int64_t{1000}}};
  made.buffers = {
      {"t", BufferRole::scratch, 10, {}}, {"x", BufferRole::in, 1000, {}}, {"y", BufferRole::inout, 7, {}}};
  return made;
}

class PlacementTest : public testing::TestWithParam<Placement> {};

TEST_P(PlacementTest, BuffersAndGuardsDoNotOverlap) {
  const auto layout = make_layout(parameters(), some_case(), GetParam());
  ASSERT_TRUE(layout);
  ASSERT_EQ(layout->buffers.size(), 3u);
  for (const auto &a : layout->buffers) {
    EXPECT_GE(a.offset, kGuardBytes);
    EXPECT_LE(a.offset + a.bytes + kGuardBytes, layout->arena_bytes);
    for (const auto &b : layout->buffers) {
      if (a.offset < b.offset) {
        EXPECT_LE(a.offset + a.bytes + kGuardBytes, b.offset - kGuardBytes);
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(All, PlacementTest,
                         testing::Values(Placement::base, Placement::moved, Placement::misaligned));

TEST(CaseLayout, PromotedBuffersHoldDoublesOfNarrowValues) {
  const auto narrow = make_layout(parameters(), some_case(), Placement::base);
  const auto wide = make_layout(parameters(), some_case(), Placement::base, true);
  ASSERT_TRUE(narrow && wide);
  EXPECT_TRUE(wide->promoted);
  EXPECT_EQ(wide->buffers[0].bytes, 8000u);
  EXPECT_EQ(wide->buffers[1].element.type, ElementType::f64);
  EXPECT_EQ(wide->buffers[1].values, ElementType::f16);
  EXPECT_EQ(wide->buffers[1].elements, narrow->buffers[1].elements);
  EXPECT_EQ(narrow->buffers[1].values, ElementType::f16);
}

TEST(CaseLayout, PromotedScalarsKeepTheNarrowValue) {
  Case which;
  which.scalars = {{"a", 0.1}, {"n", std::int64_t{3}}};
  const auto bytes = scalar_argument(parameter("a", ElementType::f32, 4, false), which, true);
  ASSERT_TRUE(bytes);
  ASSERT_EQ(bytes->size(), sizeof(double));
  double value = 0;
  std::memcpy(&value, bytes->data(), sizeof value);
  EXPECT_EQ(value, static_cast<double>(0.1f));
  EXPECT_EQ(scalar_argument(parameter("n", ElementType::i32, 4, false), which, true)->size(), 4u);
}

TEST(CaseLayout, KeepsTheOrderOfParameters) {
  const auto layout = make_layout(parameters(), some_case(), Placement::moved);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->buffers[0].parameter, 0u);
  EXPECT_EQ(layout->buffers[2].role, BufferRole::scratch);
}

/// c may be a, d may not be b (restrict), e has another length.
Result<CaseLayout> in_place_layout(Placement placement, bool restricted = false) {
  std::vector<Parameter> all;
  for (const char *name : {"c", "a", "b", "d", "e"})
    all.push_back(parameter(name, ElementType::f32, 4, true));
  all[3].restrict_qualified = true;
  all[1].restrict_qualified = restricted;
  for (Parameter &one : all) one.element_type = "float";
  Case made;
  made.id = "w";
  made.buffers = {{"c", BufferRole::out, 100, {}},
                  {"a", BufferRole::in, 100, {}},
                  {"b", BufferRole::in, 100, {}},
                  {"d", BufferRole::out, 100, {}},
                  {"e", BufferRole::out, 99, {}}};
  return make_layout(all, made, placement);
}

TEST(CaseLayout, InPlaceAnOutputStandsOnAnInputOfItsKind) {
  const auto layout = in_place_layout(Placement::in_place);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->buffers[0].offset, layout->buffers[1].offset);
  EXPECT_EQ(layout->buffers[0].shares, 1u);
  EXPECT_EQ(overwritten(*layout), (std::vector<bool>{false, true, false, false, false}));
  for (const std::size_t alone : {2, 3, 4}) EXPECT_EQ(layout->buffers[alone].shares, kOwnMemory);
  EXPECT_LT(layout->arena_bytes, in_place_layout(Placement::base)->arena_bytes);
  EXPECT_EQ(in_place_layout(Placement::in_place, true)->buffers[0].shares, 2u) << "the next that may";
}

TEST(CaseLayout, InPlaceIsNothingWhereNoOutputMayStandOnAnInput) {
  EXPECT_FALSE(can_be_in_place(*make_layout(parameters(), some_case(), Placement::base), parameters(),
                               Placement::in_place));
}

Result<CaseLayout> equal_inputs_layout(Placement placement, const std::string &other) {
  std::vector<Parameter> all;
  for (const char *name : {"a", "b", "c"}) all.push_back(parameter(name, ElementType::f32, 4, true));
  Case made;
  made.id = "w/b=a";
  made.buffers = {
      {"a", BufferRole::in, 100, {}}, {"b", BufferRole::in, 100, {}}, {"c", BufferRole::out, 100, {}}};
  made.buffers[1].same_as = other;
  return make_layout(all, made, placement, true);
}

TEST(CaseLayout, MembersOfOneTypeAreLanes) {
  Parameter made = parameter("p", ElementType::opaque, 12, true);
  made.element_type = "Particle";
  EXPECT_EQ(element_lanes(made).type, ElementType::opaque);
  made.members = {{"x", ElementType::f32, 0, 1}, {"rest", ElementType::f32, 4, 2}};
  EXPECT_EQ(element_lanes(made).type, ElementType::f32);
  EXPECT_EQ(element_lanes(made).lanes, 3u);
  made.element_bytes = 16;
  EXPECT_EQ(element_lanes(made).type, ElementType::opaque) << "something stands between them";
  made.members[1].type = ElementType::i32;
  EXPECT_EQ(element_lanes(made).lanes, 16u);
}

TEST(CaseLayout, TwoInputsMayBeOneBuffer) {
  for (const Placement placement : {Placement::base, Placement::moved}) {
    const auto layout = equal_inputs_layout(placement, "a");
    ASSERT_TRUE(layout) << layout.error().message;
    EXPECT_EQ(layout->buffers[1].offset, layout->buffers[0].offset);
    EXPECT_NE(layout->buffers[2].offset, layout->buffers[0].offset);
    EXPECT_EQ(overwritten(*layout), std::vector<bool>(3)) << "none may change";
  }
  EXPECT_FALSE(equal_inputs_layout(Placement::base, "c")) << "an output is no input";
  EXPECT_FALSE(equal_inputs_layout(Placement::base, "b")) << "itself";
  EXPECT_FALSE(equal_inputs_layout(Placement::base, "d")) << "there is none";
}

TEST(CaseLayout, MisalignedIsOneElementOff) {
  const auto layout = make_layout(parameters(), some_case(), Placement::misaligned);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->buffers[0].offset % kBufferAlignment, 4u);
  EXPECT_EQ(layout->buffers[1].offset % kBufferAlignment, 2u);
  EXPECT_EQ(layout->buffers[2].offset % kBufferAlignment, 8u);
}

TEST(CaseLayout, MisalignedIsTwoOrFourElementsOffToo) {
  const auto two = make_layout(parameters(), some_case(), Placement::misaligned_two);
  const auto four = make_layout(parameters(), some_case(), Placement::misaligned_four);
  ASSERT_TRUE(two && four);
  EXPECT_EQ(two->buffers[0].offset % kBufferAlignment, 8u);
  EXPECT_EQ(four->buffers[0].offset % kBufferAlignment, 16u);
  EXPECT_EQ(two->buffers[1].offset % kBufferAlignment, 4u);
}

TEST(CaseLayout, OnePointerMayBeMisalignedAlone) {
  const auto layout = make_layout(parameters(), some_case(), Placement::only_2);
  ASSERT_TRUE(layout);
  for (std::size_t i = 0; i < layout->buffers.size(); ++i)
    EXPECT_EQ(layout->buffers[i].offset % kBufferAlignment != 0, i == 1) << i;
}

TEST(CaseLayout, EachPointerMayBeShiftedByItself) {
  const auto layout = make_layout(parameters(), some_case(), Placement::mixed, false, 0x203);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->buffers[0].offset % kBufferAlignment, 12u);
  EXPECT_EQ(layout->buffers[1].offset % kBufferAlignment, 0u);
  EXPECT_EQ(layout->buffers[2].offset % kBufferAlignment, 16u);
  EXPECT_TRUE(is_misaligned(Placement::mixed));
}

TEST(CaseLayout, AnInputMayBeginWithinAnother) {
  std::vector<Parameter> all{parameter("x", ElementType::f32, 4, true),
                             parameter("z", ElementType::f32, 4, true)};
  Case made;
  made.id = "w/z=x+3";
  made.buffers = {{"x", BufferRole::in, 100, {}}, {"z", BufferRole::in, 100, {}}};
  made.buffers[1].same_as = "x";
  made.buffers[1].begins = 3;
  for (const bool promoted : {false, true}) {
    const std::uint64_t element = promoted ? 8 : 4;
    const auto layout = make_layout(all, made, Placement::base, promoted);
    ASSERT_TRUE(layout);
    EXPECT_TRUE(layout->buffers[1].overlaps());
    EXPECT_EQ(layout->buffers[1].offset, layout->buffers[0].offset + 3 * element);
    EXPECT_EQ(layout->buffers[0].room, 103 * element);
    EXPECT_GE(layout->arena_bytes, layout->buffers[0].offset + 103 * element + kGuardBytes);
  }
  made.buffers[1].elements = 40;
  EXPECT_EQ(make_layout(all, made, Placement::base)->buffers[0].room, 400u) << "it ends within";
  made.buffers[1].role = BufferRole::inout;
  EXPECT_FALSE(make_layout(all, made, Placement::base));
}

TEST(CaseLayout, AnUpdatedBufferMayHoldTheDataOfAnInputAndStandInItsMemory) {
  std::vector<Parameter> all{parameter("x", ElementType::f32, 4, true),
                             parameter("y", ElementType::f32, 4, true)};
  Case made;
  made.id = "w/y=x";
  made.buffers = {{"x", BufferRole::in, 100, {}}, {"y", BufferRole::inout, 100, {}}};
  made.buffers[1].same_as = "x";
  const auto apart = make_layout(all, made, Placement::base),
             one = make_layout(all, made, Placement::in_place);
  ASSERT_TRUE(apart && one);
  EXPECT_NE(apart->buffers[1].offset, apart->buffers[0].offset);
  EXPECT_EQ(apart->buffers[1].data_of, "x");
  EXPECT_TRUE(can_be_in_place(*apart, all, Placement::in_place));
  EXPECT_EQ(one->buffers[1].offset, one->buffers[0].offset);
  EXPECT_EQ(overwritten(*one), (std::vector<bool>{true, false}));
}

TEST(CaseLayout, MovedIsElsewhere) {
  const auto base = make_layout(parameters(), some_case(), Placement::base);
  const auto moved = make_layout(parameters(), some_case(), Placement::moved);
  ASSERT_TRUE(base && moved);
  for (std::size_t i = 0; i < base->buffers.size(); ++i) {
    EXPECT_NE(base->buffers[i].offset, moved->buffers[i].offset);
    EXPECT_EQ(moved->buffers[i].offset % kBufferAlignment, 0u);
  }
  EXPECT_EQ(dump_offsets(*base), dump_offsets(*moved));
}

TEST(CaseLayout, CountsTraffic) {
  const auto layout = make_layout(parameters(), some_case(), Placement::base);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->read_bytes, 4000u + 14u);
  EXPECT_EQ(layout->written_bytes, 14u);
  EXPECT_EQ(layout->dump_bytes, 64u);
}

TEST(CaseLayout, NamesAMissingBuffer) {
  Case which = some_case();
  which.buffers.pop_back();
  const auto layout = make_layout(parameters(), which, Placement::base);
  ASSERT_FALSE(layout);
  EXPECT_NE(layout.error().message.find("'y'"), std::string::npos);
}

TEST(CaseLayout, VectorTypesAreLanes) {
  Parameter p = parameter("v", ElementType::opaque, 16, true);
  p.element_type = "float4";
  EXPECT_EQ(element_lanes(p).type, ElementType::f32);
  EXPECT_EQ(element_lanes(p).lanes, 4u);
  p.element_type = "ns::Particle";
  EXPECT_EQ(element_lanes(p).type, ElementType::opaque);
}

TEST(ScalarArgument, HasTheParametersBytes) {
  Case which;
  which.scalars = {{"h", 1.5}, {"b", std::int64_t{7}}, {"u", std::int64_t{-1}}};
  const auto half = scalar_argument(parameter("h", ElementType::f16, 2, false), which);
  ASSERT_TRUE(half);
  std::uint16_t bits = 0;
  ASSERT_EQ(half->size(), 2u);
  std::memcpy(&bits, half->data(), 2);
  EXPECT_EQ(bits, 0x3e00);
  EXPECT_EQ(scalar_argument(parameter("b", ElementType::boolean, 1, false), which)->at(0), std::byte{1});
  EXPECT_EQ(scalar_argument(parameter("u", ElementType::u64, 8, false), which)->size(), 8u);
  EXPECT_FALSE(scalar_argument(parameter("h", ElementType::opaque, 12, false), which));
  EXPECT_FALSE(scalar_argument(parameter("absent", ElementType::i32, 4, false), which));
}

}  // namespace
}  // namespace cupilot
