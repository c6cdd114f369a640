// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/lexer.h"

#include <gmock/gmock.h>

namespace cupilot {
using namespace judge::screen;
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(std::string_view source) {
  std::vector<std::string> all;
  for (const auto &token : tokenize(source).tokens) all.push_back(token.text);
  return all;
}

TEST(Lexer, CommentsAndStringsHideNothing) {
  EXPECT_THAT(texts("a /* cudaMalloc */ b // system\nc"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(texts(R"x(f("/* not a comment", '"') g)x"),
              ElementsAre("f", "(", "\"/* not a comment\"", ",", "'\"'", ")", "g"));
  EXPECT_THAT(texts("R\"q(a \" // b)q\" z"), ElementsAre("\"q(a \" // b)q\"", "z"));
}

TEST(Lexer, SplicesJoinNames) {
  EXPECT_THAT(texts("cuda\\\nMalloc"), ElementsAre("cudaMalloc"));
  EXPECT_THAT(texts("// comment \\\nstill comment\nx"), ElementsAre("x"));
}

TEST(Lexer, LaunchBracketsAreOneToken) {
  EXPECT_THAT(texts("k<<<1, 2>>>(x::y)"),
              ElementsAre("k", "<<<", "1", ",", "2", ">>>", "(", "x", "::", "y", ")"));
}

TEST(Lexer, NumbersKeepSeparatorsAndExponents) {
  EXPECT_THAT(texts("1'000 + 1e-5f*.5"), ElementsAre("1'000", "+", "1e-5f", "*", ".5"));
}

TEST(Lexer, DirectivesMarkTheirLine) {
  const auto tokens = tokenize("  # define X \\\n  {\nint y; a # b").tokens;
  ASSERT_EQ(tokens[0].kind, CodeTokenKind::directive);
  EXPECT_EQ(tokens[0].text, "define");
  EXPECT_TRUE(tokens[2].preprocessor);  // the spliced brace
  EXPECT_EQ(tokens[2].line, 2);
  EXPECT_FALSE(tokens[3].preprocessor);
  EXPECT_EQ(tokens[7].kind, CodeTokenKind::punctuation);  // # inside a line is no directive
}

TEST(Lexer, UnterminatedPartsAreErrorsWithTheirLine) {
  EXPECT_EQ(tokenize("a\n/* b").error, "unterminated comment");
  EXPECT_EQ(tokenize("a\n/* b").error_line, 2);
  EXPECT_FALSE(tokenize("\"abc\ndef\"").error.empty());
  EXPECT_FALSE(tokenize("R\"(abc").error.empty());
  EXPECT_FALSE(tokenize("'\\").error.empty());
}

}  // namespace
}  // namespace cupilot
