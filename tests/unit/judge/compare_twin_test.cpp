// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/compare_twin.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

#include "annotate/support/half.h"
#include "evolution/judge/data/element_type.h"
#include "special_floats.h"

namespace cupilot {
using namespace judge::correct;
using namespace judge::data;
using namespace spec;
namespace {

using testing::HasSubstr;

template <class T>
std::span<const std::byte> bytes(const std::vector<T> &values) {
  return std::as_bytes(std::span(values));
}

/// Products of sums of normal numbers, in double and as each way of computing gives them.
struct Sums {
  std::vector<double> exact;
  std::vector<float> serial, blocked, tf32, kahan;
};

float to_tf32(float value) {
  return float_from_bits((float_bits(value) + 0x1000u) & ~0x1fffu);
}

Sums sums(std::size_t count, int length) {
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  Sums all;
  for (std::size_t n = 0; n < count; ++n) {
    double exact = 0;
    float serial = 0, blocked = 0, part = 0, narrow = 0, kahan = 0, lost = 0;
    for (int i = 0; i < length; ++i) {
      const float a = normal(random), b = normal(random);
      exact += static_cast<double>(a) * b;
      serial += a * b;
      part += a * b;
      if (i % 64 == 63) blocked += part, part = 0;
      narrow += to_tf32(a) * to_tf32(b);
      const float term = a * b - lost, next = kahan + term;
      lost = (next - kahan) - term, kahan = next;
    }
    all.exact.push_back(exact), all.serial.push_back(serial), all.blocked.push_back(blocked + part);
    all.tf32.push_back(narrow), all.kahan.push_back(kahan);
  }
  return all;
}

KeptTwin kept(const std::vector<float> &original, const std::vector<double> &exact) {
  return keep_twin(ElementType::f32, bytes(original), bytes(exact));
}
CompareResult compare(const std::vector<float> &original, const KeptTwin &twin, const std::vector<float> &got,
                      const Precision &precision = {}) {
  return compare_with_twin(ElementType::f32, bytes(original), twin, bytes(got), precision);
}

TEST(CompareTwin, OtherOrdersPassAndNarrowOperandsDoNot) {
  for (const int length : {64, 4096}) {
    const Sums all = sums(2000, length);
    const KeptTwin twin = kept(all.serial, all.exact);
    EXPECT_GT(twin.own.rms, 0);
    EXPECT_LT(twin.own.rms, 1e-5);
    EXPECT_TRUE(compare(all.serial, twin, all.serial).ok);
    EXPECT_TRUE(compare(all.serial, twin, all.blocked).ok) << length;
    EXPECT_TRUE(compare(all.serial, twin, all.kahan).ok) << length;
    const auto narrow = compare(all.serial, twin, all.tf32);
    EXPECT_FALSE(narrow.ok) << length;
    EXPECT_GT(narrow.error.rms, 10 * narrow.error.rms_limit);
    EXPECT_THAT(narrow.reason,
                HasSubstr("root mean square error against the double-precision twin; the original's own"));
    EXPECT_THAT(narrow.reason, HasSubstr("less precise arithmetic than the original's"));
  }
}

TEST(CompareTwin, OwnErrorAndDifferenceGiveTheTwinBack) {
  const Sums all = sums(2000, 256);
  const KeptTwin twin = kept(all.serial, all.exact);
  std::vector<float> exact(all.exact.begin(), all.exact.end());
  const auto result = compare(all.serial, twin, exact);
  EXPECT_LT(result.error.rms, 4e-8) << "one rounding, and what the kept difference loses";
  EXPECT_EQ(twin.numbers, 2000u);
}

/// An output with the original's bits is not looked at element by element; one that differs in a single
/// zero's sign is.
TEST(CompareTwin, TheOriginalsBitsHaveTheOriginalsFigures) {
  Sums all = sums(2000, 64);
  all.exact[7] = 0, all.serial[7] = 0;
  const KeptTwin twin = kept(all.serial, all.exact);
  std::vector<float> looked_at = all.serial;
  looked_at[7] = -0.0f;
  const CompareResult equal = compare(all.serial, twin, all.serial),
                      seen = compare(all.serial, twin, looked_at);
  EXPECT_TRUE(equal.ok && seen.ok);
  EXPECT_NEAR(equal.error.rms, seen.error.rms, 0.01 * seen.error.rms);
  EXPECT_NEAR(equal.error.max, seen.error.max, 0.01 * seen.error.max);
  EXPECT_EQ(equal.error.worst_index, seen.error.worst_index);
  EXPECT_EQ(equal.error.own_rms, seen.error.own_rms);
}

TEST(CompareTwin, AnExactOriginalAllowsOneRounding) {
  const std::vector<double> exact{1, 2, 3, 4};
  const std::vector<float> original{1, 2, 3, 4};
  const KeptTwin twin = kept(original, exact);
  EXPECT_EQ(twin.own.rms, 0);
  EXPECT_TRUE(compare(original, twin, {1, std::nextafter(2.0f, 3.0f), 3, 4}).ok);
  EXPECT_FALSE(compare(original, twin, {1, 2.00001f, 3, 4}).ok);
}

TEST(CompareTwin, TheOriginalDecidesWhatIsNoNumber) {
  const std::vector<float> original{kNan, kInfinity, 1, -kInfinity};
  const std::vector<double> exact{0.5, 1e39, 1, -1e40};  // the twin does not overflow
  const KeptTwin twin = kept(original, exact);
  EXPECT_TRUE(compare(original, twin, original).ok);
  EXPECT_FALSE(compare(original, twin, {0.5f, kInfinity, 1, -kInfinity}).ok);
  EXPECT_FALSE(compare(original, twin, {kNan, 3e38f, 1, -kInfinity}).ok);
  EXPECT_FALSE(compare(original, twin, {kNan, kInfinity, 1, kInfinity}).ok);
  const auto unwritten = compare(original, twin, {kNan, kInfinity, kNan, -kInfinity});
  EXPECT_EQ(unwritten.missing, 1u);
  EXPECT_THAT(unwritten.reason, HasSubstr("never written"));
}

TEST(CompareTwin, WithoutATwinsNumberTheOriginalsStands) {
  const std::vector<float> original{1, 2};
  const KeptTwin twin = kept(original, {std::numeric_limits<double>::quiet_NaN(), 2});
  EXPECT_TRUE(compare(original, twin, {1, 2}).ok);
  EXPECT_FALSE(compare(original, twin, {1.5f, 2}).ok);
}

TEST(CompareTwin, HalfOutputsIncludeTheirLastRounding) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> exact(5000);
  std::vector<std::uint16_t> original, seldom, often, coarse;
  for (double &value : exact) {
    value = normal(random);
    const auto rounded = f16_from_float(static_cast<float>(value));
    original.push_back(rounded);
    seldom.push_back(static_cast<std::uint16_t>(rounded + (random() % 64 == 0)));
    often.push_back(static_cast<std::uint16_t>(rounded + (random() % 8 == 0)));
    coarse.push_back(static_cast<std::uint16_t>(rounded & 0xfff0));
  }
  const KeptTwin twin = keep_twin(ElementType::f16, bytes(original), bytes(exact));
  EXPECT_GT(twin.own.rms, kEpsF16 / 10);
  EXPECT_TRUE(compare_with_twin(ElementType::f16, bytes(original), twin, bytes(seldom)).ok);
  EXPECT_FALSE(compare_with_twin(ElementType::f16, bytes(original), twin, bytes(often)).ok)
      << "the original rounds once";
  EXPECT_FALSE(compare_with_twin(ElementType::f16, bytes(original), twin, bytes(coarse)).ok);
}

TEST(CompareTwin, ANarrowClauseAllowsWhatItsOperandsChange) {
  const Sums all = sums(2000, 64);
  KeptTwin twin = kept(all.serial, all.exact);
  const std::vector<double> rounded(all.tf32.begin(), all.tf32.end());
  twin.change = twin_change(ElementType::f32, bytes(all.serial), {bytes(all.exact), bytes(rounded)});
  EXPECT_FALSE(compare(all.serial, twin, all.tf32).ok) << "precision(same) does not look at it";
  EXPECT_TRUE(compare(all.serial, twin, all.tf32, {PrecisionKind::tf32, 0, 0}).ok);
  std::vector<float> coarse;
  for (const float value : all.serial) coarse.push_back(float_from_bf16(bf16_from_float(value * 1.03f)));
  const auto refused = compare(all.serial, twin, coarse, {PrecisionKind::tf32, 0, 0});
  EXPECT_FALSE(refused.ok);
}

TEST(CompareTwin, OnStructuredDataTheOrderOfASumMayBeUnlucky) {
  // Sums of equal terms: in a tree (the original), which loses next to nothing, and one after the other.
  std::vector<float> tree(32), serial(32);
  std::vector<double> exact(32);
  for (int row = 0; row < 32; ++row) {
    const float term = 0.36787944f + 0.001f * static_cast<float>(row);
    for (int i = 0; i < 4096; ++i) serial[row] += term;
    exact[row] = 4096 * static_cast<double>(term);
    tree[row] = static_cast<float>(exact[row]);
  }
  KeptTwin twin = kept(tree, exact);
  EXPECT_FALSE(compare(tree, twin, serial).ok);
  twin.least = same_precision_limits(ElementType::f32,
                                     {.structured = true, .spread = {}, .change = {}, .precision = {}});
  EXPECT_TRUE(compare(tree, twin, serial).ok);
  EXPECT_FALSE(compare(tree, twin, std::vector<float>(32)).ok);
}

TEST(CompareTwin, AnOriginalThatRoundsOnceIsKnown) {
  std::vector<float> rounded;
  std::vector<double> exact;
  for (int i = 0; i < 2000; ++i) {
    exact.push_back(1 + i / 7.0);
    rounded.push_back(static_cast<float>(exact.back()));
  }
  EXPECT_TRUE(rounds_once(ElementType::f32, kept(rounded, exact)));
  EXPECT_FALSE(rounds_once(
      ElementType::f32, kept({rounded.begin(), rounded.begin() + 500}, {exact.begin(), exact.begin() + 500})))
      << "too few to tell";
  rounded[77] = std::nextafter(rounded[77], 0.0f);
  EXPECT_FALSE(rounds_once(ElementType::f32, kept(rounded, exact)));
}

TEST(CompareTwin, ZeroHasNoSign) {
  const std::vector<float> original{0.0f, -0.0f, 1, 2}, got{-0.0f, 0.0f, 1, 2};
  const auto twin = kept(original, {0.0, -0.0, 1, 2});
  EXPECT_TRUE(compare_with_twin(ElementType::f32, bytes(original), twin, bytes(got), {}).ok);
}

TEST(CompareTwin, RelaxedIsElementByElement) {
  const std::vector<float> original{1, 2, 4, 0};
  const KeptTwin twin = kept(original, {1, 2, 4, 0});
  const Precision one_percent{PrecisionKind::relaxed, 0.01, 0};
  EXPECT_TRUE(compare(original, twin, {1.009f, 1.981f, 4.039f, 0}, one_percent).ok);
  EXPECT_FALSE(compare(original, twin, {1.011f, 2, 4, 0}, one_percent).ok);
  EXPECT_FALSE(compare(original, twin, {1, 2, 4, 0.001f}, one_percent).ok) << "nothing relative to zero";
  EXPECT_TRUE(compare(original, twin, {1, 2, 4, 0.001f}, {PrecisionKind::relaxed, 0, 0.01}).ok);
  const auto result = compare(original, twin, {1, 2, 4.2f, 0}, one_percent);
  EXPECT_EQ(result.error.worst_index, 2u);
  EXPECT_GT(result.error.max, result.error.max_limit);
}

TEST(CompareTwin, SubnormalsThatAreFlushedAreWrong) {
  std::vector<float> original, flushed;
  std::vector<double> exact;
  for (int i = 1; i <= 4000; ++i) {
    exact.push_back(0.75 * static_cast<double>(static_cast<float>(i) * 1e-42f));
    original.push_back(static_cast<float>(exact.back()));
    flushed.push_back(0);
  }
  const KeptTwin twin = kept(original, exact);
  EXPECT_TRUE(compare(original, twin, original).ok);
  EXPECT_FALSE(compare(original, twin, flushed).ok);
}

KeptTwin overflowing(const std::vector<float> &original, const std::vector<double> &exact,
                     const std::vector<double> &rounded) {
  KeptTwin twin = keep_twin(ElementType::f32, bytes(original), bytes(exact));
  twin.overflowed = find_overflowed(ElementType::f32, bytes(original), bytes(exact), bytes(rounded));
  return twin;
}

TEST(CompareTwin, WhereTheClauseLetsOperandsOverflowAnyOverflowIsRight) {
  const float inf = INFINITY;
  const std::vector<float> original{1, 2, 3, inf, 5};
  const std::vector<double> exact{1, 2, 3, 1e72, 5}, rounded{1, INFINITY, 3, INFINITY, 5};
  const KeptTwin twin = overflowing(original, exact, rounded);
  const auto ok = [&](const std::vector<float> &got, PrecisionKind kind) {
    return compare_with_twin(ElementType::f32, bytes(original), twin, bytes(got), {kind}).ok;
  };
  EXPECT_TRUE(ok({1, inf, 3, NAN, 5}, PrecisionKind::half));
  EXPECT_TRUE(ok({1, NAN, 3, -inf, 5}, PrecisionKind::half));
  EXPECT_TRUE(ok({1, 2, 3, inf, 5}, PrecisionKind::half));
  EXPECT_FALSE(ok({1, 7, 3, inf, 5}, PrecisionKind::half)) << "a number there is compared";
  EXPECT_FALSE(ok({1, 2, inf, inf, 5}, PrecisionKind::half)) << "nothing overflowed here";
  EXPECT_FALSE(ok({1, 2, 3, 4, 5}, PrecisionKind::half));
  EXPECT_FALSE(ok({1, inf, 3, inf, 5}, PrecisionKind::same));
  EXPECT_FALSE(ok({1, 2, 3, NAN, 5}, PrecisionKind::same));
}

TEST(CompareTwin, SmallNumbersKeepTheirSizeWhereTheOriginalsDo) {
  const std::vector<float> original{1, 3e-9f, 1e-30f, 1e-40f};
  const std::vector<double> exact{1, 3e-9, 1e-30, 1.1e-40};
  const KeptTwin twin = keep_twin(ElementType::f32, bytes(original), bytes(exact));
  const auto result = [&](const std::vector<float> &got, const Precision &precision = {}) {
    return compare_with_twin(ElementType::f32, bytes(original), twin, bytes(got), precision);
  };
  EXPECT_TRUE(result({1, 3.1e-9f, 1.05e-30f, 0}).ok) << "a few per cent of them, and no subnormal ones";
  EXPECT_FALSE(result({1, 0, 1e-30f, 0}).ok);
  EXPECT_NE(result({1, 3e-9f, 0, 0}).reason.find("has to keep its size"), std::string::npos);
  EXPECT_TRUE(result({1, 0, 0, 0}, {PrecisionKind::half, 0, 0}).ok);
  const std::vector<float> cancelled{1, 2.9e-9f, 1e-30f, 0};
  const KeptTwin rough = keep_twin(ElementType::f32, bytes(cancelled), bytes(exact));
  EXPECT_TRUE(
      compare_with_twin(ElementType::f32, bytes(cancelled), rough, bytes(std::vector<float>(original))).ok)
      << "the original's own are off";
  EXPECT_TRUE(
      compare_with_twin(ElementType::f32, bytes(cancelled), rough, bytes(std::vector<float>{1, 0, 0, 0})).ok);
}

TEST(CompareTwin, WhatSumsLeaveMovesWithTheInputsHoweverExactTheOriginalIs) {
  // 1.5 * 2^-28 is left of numbers around 1: the original is right there by chance, another order has 0.
  const std::vector<float> original{1, 0x1.8p-28f, 3e-9f, 2, 1e-40f, 0};
  const auto share = [&](std::vector<float> moved) {
    return moved_share(ElementType::f32, 1, bytes(original), bytes(moved));
  };
  EXPECT_EQ(share(original), 0);
  EXPECT_EQ(share({1, 0, 3e-9f, 2, 1e-40f, 0}), 1);
  EXPECT_EQ(share({1, -0x1.8p-28f, 3e-9f, 2, 1e-40f, 0}), 2);
  EXPECT_LT(share({1.1f, 0x1.800002p-28f, 3.0001e-9f, 2.5f, 0, 1e-41f}), 1e-4) << "each keeps its size";
  EXPECT_EQ(share({1, 0x1.8p-28f, 3e-9f, 0, 1e-40f, 0.5f}), 0) << "a condition that came out otherwise";
  EXPECT_EQ(share({1, 0x1.8p-28f, NAN, 2, 1e-40f, 0}), 0);
}

TEST(CompareTwin, SmallNumbersBesideLargeOnesAreMeasuredByTheirNeighbours) {
  Sums all = sums(512, 256);
  for (std::size_t i = 0; i < all.exact.size(); ++i)
    if (i / 64 % 2 == 1)
      all.exact[i] *= 0x1p40, all.serial[i] *= 0x1p40f, all.blocked[i] *= 0x1p40f, all.kahan[i] *= 0x1p40f;
  const KeptTwin twin = kept(all.serial, all.exact);
  EXPECT_TRUE(compare(all.serial, twin, all.blocked).ok);
  EXPECT_TRUE(compare(all.serial, twin, all.kahan).ok);
  std::vector<float> fixed = all.serial;  // in units of 2^-6: nothing beside 2^40
  for (float &value : fixed) value = std::round(value * 0x1p6f) * 0x1p-6f;
  const auto result = compare(all.serial, twin, fixed);
  EXPECT_FALSE(result.ok);
  EXPECT_LT(result.error.max, 1e-12) << "of the whole output";
  EXPECT_THAT(result.reason, HasSubstr("elements are wrong"));
}

/// The neighbours of a walk are small together near its zeros, and the original's errors walk, too.
TEST(CompareTwin, ASmoothOutputMayPassThroughZero) {
  constexpr int kSteps = 1 << 15, kWalks = 16, kBlock = 2048;
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<double> exact;
  std::vector<float> serial, blocked;
  for (int walk = 0; walk < kWalks; ++walk) {
    double sum = 0;
    float one = 0, before = 0, part = 0;
    for (int i = 0; i < kSteps; ++i) {
      const float term = normal(random);
      if (i % kBlock == 0) before += part, part = 0;
      sum += static_cast<double>(term), one += term, part += term;
      exact.push_back(sum), serial.push_back(one), blocked.push_back(before + part);
    }
  }
  const auto result = compare(blocked, kept(blocked, exact), serial);
  EXPECT_TRUE(result.ok) << result.reason;
}

TEST(CompareTwin, AnOriginalWhoseZerosAreRoundingErrorsKeepsNoSizes) {
  std::vector<float> original(2000, 1.0f), got = original;
  std::vector<double> exact(2000, 1.0);
  original[5] = 2.3e-3f, exact[5] = 0;
  got[5] = -1.7e-3f;
  EXPECT_FALSE(keeps_sizes(ElementType::f32, kept(original, exact), {}));
  const auto result = compare_with_twin(ElementType::f32, bytes(original), kept(original, exact), bytes(got));
  EXPECT_TRUE(result.ok) << result.reason;
}

TEST(CompareTwin, AFewStructuredSumsMayCancelByLuck) {
  const std::vector<float> original{8518, 2.13e-8f};
  const std::vector<double> exact{8518.001, 2.13e-8};
  KeptTwin twin = keep_twin(ElementType::f32, bytes(original), bytes(exact));
  const std::vector<float> another{8518, -2.3e-5f};
  EXPECT_FALSE(compare_with_twin(ElementType::f32, bytes(original), twin, bytes(another)).ok);
  twin.least = same_precision_limits(ElementType::f32, {.structured = true});
  EXPECT_TRUE(compare_with_twin(ElementType::f32, bytes(original), twin, bytes(another)).ok);
}

TEST(CompareTwin, SumsOfWholeNumbersMayCancelAnotherWay) {
  std::vector<float> original(2000, 280.0f), got = original;
  std::vector<double> exact(2000, 280.0);
  original[5] = 1.78813934e-7f, exact[5] = 1.78813934e-7, got[5] = 0;
  KeptTwin twin = kept(original, exact);
  EXPECT_FALSE(compare_with_twin(ElementType::f32, bytes(original), twin, bytes(got)).ok);
  twin.cancels = true;
  EXPECT_TRUE(compare_with_twin(ElementType::f32, bytes(original), twin, bytes(got)).ok);
}

TEST(CompareTwin, WhatRoundingChangesIsNotHiddenByAnOverflow) {
  const std::vector<float> original{1, 2, INFINITY};
  const std::vector<double> exact{1, 2, 1e72}, rounded{1.004, 2.004, 1e72};
  const CompareLimits change = twin_change(ElementType::f32, bytes(original), {bytes(exact), bytes(rounded)});
  EXPECT_NEAR(change.rms, 0.004 / std::sqrt(2.5), 1e-6);
}

// In a single product the roundings of two operands may cancel: 3e-3 - 3e-3.
TEST(CompareTwin, RoundingOfOneOperandCountsByItself) {
  const std::vector<float> original{1, 2};
  const std::vector<double> exact{1, 2}, rounded{1, 2.001}, first{1.003, 2};
  const auto change = [&](std::vector<std::span<const std::byte>> alone) {
    return twin_change(ElementType::f32, bytes(original), {bytes(exact), bytes(rounded), std::move(alone)});
  };
  EXPECT_NEAR(change({}).rms, 0.001 / std::sqrt(5), 1e-6);
  EXPECT_NEAR(change({bytes(first)}).rms, std::sqrt((2 * 0.003 * 0.003 + 0.001 * 0.001) / 5), 1e-6);
}

TEST(CompareTwin, TheExactResultIsRightWhereOnlyTheOriginalOverflowed) {
  const std::vector<float> original{1, INFINITY, NAN};
  const std::vector<double> exact{1, 1e30, 2e30};
  const KeptTwin twin = overflowing(original, exact, {});
  const auto ok = [&](const std::vector<float> &got) {
    return compare_with_twin(ElementType::f32, bytes(original), twin, bytes(got)).ok;
  };
  EXPECT_TRUE(ok({1, 1e30f, 2e30f}));
  EXPECT_TRUE(ok(original));
  EXPECT_FALSE(ok({1, 1.1e30f, 2e30f}));
  EXPECT_FALSE(ok({1, NAN, NAN}));
}

}  // namespace
}  // namespace cupilot
