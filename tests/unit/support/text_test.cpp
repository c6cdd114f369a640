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

TEST(Text, PrintableShowsWhatWouldActOnATerminal) {
  EXPECT_EQ(printable("one\ttwo\nµs λ 統 🙂\n"), "one\ttwo\nµs λ 統 🙂\n");
  EXPECT_EQ(printable("\x1b[2J\x1b]0;title\x07"), "\\x1b[2J\\x1b]0;title\\x07");
  EXPECT_EQ(printable("done\rfail\b\x7f"), "done\\x0dfail\\x08\\x7f");
  EXPECT_EQ(printable("line\r\nline"), "line\nline");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\u009b31m"), "\\x9b31m");                 // CSI as one character
  EXPECT_EQ(printable("a\u202eb\u2066c"), "a\\u202eb\\u2066c");  // text that reads backwards
  EXPECT_EQ(printable("a\u2028b\ufeff"), "a\\u2028b\\ufeff");
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("\xc0\xaf \xed\xa0\x80 \xe2\x82"), "\\xc0\\xaf \\xed\\xa0\\x80 \\xe2\\x82");
}

TEST(Text, QuotesForTheShell) {
  EXPECT_EQ(shell_quote("-DX=1"), "-DX=1");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quote(""), "''");
}

}  // namespace cupilot
