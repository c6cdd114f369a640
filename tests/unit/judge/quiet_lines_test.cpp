// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/quiet_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace judge::screen;
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(QuietLines, DeclinesAreQuietWithTheirConditions) {
  const auto lines = quiet_lines(R"(bool launch(const Launch &l, int n, int k) {
  if (n <= 0 || k == 7) return false;
  if (n > 4096 &&
      k != 3) {
    return false;
  }
  switch (k) {
    case 5: return false;
    default:
      return false;
  }
  if (n == 160) { run(); return false; }
  int grid = 1; if (k) return false;
  if (k > 8)
    grid = 2;
  else
    return false;
  return true;
})");
  EXPECT_THAT(lines.declines, ElementsAre(2, 3, 4, 5, 6, 8, 10, 17));
}

TEST(QuietLines, AConditionThatChangesSomethingIsNotQuiet) {
  const auto lines = quiet_lines(R"(bool launch(const Launch &l, int n) {
  int grid = 1;
  if (n == 160 && (grid = 2) > 3) return false;
  if (n == 160 && ++grid > 3) return false;
  if (n >= 160 && n <= 200 && n != 170 && n == 160) return false;
  return true;
})");
  EXPECT_THAT(lines.declines, ElementsAre(5));
}

TEST(QuietLines, OtherFunctionsDeclineOnlyWhenTheirResultIsReturned) {
  const auto lines = quiet_lines(R"(template <int kRows>
bool run(const Launch &l, int n) {
  if (n % kRows)
    return false;
  return true;
}
bool is_odd(int n) {
  if (n == 160)
    return false;
  return true;
}
bool negated(int n) {
  return false;
}
bool launch(const Launch &l, int n) {
  const auto small = [&](int m) {
    return false;
  };
  if (is_odd(n)) return run<1>(l, n);
  if (!negated(n)) return true;
  return n > 8 ? run<8>(l, n) : run<4>(l, n);
})");
  EXPECT_THAT(lines.declines, ElementsAre(3, 4));
}

TEST(QuietLines, KnowsQuestionsForAStatus) {
  const auto lines = quiet_lines(R"(bool launch(const Launch &l, int n) {
  const cudaError_t known = cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 9);
  cudaError_t forged = static_cast<cudaError_t>(n - 160);
  int grid = 1;
  if (known != cudaSuccess) grid = 2;
  if (forged == cudaSuccess) grid = 3;
  if (n == cudaSuccess) grid = 4;
  return cudaLaunchKernelEx(&config,
                            k, n) == cudaSuccess;
})");
  EXPECT_THAT(lines.status, ElementsAre(Pair(5, 1), Pair(8, 1), Pair(9, 1)));
}

TEST(QuietLines, ATextThatEndsAnywhereIsRead) {
  const std::string text =
      "bool launch(int n) { if (n == cudaSuccess) { return false; } auto f = [&](int) { return 1; }; }";
  for (std::size_t end = 0; end <= text.size(); ++end) (void)quiet_lines(text.substr(0, end));
  EXPECT_THAT(quiet_lines("").declines, IsEmpty());
}

}  // namespace
}  // namespace cupilot
