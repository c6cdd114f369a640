// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/directive/lex_directive.h"

namespace cupilot {
using namespace directive;
namespace {

TEST(Token, SplitsNamesNumbersStringsAndOperators) {
  std::vector<std::string> texts;
  for (const Token &token : lex_directive("fill(x=file(\"a b.npy\")) set(n=1'000<<2)", {"a.cu", 1, 1}))
    texts.push_back(token.text);
  EXPECT_THAT(texts, testing::ElementsAre("fill", "(", "x", "=", "file", "(", "\"a b.npy\"", ")", ")", "set",
                                          "(", "n", "=", "1'000", "<<", "2", ")"));
}

TEST(Token, CountsLinesThroughContinuations) {
  const auto tokens = lex_directive("in(x[n]) \\\n   out(y[n])", {"a.cu", 7, 20});
  EXPECT_EQ(tokens[0].place, (SourcePlace{"a.cu", 7, 20}));
  EXPECT_EQ(tokens[7].text, "out");
  EXPECT_EQ(tokens[7].place, (SourcePlace{"a.cu", 8, 4}));
  EXPECT_TRUE(tokens[7].blank_before);
}

TEST(PlacedText, MapsItsBytesBackToTheSource) {
  PlacedText text;
  for (const Token &token : lex_directive("rows  *\\\n cols", {"a.cu", 3, 5})) text.append(token);
  EXPECT_EQ(text.text(), "rows * cols");
  EXPECT_EQ(text.place_at(0), (SourcePlace{"a.cu", 3, 5}));
  EXPECT_EQ(text.place_at(5), (SourcePlace{"a.cu", 3, 11}));
  EXPECT_EQ(text.place_at(7), (SourcePlace{"a.cu", 4, 2}));
  EXPECT_EQ(text.place_at(9), (SourcePlace{"a.cu", 4, 4}));
}

}  // namespace
}  // namespace cupilot
