// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/memory/written_bits.h"

#include <gtest/gtest.h>

namespace cupilot::emulate {
using namespace cupilot::emulate::memory;
namespace {

TEST(WrittenBits, KnowsEveryByte) {
  WrittenBits bits(300);
  EXPECT_EQ(bits.first_clear(0, 300), 0u);
  bits.set(3, 1);
  bits.set(60, 200);
  EXPECT_TRUE(bits.all(60, 200));
  EXPECT_FALSE(bits.all(59, 2));
  EXPECT_EQ(bits.first_clear(100, 200), 160u);
  EXPECT_EQ(bits.first_clear(3, 2), 1u);
  bits.clear();
  EXPECT_EQ(bits.first_clear(60, 5), 0u);
}

TEST(WrittenBits, WholeWords) {
  WrittenBits bits(256);
  bits.set(0, 128);
  EXPECT_TRUE(bits.all(0, 128));
  EXPECT_EQ(bits.first_clear(64, 128), 64u);
}

TEST(WrittenBits, UntrackedIsFalse) {
  EXPECT_FALSE(WrittenBits());
  EXPECT_TRUE(WrittenBits(1));
}

}  // namespace
}  // namespace cupilot::emulate
