// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/text/unified_diff.h"

#include <gtest/gtest.h>

namespace cupilot::cli {
using namespace cupilot::cli::text;
namespace {

TEST(UnifiedDiff, EqualTextsHaveNone) {
  EXPECT_EQ(unified_diff("a\nb\n", "a\nb\n", "x", "y"), "");
  EXPECT_EQ(unified_diff("", "", "x", "y"), "");
}

TEST(UnifiedDiff, SaysOneChangeWithItsContext) {
  EXPECT_EQ(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "c0001", "c0002"),
            "--- c0001\n+++ c0002\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, PartsDistantChanges) {
  std::string before, after;
  for (int i = 1; i <= 20; ++i) {
    before += std::to_string(i) + "\n";
    if (i != 3) after += std::to_string(i) + "\n";
    if (i == 17) after += "new\n";
  }
  EXPECT_EQ(unified_diff(before, after, "a", "b"),
            "--- a\n+++ b\n@@ -1,6 +1,5 @@\n 1\n 2\n-3\n 4\n 5\n 6\n"
            "@@ -15,6 +14,7 @@\n 15\n 16\n 17\n+new\n 18\n 19\n 20\n");
}

TEST(UnifiedDiff, FromAndToNothing) {
  EXPECT_EQ(unified_diff("", "a\nb\n", "x", "y"), "--- x\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(unified_diff("a\n", "", "x", "y"), "--- x\n+++ y\n@@ -1,1 +0,0 @@\n-a\n");
}

TEST(UnifiedDiff, FindsWhatStays) {
  EXPECT_EQ(unified_diff("a\nkeep\nb\n", "c\nkeep\nd\n", "x", "y"),
            "--- x\n+++ y\n@@ -1,3 +1,3 @@\n-a\n+c\n keep\n-b\n+d\n");
}

}  // namespace
}  // namespace cupilot::cli
