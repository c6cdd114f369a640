// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot::capture {
namespace {

std::string first(const std::vector<std::int64_t> &targets, const std::vector<Column> &columns, Sought sought,
                  std::int64_t block = 1) {
  const auto found = expressions_for(targets, columns, sought, block);
  return found.empty() ? "" : found[0];
}

const std::vector<Column> kRows{{"rows", {8192, 100}}, {"cols", {4096, 33}}};

TEST(ExpressionsFor, ExtentsAreProductsOfNames) {
  EXPECT_EQ(first({8192 * 4096, 3300}, kRows, Sought::extent), "rows * cols");
  EXPECT_EQ(first({4096, 33}, kRows, Sought::extent), "cols");
  EXPECT_EQ(first({8193, 101}, kRows, Sought::extent), "rows + 1");
  EXPECT_EQ(first({3 * 8192, 300}, kRows, Sought::extent), "3 * rows");
  EXPECT_EQ(first({8193 * 4096, 101 * 33}, kRows, Sought::extent), "(rows + 1) * cols");
  EXPECT_EQ(first({8192 + 4096, 133}, kRows, Sought::extent), "rows + cols");
  EXPECT_EQ(first({7, 7}, kRows, Sought::extent), "7");
  EXPECT_EQ(first({7, 8}, kRows, Sought::extent), "");
}

TEST(ExpressionsFor, FourFactorsInTheOrderOfTheColumns) {
  const std::vector<Column> image{{"n", {8, 3}}, {"c", {16, 5}}, {"h", {32, 7}}, {"w", {64, 9}}};
  EXPECT_EQ(first({8 * 16 * 32 * 64, 3 * 5 * 7 * 9}, image, Sought::extent), "n * c * h * w");
}

TEST(ExpressionsFor, OneLaunchPrefersWhatIsSimple) {
  const std::vector<Column> one{{"n", {4096}}, {"m", {64}}};
  EXPECT_EQ(first({4096}, one, Sought::extent), "n");  // not m * m
  EXPECT_EQ(first({1}, one, Sought::extent), "1");
  EXPECT_EQ(first({64 * 64}, {{"height", {64}}, {"width", {64}}}, Sought::extent), "height * width");
  EXPECT_EQ(first({12345}, one, Sought::extent), "12345");
  EXPECT_EQ(first({16}, {{"batch", {1}}}, Sought::extent), "16");  // not 16 * batch
}

TEST(ExpressionsFor, GridsRoundUp) {
  EXPECT_EQ(first({32, 1}, kRows, Sought::blocks, 256), "(rows + 255) / 256");
  EXPECT_EQ(first({8192, 100}, kRows, Sought::blocks, 256), "rows");
  EXPECT_EQ(first({8192 * 16, 100}, kRows, Sought::blocks, 256), "rows * ((cols + 255) / 256)");
  EXPECT_EQ(first({264, 264}, kRows, Sought::blocks, 256), "264");
  EXPECT_EQ(first({2048, 25}, kRows, Sought::blocks, 32), "(rows + 3) / 4");
}

TEST(ExpressionsFor, ThreadsAreNumbersUnlessTheyVary) {
  EXPECT_EQ(first({256}, {{"n", {256}}}, Sought::threads), "256");
  EXPECT_EQ(first({4096, 33}, kRows, Sought::threads), "cols");
  EXPECT_EQ(first({4 * 4096, 132}, kRows, Sought::threads), "4 * cols");
}

TEST(ExpressionsFor, OverflowIsNoExpression) {
  const std::vector<Column> huge{{"a", {std::int64_t{1} << 40, 1}}, {"b", {std::int64_t{1} << 40, 1}}};
  EXPECT_EQ(first({5, 9}, huge, Sought::extent), "");
}

}  // namespace
}  // namespace cupilot::capture
