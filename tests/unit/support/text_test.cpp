// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/text.h"

#include <gtest/gtest.h>

namespace cupilot {

TEST(Text, TrimsSplitsAndJoins) {
  EXPECT_EQ(trim(" \t a b \n"), "a b");
  EXPECT_EQ(trim("  "), "");
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split_lines("a\nb\n"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(split_lines("").empty());
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(replace_all("aXbXc", "X", "XX"), "aXXbXXc");
}

TEST(Text, ClosestOnlyProposesWhatIsNear) {
  const std::vector<std::string> known{"precision", "workload", "name"};
  EXPECT_EQ(closest("precison", known), "precision");
  EXPECT_EQ(closest("nane", known), "name");
  EXPECT_EQ(closest("zebra", known), "");
}

TEST(Text, SuggestsTheNearestWordOrAll) {
  EXPECT_EQ(did_you_mean("precison", {"name", "precision"}), "did you mean 'precision'?");
  EXPECT_EQ(did_you_mean("zzzzzz", {"a", "b"}), "known here: a, b");
  EXPECT_EQ(did_you_mean("zzzzzz", {}), "");
}

TEST(Text, QuotesForTheShell) {
  EXPECT_EQ(shell_quote("-DX=1"), "-DX=1");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quote(""), "''");
}

}  // namespace cupilot
