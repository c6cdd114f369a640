// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/user_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "annotate/support/files.h"

namespace cupilot::launcher {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(MentionsPragma, SeesAllThreeSpellings) {
  EXPECT_TRUE(mentions_pragma("#pragma cupilot optimize\n"));
  EXPECT_TRUE(mentions_pragma("  #  pragma \t cupilot workload\n"));
  EXPECT_TRUE(mentions_pragma("_Pragma(\"cupilot optimize\")"));
  EXPECT_TRUE(mentions_pragma("CUPILOT_PRAGMA(optimize)"));
  EXPECT_FALSE(mentions_pragma("#include <cupilot/harness.h>\n// made for cupilot\n#pragma once\n"));
  EXPECT_FALSE(mentions_pragma(""));
}

class UserFiles : public testing::Test {
protected:
  void write(const std::string &name, const std::string &content) {
    ASSERT_TRUE(write_file_atomic(folder.path() / name, content));
  }
  std::vector<std::string> found(const CompileJob &of) {
    std::vector<std::string> names;
    for (const auto &file : read_user_files(of))
      names.push_back(file.path.lexically_relative(folder.path()).string());
    return names;
  }
  TemporaryFolder folder = TemporaryFolder::create("cupilot-test").value();
  CompileJob job{.folder = folder.path(),
                 .source = folder.path() / "x.cu",
                 .quote_folders = {folder.path() / "quote"},
                 .include_folders = {folder.path() / "inc"}};
};

TEST_F(UserFiles, FollowsIncludesAsTheCompilerSearches) {
  write("x.cu", "#include \"a.h\"\n #  include <b.h>\n#include \"c.h\"\n#include <vector>\n#include MACRO\n");
  write("a.h", "#include \"a.h\"\n#if 0\n#include \"sub/d.h\"\n#endif\n");
  write("inc/a.h", "not this one");
  write("b.h", "not this one: <> does not look here");
  write("inc/b.h", "");
  write("quote/c.h", "");
  write("sub/d.h", "#include \"../a.h\"\n#include \"e.h\"\n");
  write("sub/e.h", "");
  EXPECT_THAT(found(job), ElementsAre("x.cu", "a.h", "inc/b.h", "quote/c.h", "sub/d.h", "sub/e.h"));
}

TEST_F(UserFiles, IncludesWhatTheCommandLineForces) {
  write("x.cu", "");
  write("forced.h", "");
  job.forced_includes = {"forced.h"};
  EXPECT_THAT(found(job), ElementsAre("x.cu", "forced.h"));
}

TEST_F(UserFiles, AreNoneWhereOneCannotBeRead) {
  write("x.cu", "#include \"a.h\"\n");
  EXPECT_THAT(found(job), ElementsAre("x.cu"));
  ASSERT_EQ(::mkfifo((folder.path() / "a.h").c_str(), 0600), 0);
  EXPECT_THAT(found(job), IsEmpty()) << "the compiler reads the pipe, and we must not";
}

TEST_F(UserFiles, AreNoneWithoutASource) {
  EXPECT_THAT(found(job), IsEmpty());
}

}  // namespace
}  // namespace cupilot::launcher
