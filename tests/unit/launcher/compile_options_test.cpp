// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/compile_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"

namespace cupilot {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::string>;

CompileLine parsed(const Words &words) {
  return parse_compile_line(words, "/").value();
}
Words contained(const Words &words) {
  return architectures(parsed(words));
}

TEST(OptionTable, IsSortedWithoutRepeats) {
  const auto table = option_table();
  const auto rising = [](const OptionRow &a, const OptionRow &b) { return a.name >= b.name; };
  const auto at = std::ranges::adjacent_find(table, rising);
  EXPECT_EQ(at, table.end()) << "'" << at->name << "' stands before '" << (at + 1)->name << "'";
}

TEST(OptionTable, NamesHaveNoDashAndRolesThatCarryATextTakeOne) {
  using enum OptionRole;
  for (const auto &row : option_table()) {
    EXPECT_FALSE(row.name.starts_with('-')) << row.name;
    EXPECT_NE(row.role, input) << row.name;
    const bool switch_only = row.role == compile || row.role == dependencies;
    const bool carries_text = !switch_only && row.role != other && row.role != other_action;
    EXPECT_FALSE(switch_only && row.value != OptionValue::flag) << row.name;
    EXPECT_FALSE(carries_text && row.value == OptionValue::flag) << row.name;
  }
}

TEST(CompileLine, ReadsWhatCMakeWrites) {
  const auto line = parsed({"-forward-unknown-to-host-compiler",
                            "-DA=1",
                            "-I/inc",
                            "-isystem",
                            "/sys",
                            "-O3",
                            "-DNDEBUG",
                            "--generate-code=arch=compute_90,code=[compute_90,sm_90]",
                            "-std=c++17",
                            "-MD",
                            "-MT",
                            "x.o",
                            "-MF",
                            "x.o.d",
                            "-x",
                            "cu",
                            "-c",
                            "/src/x.cu",
                            "-o",
                            "x.o"});
  EXPECT_THAT(line.values(OptionRole::input), ElementsAre("/src/x.cu"));
  EXPECT_EQ(line.last(OptionRole::output), "x.o");
  EXPECT_EQ(line.last(OptionRole::depfile), "x.o.d");
  EXPECT_EQ(line.last(OptionRole::language), "cu");
  EXPECT_THAT(line.values(OptionRole::include_folder), ElementsAre("/inc"));
  EXPECT_THAT(line.values(OptionRole::system_folder), ElementsAre("/sys"));
  EXPECT_TRUE(line.has(OptionRole::compile));
  EXPECT_FALSE(line.has(OptionRole::other_action));
  EXPECT_THAT(architectures(line), ElementsAre("compute_90", "sm_90"));
  EXPECT_EQ(line.options[line.options.size() - 2].position, 17) << "the input's place in the arguments";
}

TEST(CompileLine, SeesActionsThatMakeNoObject) {
  for (const char *action :
       {"-E", "-M", "-ptx", "-cubin", "-dlink", "--preprocess", "--device-link", "-dryrun"})
    EXPECT_TRUE(parsed({action, "x.cu"}).has(OptionRole::other_action)) << action;
}

TEST(CompileLine, LongestJoinedOptionWins) {
  const auto line = parsed({"-isystem/usr/x", "-includefoo.h", "-lineinfo", "-m64", "-Ifoo"});
  EXPECT_THAT(line.values(OptionRole::system_folder), ElementsAre("/usr/x"));
  EXPECT_THAT(line.values(OptionRole::pre_include), ElementsAre("foo.h"));
  EXPECT_THAT(line.values(OptionRole::include_folder), ElementsAre("foo"));
  EXPECT_FALSE(line.has(OptionRole::input));
}

TEST(CompileLine, ExpandsResponseFilesRelativeToTheFolder) {
  const auto folder = TemporaryFolder::create("cupilot-test").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "inner.rsp", "-DINNER -I\"/a b\""));
  ASSERT_TRUE(write_file_atomic(folder.path() / "outer.rsp", "-Iouter\n--options-file inner.rsp"));
  const Words words{"--options-file", "outer.rsp", "-c", "x.cu"};
  const auto line = parse_compile_line(words, folder.path()).value();
  EXPECT_THAT(line.values(OptionRole::include_folder), ElementsAre("outer", "/a b"));
  EXPECT_THAT(line.values(OptionRole::define), ElementsAre("INNER"));
  EXPECT_EQ(line.options.front().position, -1);
}

