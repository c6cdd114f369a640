// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/memory/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "evolution/emulate/memory/machine_memory.h"
#include "tests/resident_memory.h"

namespace cupilot::emulate {
using namespace cupilot::emulate::memory;
namespace {

using testing::HasSubstr;

std::unique_ptr<Memory> make(std::uint64_t capacity = 64 << 20) {
  auto memory = Memory::make(capacity);
  EXPECT_TRUE(memory.has_value()) << memory.error().message;
  return std::move(*memory);
}

const std::uint8_t *bytes_at(std::uint64_t address) {
  return reinterpret_cast<const std::uint8_t *>(address);
}

TEST(Memory, AllocatesApartAlignedAndPoisoned) {
  auto memory = make();
  const auto a = memory->allocate(100, "'a'"), b = memory->allocate(3 << 20, "'b'"),
             c = memory->allocate(5, "'c'");
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(*a % 256, 0u);
  EXPECT_EQ(*b % 256, 0u);
  EXPECT_GE(*b, *a + 100 + Memory::kApart);
  EXPECT_GE(*c, *b + (3 << 20) + Memory::kApart);
  for (std::uint64_t at : {*a, *a + 99, *b, *b + (3 << 20) - 1, *c + 4})
    EXPECT_EQ(*bytes_at(at), Memory::kPoisonByte);
  *reinterpret_cast<std::uint8_t *>(*b + 4096) = 7;  // copy-on-write: the rest stays poison
  EXPECT_EQ(*bytes_at(*b + 4097), Memory::kPoisonByte);
  const auto other = memory->allocate(3 << 20, "'d'");
  EXPECT_EQ(*bytes_at(*other + 4096), Memory::kPoisonByte);
}

TEST(Memory, FindsWhatContainsAnAddress) {
  auto memory = make();
  const auto a = memory->allocate(100, "'a'");
  ASSERT_NE(memory->find(*a + 99), nullptr);
  EXPECT_EQ(memory->find(*a + 99)->label, "'a'");
  EXPECT_EQ(memory->find(*a + 100), nullptr);
  EXPECT_EQ(memory->find(*a - 1), nullptr);
  EXPECT_EQ(memory->find(0), nullptr);
}

TEST(Memory, RemembersFreedOnesForMessages) {
  auto memory = make();
  const auto a = memory->allocate(100, "'a'");
  ASSERT_TRUE(memory->free(*a));
  EXPECT_EQ(memory->find(*a), nullptr);
  const auto near = memory->nearest(*a + 10);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->label, "'a'");
  EXPECT_FALSE(near->live);
  EXPECT_EQ(memory->used(), 0u);
}

TEST(Memory, NearestPrefersTheCloserSide) {
  auto memory = make();
  const auto a = memory->allocate(100, "'a'"), b = memory->allocate(100, "'b'");
  EXPECT_EQ(memory->nearest(*a + 110)->label, "'a'");
  EXPECT_EQ(memory->nearest(*b - 8)->label, "'b'");
}

TEST(Memory, LargerOnesStandFurtherApart) {
  auto memory = make();
  const auto a = memory->allocate(8192, "'a'"), b = memory->allocate(100, "'b'");
  EXPECT_GE(*b, *a + 2 * 8192);
  EXPECT_EQ(memory->nearest(*a + 8192 + 6000)->label, "'a'");
}

TEST(Memory, WrongFreesAreErrors) {
  auto memory = make();
  const auto a = memory->allocate(100, "'a'");
  EXPECT_THAT(memory->free(*a + 4).error().message, HasSubstr("4 bytes inside of 'a' (100 bytes)"));
  EXPECT_THAT(memory->free(12345).error().message, HasSubstr("never allocated"));
  ASSERT_TRUE(memory->free(*a));
  EXPECT_THAT(memory->free(*a).error().message, HasSubstr("second free of 'a'"));
}

TEST(Memory, SaysHowMuchIsLeft) {
  auto memory = make(16 << 20);
  ASSERT_TRUE(memory->allocate(10 << 20, "'a'"));
  const auto b = memory->allocate(7 << 20, "'b'");
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().message,
            "cannot allocate 7 MiB for 'b': the emulated device has 16 MiB, 10 MiB of it in use");
  EXPECT_FALSE(memory->allocate(~std::uint64_t{0}, "'c'"));
  EXPECT_THAT(Memory::make(std::uint64_t{1} << 60).error().message, HasSubstr("ask for less"));
}

