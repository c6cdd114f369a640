// SPDX-License-Identifier: Apache-2.0
//
// Units are written by hand: `chunk(text, names)` finds the text in the file.

#include "annotate/extract/slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace directive;
using namespace extract;
namespace {

using testing::HasSubstr;
using testing::Not;

UnitFile file(const std::string &path, const std::string &text) {
  UnitFile made;
  made.path = made.display_path = path;
  made.text = text;
  made.raw = lex_source(text);
  return made;
}

void chunk(UnitFile &in, const std::string &text, std::vector<std::string> names) {
  const auto begin = in.text.find(text);
  ASSERT_NE(begin, std::string::npos) << text;
  in.chunks.push_back({.begin = static_cast<unsigned>(begin),
                       .end = static_cast<unsigned>(begin + text.size()),
                       .names = std::move(names)});
}

TEST(Slice, KeepsWhatTheKernelMentionsAndWhatThatMentions) {
  UnitText unit;
  unit.files.push_back(file("a.cu",
                            "int c() { return 1; }\nint b() { return c(); }\nint d() { return 2; }\n"
                            "void k() { b(); }\n"));
  UnitFile &source = unit.files[0];
  chunk(source, "int c() { return 1; }", {"c"});
  chunk(source, "int b() { return c(); }", {"b"});
  chunk(source, "int d() { return 2; }", {"d"});
  chunk(source, "void k() { b(); }", {"k"});
  EXPECT_EQ(cut_slice(unit, {{0, 3}, {}, ""}).text,
            "#line 1 \"a.cu\"\nint c() { return 1; }\nint b() { return c(); }\n\nvoid k() { b(); }\n");
}

TEST(Slice, FollowsMacroBodiesOnlyWhenUsed) {
  UnitText unit;
  unit.files.push_back(
      file("a.cu", "int b();\nint d();\n#define USED b\n#define UNUSED d\nvoid k() { USED(); }\n"));
  chunk(unit.files[0], "int b();", {"b"});
  chunk(unit.files[0], "int d();", {"d"});
  chunk(unit.files[0], "void k() { USED(); }", {"k"});
  unit.macros = {{"USED", {"b"}}, {"UNUSED", {"d"}}};
  const Slice slice = cut_slice(unit, {{0, 2}, {}, ""});
  EXPECT_THAT(slice.text, HasSubstr("int b();"));
  EXPECT_THAT(slice.text, Not(HasSubstr("int d();")));
  EXPECT_THAT(slice.text, HasSubstr("#define UNUSED d"));
}

TEST(Slice, InlinesUserHeadersWithLineMarkersAndDropsPragmas) {
  UnitText unit;
  unit.files.push_back(
      file("a.cu",
           "#include <math.h>\n#include \"b.h\"\n#include \"b.h\"\n#pragma cupilot optimize\n"
           "#pragma unroll\nvoid k();\n"));
  unit.files.push_back(file("b.h", "#pragma once\nint b();\n"));
  unit.files[0].includes = {{2, 1}, {3, -1}};
  chunk(unit.files[0], "void k();", {"k"});
  chunk(unit.files[1], "int b();", {"b"});
  EXPECT_EQ(
      cut_slice(unit, {{0, 0}, {"b"}, ""}).text,
      "#line 1 \"a.cu\"\n#include <math.h>\n#line 2 \"b.h\"\nint b();\n#line 5 \"a.cu\"\n#pragma unroll\n"
      "void k();\n");
}

TEST(Slice, KeepsDeclarationsWithHalfAConditional) {
  UnitText unit;
  const std::string odd = "void f(int a) {\n#else\nvoid f(float a) {\n#endif\n}";
  unit.files.push_back(file("a.cu", "#if X\n" + odd + "\nvoid k();\n"));
  chunk(unit.files[0], odd, {"f"});
  chunk(unit.files[0], "void k();", {"k"});
  EXPECT_THAT(cut_slice(unit, {{0, 1}, {}, ""}).text, HasSubstr(odd));
}

TEST(Slice, IdentityIgnoresCommentsFormattingAndOthers) {
  const auto identity = [](const std::string &other, const std::string &kernel, const std::string &macro) {
    UnitText unit;
    unit.files.push_back(file("a.cu", other + "\n" + kernel));
    chunk(unit.files[0], other, {"other"});
    chunk(unit.files[0], kernel, {"k"});
    unit.macros = {{"N", {macro}}};
    return cut_slice(unit, {{0, 1}, {}, ""}).identity;
  };
  const auto original = identity("int other();", "void k() { x = N; }", "1");
  EXPECT_EQ(original, identity("long other(int);", "void k() { /* why */\n  x=N ; }", "1"));
  EXPECT_NE(original, identity("int other();", "void k() { x = N + 1; }", "1"));
  EXPECT_NE(original, identity("int other();", "void k() { x = N; }", "2"));
}

TEST(Slice, ParametersAndMembersNameNoOtherDeclaration) {
  UnitText unit;
  unit.files.push_back(file("a.cu", "int n;\nint y;\nint q;\nvoid k(int n) { s.y = n; ::q = 1; }\n"));
  for (const std::string name : {"n", "y", "q"}) chunk(unit.files[0], "int " + name + ";", {name});
  chunk(unit.files[0], "void k(int n) { s.y = n; ::q = 1; }", {"k"});
  unit.files[0].chunks[3].bound = {"n", "q"};
  const Slice slice = cut_slice(unit, {{0, 3}, {}, ""});
  EXPECT_EQ(slice.text, "#line 3 \"a.cu\"\nint q;\nvoid k(int n) { s.y = n; ::q = 1; }\n");
}

TEST(Slice, DropsWhatEnclosesNothing) {
  UnitText unit;
  const std::string odd = "void f() {\n#pragma unroll\n#if X\n#endif\n}";
  const std::string definer = "void g() {\n#if X\n#define Y 1\n#endif\n}";
  unit.files.push_back(
      file("a.cu", "namespace a {\nnamespace b {\n" + odd + "\n}\n" + definer + "\nvoid k();\n}\n"));
  UnitFile &source = unit.files[0];
  chunk(source, odd, {"f"});
  chunk(source, definer, {"g"});
  chunk(source, "void k();", {"k"});
  const auto end = static_cast<unsigned>(source.text.size());
  const auto inner = static_cast<unsigned>(source.text.find("}\nvoid g"));
  source.enclosures = {{0, 13, end - 2, end - 1}, {14, 27, inner, inner + 1}};
  EXPECT_EQ(
      cut_slice(unit, {{0, 2}, {}, ""}).text,
      "#line 1 \"a.cu\"\nnamespace a {\n#line 10 \"a.cu\"\n#if X\n#define Y 1\n#endif\n\nvoid k();\n}\n");
}

TEST(Slice, ExplicitInstantiationsAreTakenOut) {
  UnitFile source = file("a.cu",
                         "template <class T> void k(T) {}\nextern template void k<int>(int);\n"
                         "template void k<Odd>(Odd);\n");
  chunk(source, "template <class T> void k(T) {}", {"k"});
  add_explicit_instantiations(source);
  ASSERT_EQ(source.chunks.size(), 3u);
  UnitText unit;
  unit.files.push_back(source);
  EXPECT_EQ(cut_slice(unit, {{0, 0}, {}, "template void k<float>(float);"}).text,
            "#line 1 \"a.cu\"\ntemplate <class T> void k(T) {}\ntemplate void k<float>(float);\n");
}

}  // namespace
}  // namespace cupilot