TEST(CompileLine, RefusesEndlessAndMissingResponseFilesAndLostValues) {
  const auto folder = TemporaryFolder::create("cupilot-test").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "self.rsp", "-optf self.rsp"));
  EXPECT_FALSE(parse_compile_line(Words{"-optf", "self.rsp"}, folder.path()));
  EXPECT_FALSE(parse_compile_line(Words{"-optf", "none.rsp"}, folder.path()));
  ASSERT_TRUE(write_file_atomic(folder.path() / "empty.rsp", ""));
  ASSERT_TRUE(write_file_atomic(folder.path() / "many.rsp",
                                join(std::vector<std::string>(300, "-optf empty.rsp"), " ")));
  EXPECT_FALSE(parse_compile_line(Words{"-optf", "many.rsp"}, folder.path()));
  EXPECT_FALSE(parse_compile_line(Words{"-optf", "/dev/zero"}, folder.path()));
  const auto lost = parse_compile_line(Words{"-c", "x.cu", "-o"}, folder.path());
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().message, "option '-o' requires a value");
}

TEST(SplitWords, KeepsWhatQuotesAndBackslashesProtect) {
  EXPECT_THAT(split_words(R"( a "b c" 'd "e' f\ g "" )"), ElementsAre("a", "b c", "d \"e", "f g", ""));
}

TEST(MacrosHash, DoesNotDependOnSpelling) {
  const auto a = parsed({"-D", "X=1", "-UY", "-include", "p.h", "-std", "c++17"});
  const auto b =
      parsed({"--define-macro=X=1", "--undefine-macro", "Y", "--pre-include=p.h", "--std=c++17", "-O3"});
  EXPECT_THAT(macro_options(a), ElementsAre("-DX=1", "-UY", "-includep.h", "-std=c++17"));
  EXPECT_EQ(macros_hash(a), macros_hash(b));
  EXPECT_EQ(macros_hash(a),
            Sha256().field("-DX=1").field("-UY").field("-includep.h").field("-std=c++17").hex());
}

TEST(MacrosHash, DependsOnOrderAndValues) {
  EXPECT_NE(macros_hash(parsed({"-DA", "-UA"})), macros_hash(parsed({"-UA", "-DA"})));
  EXPECT_NE(macros_hash(parsed({"-DA=1"})), macros_hash(parsed({"-DA=2"})));
}

TEST(Architectures, AreWhatTheObjectContains) {
  EXPECT_THAT(contained({"-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_90a,code=sm_90a"}),
              ElementsAre("sm_80", "sm_90a"));
  EXPECT_THAT(contained({"-gencode", "arch=compute_90,code=\\\"sm_90,compute_90\\\""}),
              ElementsAre("compute_90", "sm_90"));
  EXPECT_THAT(contained({"-arch=sm_90"}), ElementsAre("sm_90"));
  EXPECT_THAT(contained({"--gpu-architecture", "compute_80", "--gpu-code=sm_80,sm_86"}),
              ElementsAre("sm_80", "sm_86"));
  EXPECT_THAT(contained({"-gencode", "arch=compute_80,code=compute_80"}), ElementsAre("compute_80"));
  EXPECT_THAT(contained({"-c", "x.cu"}), IsEmpty());
}

TEST(Architectures, FeatureSetsServeOneWay) {
  EXPECT_TRUE(contains_architecture({"sm_80", "sm_90"}, "sm_90"));
  EXPECT_TRUE(contains_architecture({"compute_90"}, "sm_90"));
  EXPECT_TRUE(contains_architecture({"sm_90a"}, "sm_90"));
  EXPECT_FALSE(contains_architecture({"sm_90"}, "sm_90a"));
  EXPECT_FALSE(contains_architecture({"compute_80"}, "sm_90"));
  EXPECT_FALSE(contains_architecture({"sm_100"}, "sm_10"));
  EXPECT_TRUE(contains_architecture({"all-major"}, "sm_90"));
  EXPECT_FALSE(contains_architecture({"all-major"}, "sm_86"));
  EXPECT_FALSE(contains_architecture({"all"}, "sm_90a"));
  EXPECT_FALSE(contains_architecture({"native"}, "sm_90"));
}

}  // namespace
}  // namespace cupilot
