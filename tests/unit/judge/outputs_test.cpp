// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/outputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "evolution/judge/correct/no_worse.h"
#include "evolution/judge/correct/repeats.h"
#include "evolution/judge/data/poison.h"

namespace cupilot {
using namespace judge::cases;
using namespace judge::correct;
using namespace judge::data;
using namespace model;
using namespace spec;
namespace {

Bundle bundle() {
  Bundle made;
  for (const char *name : {"a", "b"}) {
    Parameter parameter;
    parameter.name = name;
    parameter.pointer = true;
    parameter.element = ElementType::f32;
    parameter.element_bytes = 4;
    made.parameters.push_back(parameter);
  }
  Case which;
  which.id = which.workload = "w";
  which.buffers = {{"a", BufferRole::out, 4, {}}, {"b", BufferRole::inout, 4, {}}};
  made.cases = {which};
  return made;
}

class OutputsTest : public testing::Test {
protected:
  Bundle bundle_ = bundle();
  CaseLayout layout_ = *make_layout(bundle_.parameters, bundle_.cases[0], Placement::base);
  std::vector<std::byte> expected_ = std::vector<std::byte>(layout_.dump_bytes), got_ = expected_;
  OutputCheck check() const {
    return check_outputs(bundle_, layout_, "w", "user", {expected_, spread_}, got_);
  }
  std::vector<CompareLimits> spread_;
  void put(std::vector<std::byte> &dump, std::size_t buffer, std::size_t index, float value) {
    std::memcpy(dump.data() + dump_offsets(layout_)[buffer] + 4 * index, &value, 4);
  }
};

TEST_F(OutputsTest, EqualDumpsGiveOneErrorEntryAnOutput) {
  EXPECT_TRUE(check().wrong.empty());
  EXPECT_EQ(check().errors.size(), 2u);
}

/// The original has no digits in the first eight elements, as where its squares overflow.
class WithoutDigitsTest : public testing::Test {
protected:
  static std::vector<std::byte> bytes(const std::vector<float> &values) {
    std::vector<std::byte> all(values.size() * sizeof(float));
    std::memcpy(all.data(), values.data(), all.size());
    return all;
  }
  bool passes(std::size_t index, float value) const {
    auto got = original_;
    got[index] = value;
    return is_no_worse(ElementType::f32, bytes(original_), exact_, bytes(got));
  }
  std::vector<float> exact_ = std::vector<float>(16, 1.5f), original_ = exact_;
  WithoutDigitsTest() { original_[3] = 6e35f, original_[4] = INFINITY; }
};

TEST_F(WithoutDigitsTest, NobodyHasToMeetTheErrorsOfTheOriginal) {
  EXPECT_TRUE(passes(3, 6e35f));
  EXPECT_TRUE(passes(3, 0));
  EXPECT_TRUE(passes(4, 1.5f));
  EXPECT_TRUE(passes(4, INFINITY));
  EXPECT_TRUE(passes(4, 0)) << "its steps overflowed: an accident, as the number beside it is";
  EXPECT_FALSE(passes(3, 5e36f)) << "further from the exact value than the original, eight times and more";
  EXPECT_FALSE(passes(3, NAN)) << "a number is expected";
  EXPECT_FALSE(passes(4, -INFINITY));
}

TEST_F(WithoutDigitsTest, WhereTheOriginalIsRightEverybodyHasToBe) {
  EXPECT_TRUE(passes(8, std::nextafter(1.5f, 2.0f)));
  EXPECT_FALSE(passes(8, 1.501f));
  EXPECT_FALSE(passes(15, 0));
  EXPECT_FALSE(passes(9, NAN));
  exact_[8] = INFINITY, original_[8] = INFINITY;
  EXPECT_FALSE(passes(8, 3e38f)) << "the result itself is not finite";
}

/// Elements of `struct { float mass; int cell; /* 4 bytes */ double weight[1]; }`.
class MemberOutputsTest : public OutputsTest {
protected:
  MemberOutputsTest() {
    bundle_.parameters[0].element = ElementType::opaque;
    bundle_.parameters[0].element_type = "Particle";
    bundle_.parameters[0].element_bytes = 24;
    bundle_.parameters[0].members = {{"mass", ElementType::f32, 0, 1},
                                     {"cell", ElementType::i32, 4, 1},
                                     {"weight", ElementType::f64, 16, 1}};
    layout_ = *make_layout(bundle_.parameters, bundle_.cases[0], Placement::base);
    expected_ = std::vector<std::byte>(layout_.dump_bytes);
    for (std::size_t i = 0; i < 4; ++i) {
      store(expected_, i, 0, 3.0f + static_cast<float>(i));
      store(expected_, i, 4, 7);
      store(expected_, i, 16, 5.0);
    }
    got_ = expected_;
  }
  template <class T>
  void store(std::vector<std::byte> &dump, std::size_t element, std::size_t offset, T value) {
    std::memcpy(dump.data() + dump_offsets(layout_)[0] + 24 * element + offset, &value, sizeof value);
  }
};

TEST_F(MemberOutputsTest, MembersAreComparedByTheirTypes) {
  EXPECT_EQ(check().errors.size(), 4u) << "three members, and the other output";
  store(got_, 2, 0, std::nextafter(5.0f, 6.0f));
  EXPECT_TRUE(check().wrong.empty()) << "one rounding of a float: " << check().wrong;
  store(got_, 2, 16, 5.0 + 1e-7);
  EXPECT_NE(check().wrong.find("output 'a.weight'"), std::string::npos) << "many roundings of a double";
  got_ = expected_;
  store(got_, 3, 4, 8);
  EXPECT_NE(check().wrong.find("output 'a.cell': 1 of 4"), std::string::npos) << check().wrong;
}

TEST_F(MemberOutputsTest, BytesBetweenMembersDoNotCount) {
  store(got_, 1, 8, std::uint64_t{0x1234567812345678});
  EXPECT_TRUE(check().wrong.empty());
  Repeats repeats{.runs = 1, .spread = {}, .differs = {}, .told = {}};
  add_repeat(repeats, bundle_, layout_, expected_, got_);
  EXPECT_TRUE(repeats.bitwise());
  store(got_, 1, 4, 9);
  add_repeat(repeats, bundle_, layout_, expected_, got_);
  EXPECT_FALSE(repeats.bitwise());
  EXPECT_EQ(repeats.told, "output 'a.cell', repeat 3");
}

TEST_F(MemberOutputsTest, NaNIsFoundInAMember) {
  EXPECT_FALSE(find_nan(bundle_, layout_, expected_));
  store(expected_, 1, 16, std::nan(""));
  EXPECT_EQ(find_nan(bundle_, layout_, expected_), "1 NaN in 'a.weight'");
}

TEST_F(OutputsTest, NamesTheWrongOutput) {
  put(expected_, 1, 2, 5);
  put(got_, 1, 2, 6);
  const auto check = this->check();
  EXPECT_NE(check.wrong.find("output 'b'"), std::string::npos);
  ASSERT_EQ(check.errors.size(), 1u);
  EXPECT_EQ(check.errors[0].parameter, "b");
  EXPECT_EQ(check.errors[0].worst_index, 2u);
}

TEST_F(OutputsTest, AnIllConditionedOutputMayMoveAsFarAsItsOriginalDoes) {
  // Cancellation: 1e-6 is left of terms around 1, so one rounding of the inputs changes a tenth of it.
  put(expected_, 0, 0, 1.0e-6f);
  put(got_, 0, 0, 1.3e-6f);
  EXPECT_FALSE(check().wrong.empty());
  auto moved = expected_;
  put(moved, 0, 0, 1.1e-6f);
  spread_ = output_spread(layout_, expected_, moved);
  EXPECT_NEAR(spread_[0].rms, 0.1, 1e-3);
  EXPECT_EQ(spread_[1].max, 0);
  EXPECT_TRUE(check().wrong.empty()) << check().wrong;
  put(got_, 0, 0, 9e-6f);
  EXPECT_FALSE(check().wrong.empty());
}

TEST_F(OutputsTest, WithATwinTheOriginalsOwnErrorIsTheMeasure) {
  put(expected_, 0, 0, 1.0f);
  put(got_, 0, 0, 1.0f + 20 * static_cast<float>(kEpsF32));
  EXPECT_TRUE(check().wrong.empty()) << "without one some tens of roundings pass";
  const std::vector<double> exact{1.0 + 0x1p-24, 0, 0, 0}, zeros(4);
  const auto first = std::span<const std::byte>(expected_).first(16);
  const auto second = std::span<const std::byte>(expected_).subspan(dump_offsets(layout_)[1], 16);
  const std::vector<KeptTwin> twin{keep_twin(ElementType::f32, first, std::as_bytes(std::span(exact))),
                                   keep_twin(ElementType::f32, second, std::as_bytes(std::span(zeros)))};
  const auto against = [&] {
    return check_outputs(bundle_, layout_, "w", "user", {expected_, {}, twin}, got_);
  };
  EXPECT_FALSE(against().wrong.empty());
  EXPECT_GT(against().errors[0].own_rms, 0);
  bundle_.precision = {PrecisionKind::relaxed, 1e-3, 0};
  EXPECT_TRUE(against().wrong.empty());
  EXPECT_NE(against().strict.find("output 'a'"), std::string::npos)
      << "what precision(same) says is kept apart";
}

TEST_F(OutputsTest, ARelaxedClauseHoldsWithoutATwin) {
  put(expected_, 0, 0, 1.0f);
  put(got_, 0, 0, 1.005f);
  EXPECT_FALSE(check().wrong.empty());
  bundle_.precision = {PrecisionKind::relaxed, 0.01, 0};
  EXPECT_TRUE(check().wrong.empty()) << check().wrong;
  put(got_, 0, 0, 1.02f);
  EXPECT_FALSE(check().wrong.empty());
}

TEST_F(OutputsTest, ASpreadThatReachesInfinityIsNone) {
  put(expected_, 0, 0, 1);
  auto moved = expected_;
  put(moved, 0, 0, __builtin_inff());
  EXPECT_EQ(output_spread(layout_, expected_, moved)[0].max, 0);
}

TEST_F(OutputsTest, PoisonIsNoNanOfTheOriginal) {
  for (std::size_t i = 0; i < got_.size(); i += 2) std::memcpy(&got_[i], &kPoison, 2);
  EXPECT_FALSE(find_nan(bundle_, layout_, got_));
  put(got_, 0, 1, __builtin_nanf(""));
  EXPECT_TRUE(find_nan(bundle_, layout_, got_));
}

TEST_F(OutputsTest, DescribesARun) {
  EXPECT_EQ(describe_run(bundle_, 0, "user", Placement::base), "workload 'w', inputs 'user'");
  EXPECT_NE(describe_run(bundle_, 0, "user", Placement::misaligned).find("one element past"),
            std::string::npos);
  EXPECT_NE(describe_run(bundle_, 0, "user", Placement::misaligned_four).find("4 elements past"),
            std::string::npos);
}

std::vector<std::byte> poisoned(std::size_t bytes, std::uint16_t pattern) {
  std::vector<std::byte> all(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    all[i] = static_cast<std::byte>(i & 1 ? pattern >> 8 : pattern & 0xff);
  return all;
}

TEST_F(OutputsTest, WhatNobodyWritesIsTheSameUnderBothPoisons) {
  expected_ = poisoned(expected_.size(), kPoison);
  got_ = poisoned(got_.size(), kOtherPoison);
  EXPECT_TRUE(has_unwritten(layout_, expected_));
  EXPECT_FALSE(check().wrong.empty());
  got_ = with_usual_poison(layout_, expected_, got_);
  EXPECT_TRUE(check().wrong.empty()) << check().wrong;
}

TEST_F(OutputsTest, WhatWasComputedFromPoisonDiffers) {
  put(expected_, 0, 1, 5);
  got_ = expected_;
  EXPECT_FALSE(has_unwritten(layout_, expected_));
  const auto other = poisoned(4, kOtherPoison);
  std::copy(other.begin(), other.end(), got_.begin() + 4);  // left unwritten where the original has a number
  got_ = with_usual_poison(layout_, expected_, got_);
  EXPECT_FALSE(check().wrong.empty());
}

TEST_F(OutputsTest, AProbeLooksForWhatIsMissing) {
  put(expected_, 0, 0, 4096);
  put(expected_, 0, 1, 3);
  got_ = expected_;
  put(got_, 0, 1, 3.0001f);
  EXPECT_TRUE(check_outputs(bundle_, layout_, "w", "impulse/a/3", {expected_, spread_}, got_).wrong.empty());
  put(got_, 0, 0, 1);
  EXPECT_FALSE(check_outputs(bundle_, layout_, "w", "impulse/a/3", {expected_, spread_}, got_).wrong.empty());
}

TEST(CopyOutputs, CopiesEveryByteAlsoInParts) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, (std::size_t{96} << 20) + 5}) {
    std::vector<std::byte> from(size), to(size);
    for (std::size_t i = 0; i < size; ++i) from[i] = static_cast<std::byte>(i * 31 + (i >> 20));
    copy_outputs(to.data(), from);
    EXPECT_TRUE(to == from) << size;
  }
}

}  // namespace
}  // namespace cupilot
