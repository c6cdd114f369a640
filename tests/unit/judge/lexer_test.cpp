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

TEST(Lexer, JoinsLinesAsTheCompilerDoes) {
  // Blanks after the backslash, \r\n, and several in a row.
  EXPECT_THAT(texts("// comment \\ \t\nstill comment\nx"), ElementsAre("x"));
  EXPECT_THAT(texts("// comment \\\r\nstill comment\r\nx"), ElementsAre("x"));
  EXPECT_THAT(texts("// comment \\ \r\n\\\nstill comment\nx"), ElementsAre("x"));
  // The marks of comments, of strings and of numbers.
  EXPECT_THAT(texts("a /\\\n/ b\nc"), ElementsAre("a", "c"));
  EXPECT_THAT(texts("a /\\\n* b *\\ \n/ c"), ElementsAre("a", "c"));
  EXPECT_THAT(texts("/* a *\\\n/ b /* */"), ElementsAre("b"));
  EXPECT_THAT(texts("\"a\\\\\n\" // b\" c"), ElementsAre("\"a\\\" // b\"", "c"));
  EXPECT_THAT(texts("1\\\n'0 \"x\""), ElementsAre("1'0", "\"x\""));
}

TEST(Lexer, RawStringsHaveFivePrefixesAndNoSplices) {
  for (const char *prefix : {"R", "u8R", "uR", "UR", "LR"})
    EXPECT_THAT(texts(std::string(prefix) + "\"(a \\\n) \" // b)\" c"),
                ElementsAre("\"(a \\\n) \" // b)\"", "c"))
        << prefix;
  EXPECT_THAT(texts("R\"a(\\\n)b\")a\" c \\\n d"), ElementsAre("\"a(\\\n)b\")a\"", "c", "d"));
  EXPECT_THAT(texts("xR\"(a)\" b"), ElementsAre("xR", "\"(a)\"", "b"));
  EXPECT_THAT(tokenize("R\"a b(x)a b\"").error, testing::HasSubstr("the delimiter of a raw string"));
  EXPECT_THAT(tokenize("#define X R\"(\n)\"").error, testing::HasSubstr("a raw string goes over a line end"));
}

TEST(Lexer, LinesAndRangesAreThoseOfTheOriginal) {
  const std::string_view text = "a\\ \nb // \\\nc\nR\"(\n)\" d\\\n e";
  const auto tokens = tokenize(text).tokens;
  ASSERT_EQ(tokens.size(), 4u);
  const int lines[] = {1, 4, 5, 6};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(tokens[i].line, lines[i]) << i;
  EXPECT_EQ(text.substr(tokens[0].begin, tokens[0].end - tokens[0].begin), "a\\ \nb");
  EXPECT_EQ(text.substr(tokens[1].begin, tokens[1].end - tokens[1].begin), "R\"(\n)\"");
  EXPECT_EQ(text.substr(tokens[2].begin, tokens[2].end - tokens[2].begin), "d");
  EXPECT_TRUE(tokens[0].spliced);
  EXPECT_FALSE(tokens[2].spliced);
}

TEST(Lexer, ACommentOverLinesDoesNotEndADirective) {
  const auto tokens = tokenize("#define X /*\n*/ y\nz /*\n*/ # w").tokens;
  ASSERT_EQ(tokens.size(), 6u);
  EXPECT_TRUE(tokens[2].preprocessor);
  EXPECT_FALSE(tokens[3].preprocessor);
  EXPECT_EQ(tokens[4].kind, CodeTokenKind::punctuation);
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
