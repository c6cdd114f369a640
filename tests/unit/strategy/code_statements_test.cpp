// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/code_statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
namespace {

using testing::ElementsAre;

std::vector<std::string> words(std::string_view source) {
  std::vector<std::string> list;
  for (const CodeWord &word : words_of_code(source)) list.push_back(word.text);
  return list;
}

/// "depth/loop: words", with a star for a loop's header.
std::vector<std::string> statements(std::string_view source) {
  const auto all = words_of_code(source);
  std::vector<std::string> list;
  for (const CodeStatement &one : statements_of(all)) {
    std::string text =
        std::to_string(one.depth) + "/" + std::to_string(one.loop) + (one.is_header ? "*" : "");
    for (const CodeWord &word : one.words) text += " " + word.text;
    list.push_back(text);
  }
  return list;
}

TEST(CodeWords, LeavesOutCommentsLiteralsAndDirectives) {
  EXPECT_THAT(
      words("a // for (;;) \\\n b\n/* while */ c = \"exp(\\\"\" 'x';\n#include <for>\n  #pragma unroll\nd"),
      ElementsAre("a", "c", "=", ";", "d"));
  EXPECT_THAT(words("x = R\"y(for \" ( )y\" + 1;"), ElementsAre("x", "=", "+", "1", ";"));
  EXPECT_THAT(words("#define FOR(i) \\\n  for (i)\nx"),
              ElementsAre("FOR", "(", "i", ")", "for", "(", "i", ")", "x"));
}

TEST(CodeWords, NumbersAndSymbols) {
  EXPECT_THAT(words("a+=1e-5f*.5f-0x1p-3;p->q::r"),
              ElementsAre("a", "+=", "1e-5f", "*", ".5f", "-", "0x1p-3", ";", "p", "->", "q", "::", "r"));
}

TEST(CodeWords, AnyTextIsReadToItsEnd) {
  for (const char *text :
       {"/*", "\"", "'", "//", "R\"(", "R\"", "#", "#define", "\\", "a[", "for", "for (", "}}", "{{", "1e"})
    statements(text);
}

TEST(CodeStatements, KnowTheirLoops) {
  EXPECT_THAT(statements("a; for (i = 0; i < n; ++i) { b; while (c) d; e; } f;"),
              ElementsAre("0/0 a", "1/1* i = 0", "1/1* i < n", "1/1* ++ i", "1/1 b", "2/2* c", "2/2 d",
                          "1/1 e", "0/0 f"));
}

TEST(CodeStatements, LoopsWithoutBracesEndWithTheirStatement) {
  EXPECT_THAT(statements("for (;;) for (x : y) { a; } b; do c; while (d); e"),
              ElementsAre("2/2* x : y", "2/2 a", "0/0 b", "1/3 c", "1/4* d", "0/0 e"));
}

TEST(CodeStatements, ConditionsBelongToWhatTheyGuard) {
  EXPECT_THAT(statements("for (;;) if (a) b; c;"), ElementsAre("1/1 if ( a ) b", "0/0 c"));
}

}  // namespace
}  // namespace cupilot
