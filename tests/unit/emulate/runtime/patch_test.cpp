// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/runtime/preload/patch.h"

#include <gtest/gtest.h>

namespace {

// The volatile keeps the compiler from knowing the answers, and the functions long enough.
volatile int seven = 7;
extern "C" __attribute__((noinline, noclone, aligned(16))) int patched_first(int x) {
  return x * seven + seven * (x - seven);
}
extern "C" __attribute__((noinline, noclone, aligned(16))) int patched_second(int x) {
  return x - seven * seven + x * seven;
}
extern "C" __attribute__((noinline, noclone)) int instead_of_both(int x) {
  return x + 1000 * seven;
}

}  // namespace

namespace cupilot::emulate {
using namespace cupilot::emulate::runtime::preload;
namespace {

TEST(Patch, FunctionsJumpToTheOther) {
  int (*volatile first)(int) = patched_first;
  int (*volatile second)(int) = patched_second;
  ASSERT_EQ(first(10), 91);
  ASSERT_EQ(second(10), 31);
  const Patch patches[] = {
      {reinterpret_cast<void *>(patched_first), reinterpret_cast<const void *>(instead_of_both)},
      {reinterpret_cast<void *>(patched_second), reinterpret_cast<const void *>(instead_of_both)}};
  ASSERT_TRUE(apply_patches(patches));
  EXPECT_EQ(first(10), 7010);
  EXPECT_EQ(second(1), 7001);
}

TEST(Patch, NothingToDoIsFine) {
  EXPECT_TRUE(apply_patches({}));
}

}  // namespace
}  // namespace cupilot::emulate
