// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/session/host_fill.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "evolution/judge/data/poison.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::session;
using namespace cupilot::judge::data;
using namespace cupilot::spec;
namespace {

template <class T>
std::vector<T> filled(ElementType type, const InputRule &rule) {
  std::vector<T> values(rule.count);
  fill_input(std::as_writable_bytes(std::span(values)), type, rule);
  return values;
}

TEST(HostFill, MakesWhatTheRuleSays) {
  InputRule rule{InputShape::normal, 0, 1, 200'000, 7};
  const auto values = filled<float>(ElementType::f32, rule);
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{99'999}, values.size() - 1})
    EXPECT_EQ(values[i], static_cast<float>(input_value(rule, i))) << "whichever thread made it";
}

TEST(HostFill, IntegersWrapAndHalvesRound) {
  EXPECT_EQ(filled<std::int32_t>(ElementType::i32, {InputShape::iota, 0, 0, 5})[4], 4);
  const auto bytes = filled<std::uint8_t>(ElementType::boolean, {InputShape::randint, 0, 2, 64, 3});
  for (const auto byte : bytes) EXPECT_LE(byte, 1);
  EXPECT_EQ(filled<std::uint16_t>(ElementType::f16, {InputShape::one_hot, 0, 0, 1, 0})[0], 0x3c00);
}

TEST(HostFill, SignallingNansArriveAsTheirBits) {
  bool signals = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const std::uint32_t bits :
         filled<std::uint32_t>(ElementType::f32, {InputShape::nans, 0, 0, 4, seed}))
      signals = signals || ((bits & 0x7fc00000u) == 0x7f800000u && (bits & 0x3fffffu));
  EXPECT_TRUE(signals);
}

TEST(HostFill, RoughlyIsExactWhereThePlaceMatters) {
  const InputRule rule{InputShape::iota, 0, 0, 1 << 17};
  std::vector<std::int32_t> values(rule.count);
  fill_roughly(std::as_writable_bytes(std::span(values)), ElementType::i32, rule);
  EXPECT_EQ(values.back(), (1 << 17) - 1) << "an index must stay an index";
}

TEST(HostFill, RoughlyRepeatsTheRest) {
  const InputRule rule{InputShape::normal, 0, 1, (1 << 17) + 5, 7};
  std::vector<float> values(rule.count);
  fill_roughly(std::as_writable_bytes(std::span(values)), ElementType::f32, rule);
  EXPECT_EQ(values[3], static_cast<float>(input_value(rule, 3)));
  EXPECT_EQ(values[(1 << 16) + 3], values[3]);
  EXPECT_EQ(values.back(), values[4]) << "also in the last, shorter stretch";
}

TEST(HostFill, LargeBuffersAreViewsOfOneStretch) {
  const std::size_t bytes = (20 << 20) + 4096 + 12;
  auto *memory = static_cast<std::byte *>(
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  const std::span<std::byte> all(memory, bytes);
  const auto at = [&](std::size_t index) {
    float value = 0;
    std::memcpy(&value, memory + index * sizeof value, sizeof value);
    return value;
  };
  fill_roughly(all, ElementType::f32, {InputShape::normal, 0, 1, bytes / sizeof(float), 7});
  const InputRule rule{InputShape::normal, 0, 1, 1, 7};
  EXPECT_EQ(at(3), static_cast<float>(input_value(rule, 3)));
  EXPECT_EQ(at((1 << 16) * 40 + 3), at(3));
  EXPECT_EQ(at(bytes / 4 - 1), at((bytes / 4 - 1) % 1024)) << "also behind the last whole page";
  memory[(1 << 18) * 3] = std::byte{0x55};
  EXPECT_NE(memory[(1 << 18) * 4], std::byte{0x55}) << "writing to one view leaves the others alone";
  ::munmap(memory, bytes);
}

TEST(HostFill, PatternsStartAtTheFirstByte) {
  std::vector<std::byte> bytes(7);
  fill_pattern(bytes, kPoison);
  EXPECT_EQ(bytes[0], std::byte{0xb6});
  EXPECT_EQ(bytes[6], std::byte{0xb6});
  EXPECT_EQ(pattern_mismatches(bytes, kPoison), 0u);
  bytes[3] = std::byte{0};
  EXPECT_EQ(pattern_mismatches(bytes, kPoison), 1u);
}

TEST(HostFill, TheHashSeesEveryByteAndItsPlace) {
  std::vector<std::byte> bytes(21);
  const auto before = hash_bytes(bytes);
  bytes[20] = std::byte{1};
  const auto last = hash_bytes(bytes);
  EXPECT_NE(last, before);
  bytes[20] = std::byte{0}, bytes[19] = std::byte{1};
  EXPECT_NE(hash_bytes(bytes), last);
}

}  // namespace
}  // namespace cupilot::emulate
