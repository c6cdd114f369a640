// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/flushing.h"

#include <gmock/gmock.h>

#include <vector>

#include "evolution/judge/correct/compare.h"
#include "evolution/judge/correct/compare_twin.h"

namespace cupilot {
using namespace judge::correct;
namespace {

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T> &values) {
  return std::as_bytes(std::span(values));
}

TEST(Flushing, ACountingDeviceAllowsWhatItCounted) {
  EXPECT_EQ(flushed_numbers({.counted = true, .flushed = 3, .atomics = true, .numbers = 100}), 3u);
  EXPECT_EQ(flushed_numbers({.counted = true, .flushed = 0, .atomics = true, .numbers = 100}), 0u);
}

TEST(Flushing, NoSumHasMoreThanItsTermsAndAsManyResults) {
  EXPECT_EQ(flushed_numbers({.counted = true, .flushed = 1000000, .atomics = true, .numbers = 100}), 200u);
}

TEST(Flushing, WhereNobodyCountsAtomicsAllowWhatAllTermsCanLose) {
  EXPECT_EQ(flushed_numbers({.atomics = true, .numbers = 100}), 200u);
  EXPECT_EQ(flushed_numbers({.atomics = false, .numbers = 100}), 0u);
}

TEST(Flushing, AnOriginalThatFlushesEverywhereAllowsAsMuch) {
  EXPECT_EQ(flushed_numbers({.counted = true, .original_ftz = true, .numbers = 100}), 200u);
}

TEST(Flushing, IsTold) {
  EXPECT_EQ(
      flushing_text(8 * kSmallestNormal),
      "deviations up to 9.4e-38 (8 x the smallest normal number) were allowed, since float atomics, or the "
      "original's own arithmetic, flush subnormal numbers");
}

constexpr auto kF32 = spec::ElementType::f32;

TEST(Flushing, ExplainsItsDeviationAndNoMore) {
  const std::vector<float> subnormal{0x1p-128f, -0x1p-127f, 0x1p-130f, 0x1p-126f}, zeros(4, 0.0f);
  EXPECT_FALSE(compare_output(kF32, bytes_of(subnormal), bytes_of(zeros)).ok);
  EXPECT_TRUE(compare_output(kF32, bytes_of(subnormal), bytes_of(zeros), {.flushed = kSmallestNormal}).ok);
  EXPECT_FALSE(
      compare_output(kF32, bytes_of(subnormal), bytes_of(zeros), {.flushed = kSmallestNormal / 2}).ok);
  const std::vector<double> exact(subnormal.begin(), subnormal.end());
  const KeptTwin twin = keep_twin(kF32, bytes_of(subnormal), bytes_of(exact));
  EXPECT_FALSE(compare_with_twin(kF32, bytes_of(subnormal), twin, bytes_of(zeros)).ok);
  EXPECT_TRUE(compare_with_twin(kF32, bytes_of(subnormal), twin, bytes_of(zeros), {}, kSmallestNormal).ok);
  EXPECT_FALSE(
      compare_with_twin(kF32, bytes_of(subnormal), twin, bytes_of(zeros), {}, kSmallestNormal / 2).ok);
}

TEST(Flushing, DoesNotHideAMissingNumber) {
  const std::vector<float> want{0x1p-128f, 1}, missing{NAN, 1}, other{0x1p-128f, 1.001f};
  EXPECT_FALSE(compare_output(kF32, bytes_of(want), bytes_of(missing), {.flushed = 1e-30}).ok);
  EXPECT_FALSE(compare_output(kF32, bytes_of(want), bytes_of(other), {.flushed = 1e-30}).ok);
}

}  // namespace
}  // namespace cupilot