TEST(Memory, TracksWrittenBytesWhenAsked) {
  auto memory = make();
  const auto a = memory->allocate(100, "'a'", true), b = memory->allocate(100, "'b'");
  const WrittenBits &written = memory->find(*a)->written;
  EXPECT_FALSE(written.all(0, 1));
  EXPECT_FALSE(memory->find(*b)->written);  // not tracked: everything counts as written
  memory->mark_written(*a, 50);
  memory->mark_written(*a + 60, 1000);  // beyond the end: what is there
  EXPECT_TRUE(written.all(10, 40));
  EXPECT_FALSE(written.all(0, 60));
  EXPECT_TRUE(written.all(60, 40));
}

TEST(Memory, ScratchIsUnwrittenAtEveryLaunch) {
  auto memory = make();
  const auto a = memory->allocate(100, "scratch 't'", true), b = memory->allocate(100, "'b'", true);
  memory->mark_written(*a, 100);
  memory->mark_written(*b, 100);
  memory->begin_launch();
  EXPECT_FALSE(memory->find(*a)->written.all(0, 1));
  EXPECT_TRUE(memory->find(*b)->written.all(0, 100));
}

TEST(Memory, UsesPlacesAgainWhenAddressesRunOut) {
  auto memory = make(16 << 20);  // 1 GiB of addresses
  const auto kept = memory->allocate(1000, "'kept'");
  *reinterpret_cast<std::uint8_t *>(*kept) = 42;
  for (int i = 0; i < 400; ++i) {
    const auto a = memory->allocate(12 << 20, "'a'"), small = memory->allocate(40000, "'s'");
    ASSERT_TRUE(a && small) << i << ": " << (a ? small : a).error().message;
    EXPECT_EQ(*bytes_at(*a + 12345), Memory::kPoisonByte);
    *reinterpret_cast<std::uint8_t *>(*a + 12345) = 1;
    ASSERT_EQ(memory->find(*kept)->label, "'kept'");
    ASSERT_TRUE(memory->free(*a) && memory->free(*small));
  }
  EXPECT_EQ(*bytes_at(*kept), 42);
}

TEST(Memory, ManySmallOnesDoNotGrowForever) {
  auto memory = make(16 << 20);
  std::uint64_t highest = 0;
  for (int i = 0; i < 50000; ++i) {
    const auto a = memory->allocate(24, "'a'");
    ASSERT_TRUE(a);
    highest = std::max(highest, *a);
    ASSERT_TRUE(memory->free(*a));
  }
  EXPECT_LT(highest - memory->begin(), 8u << 20);
}

TEST(Memory, LargeAllocationsAreCheapUntilTouched) {
  if (machine_memory_bytes() < (std::uint64_t{4} << 30)) GTEST_SKIP();
  auto memory = make(std::uint64_t{2} << 30);
  const std::uint64_t before = resident_bytes();
  ASSERT_TRUE(memory->allocate(std::uint64_t{1} << 30, "'a'"));
  EXPECT_LT(resident_bytes(), before + (64u << 20));
}

TEST(Memory, ThreadsAllocateAndFind) {
  auto memory = make();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        const auto a = memory->allocate(64, "'a'", true);
        ASSERT_TRUE(a);
        memory->mark_written(*a, 64);
        EXPECT_TRUE(memory->find(*a) != nullptr && memory->find(*a)->written.all(0, 64));
        ASSERT_TRUE(memory->free(*a));
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(memory->used(), 0u);
}

TEST(MemoryText, ReadsWell) {
  EXPECT_EQ(memory_text(17), "17 bytes");
  EXPECT_EQ(memory_text(1536), "1.5 KiB");
  EXPECT_EQ(memory_text(std::uint64_t{3} << 30), "3 GiB");
}

}  // namespace
}  // namespace cupilot::emulate
