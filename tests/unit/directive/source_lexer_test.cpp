// SPDX-License-Identifier: Apache-2.0
#include "annotate/directive/source_lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace directive;
namespace {

std::vector<std::string> texts(const std::string &source) {
  std::vector<std::string> found;
  for (const RawToken &token : lex_source(source).tokens)
    found.push_back(source.substr(token.begin, token.end - token.begin));
  return found;
}

TEST(SourceLexer, LeavesCommentsOutAndOperatorsWhole) {
  EXPECT_THAT(texts("a+ +b; // c\n/* d\n e */ a++b"),
              testing::ElementsAre("a", "+", "+", "b", ";", "a", "++", "b"));
  EXPECT_THAT(texts("k<<<1, 2>>>(x)"), testing::ElementsAre("k", "<<<", "1", ",", "2", ">>>", "(", "x", ")"));
}

TEST(SourceLexer, ReadsLiteralsWhole) {
  EXPECT_THAT(
      texts(R"x(R"(a "b" // )" L"c\"d" 'e' 1'000.5e-3f u8"f" R)x"),
      testing::ElementsAre(R"x(R"(a "b" // )")x", R"(L"c\"d")", "'e'", "1'000.5e-3f", "u8\"f\"", "R"));
}

TEST(SourceLexer, KnowsPreprocessorLines) {
  const std::string source = "int a; # not\n  #define F(x) \\\n  x\nint b;\n#if 1 // c\n#endif";
  const RawTokens raw = lex_source(source);
  ASSERT_EQ(raw.directives.size(), 3u);
  EXPECT_EQ(raw.directives[0].keyword, "define");
  EXPECT_EQ(source.substr(raw.directives[0].begin, raw.directives[0].end - raw.directives[0].begin),
            "#define F(x) \\\n  x");
  EXPECT_EQ(raw.directives[1].keyword, "if");
  EXPECT_EQ(raw.directives[2].end, source.size());
}

TEST(SourceLexer, SkipsAByteOrderMark) {
  EXPECT_EQ(lex_source("\xef\xbb\xbf#if 1\n#endif\n").directives.size(), 2u);
}

TEST(SourceLexer, SurvivesUnfinishedText) {
  for (const char *text : {"\"abc", "'", "/*", "R\"(abc", "#", "\\", "R\"", "//"})
    EXPECT_LE(texts(text).size(), 2u) << text;
}

TEST(LineIndex, CountsFromOne) {
  const LineIndex lines("a\nbc\n");
  EXPECT_EQ(lines.line(0), 1);
  EXPECT_EQ(lines.line(1), 1);
  EXPECT_EQ(lines.line(2), 2);
  EXPECT_EQ(lines.line_begin(2), 2u);
}

TEST(SourceLexer, JoinsLinesAsTheCompilerDoes) {
  for (const char *joint : {"\\\n", "\\ \t\n", "\\\r\n", "\\ \r\n"}) {
    const auto raw = lex_source(std::string("// a ") + joint + "b\n#define X " + joint + "1\n");
    EXPECT_EQ(raw.tokens.size(), 3u) << joint;
    EXPECT_EQ(raw.directives.size(), 1u) << joint;
  }
}

TEST(SourceLexer, FindsDefinedMacros) {
  EXPECT_EQ(
      macros_defined("#define A 1\n  # /* */ define B(x) \\\n  #define C\n#undef D\nint define(int E);\n"
                     "// #define F\n#if 0\n#define G\n#define A 2\n#endif\n#define"),
      (std::vector<std::string>{"A", "B", "G"}));
}

}  // namespace
}  // namespace cupilot
