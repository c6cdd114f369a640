// SPDX-License-Identifier: Apache-2.0
//
// Build folders in every state cmake and people leave them in.
#include "driver/cli/project/build_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"

namespace cupilot::cli {
using namespace cupilot::cli::project;
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BuildFolderTest : public testing::Test {
protected:
  void SetUp() override {
    auto folder = TemporaryFolder::create("cupilot-build-folder");
    ASSERT_TRUE(folder);
    scratch_ = std::make_unique<TemporaryFolder>(std::move(*folder));
    source_ = scratch_->path() / "src", build_ = scratch_->path() / "build";
    write(source_ / "CMakeLists.txt", "");
    write(source_ / "a.cu", "");
    write(source_ / "main.cpp", "");
    write(build_ / "CMakeCache.txt", "X:STRING=1\nCMAKE_HOME_DIRECTORY:INTERNAL=" + source_.string() + "\n");
    write_commands({source_ / "a.cu", source_ / "main.cpp"});
    write_target("app", {source_ / "a.cu", source_ / "main.cpp"});
  }
  void write(const fs::path &path, const std::string &text) { ASSERT_TRUE(write_file_atomic(path, text)); }
  void write_commands(const std::vector<fs::path> &files) {
    std::string text = "[";
    for (const auto &file : files)
      text += (text.size() > 1 ? "," : "") + std::string("{\"directory\":\"") + build_.string() +
              "\",\"file\":\"" + file.string() + "\",\"command\":\"nvcc\"}";
    write(build_ / "compile_commands.json", text + "]");
  }
  void write_target(const std::string &name, const std::vector<fs::path> &files) {
    std::string list;
    for (const auto &file : files) list += (list.empty() ? "\"" : ",\"") + file.string() + "\"";
    write(build_ / "cupilot" / (name + ".json"), "{\"cupilot_target\":1,\"target\":\"" + name +
                                                     "\",\"sources\":[" + list + "],\"records\":\"" +
                                                     (source_ / "tuned").string() + "\"}");
  }
  std::string refusal() {
    const auto build = open_build_folder(build_);
    EXPECT_FALSE(build);
    if (build) return "";
    EXPECT_EQ(build.error().blame, Blame::user);
    return build.error().message;
  }
  std::unique_ptr<TemporaryFolder> scratch_;
  fs::path source_, build_;
};

TEST_F(BuildFolderTest, ReadsTargetsAndTheSourceFolder) {
  const auto build = open_build_folder(build_);
  ASSERT_TRUE(build) << build.error().message;
  EXPECT_EQ(build->source_folder, source_);
  ASSERT_EQ(build->targets.size(), 1u);
  EXPECT_EQ(build->targets[0].name, "app");
  EXPECT_EQ(build->targets[0].records, source_ / "tuned");
  EXPECT_THAT(build->targets[0].sources, testing::ElementsAre(source_ / "a.cu"));
}

TEST_F(BuildFolderTest, CompileCommandsAloneAreAProject) {
  fs::remove(build_ / "CMakeCache.txt");
  fs::remove_all(build_ / "cupilot");
  const auto build = open_build_folder(build_);
  ASSERT_TRUE(build) << build.error().message;
  EXPECT_TRUE(build->without_cmake);
  ASSERT_EQ(build->targets.size(), 1u);
  EXPECT_EQ(build->targets[0].records, fs::canonical(build_) / "tuned");
  EXPECT_THAT(build->targets[0].sources, testing::ElementsAre(source_ / "a.cu"));
  fs::remove(source_ / "a.cu");
  EXPECT_THAT(refusal(), HasSubstr("'bear -- make'"));
}

TEST_F(BuildFolderTest, TakesCudaUnderOtherNames) {
  write(build_ / "compile_commands.json", R"([{"directory":"/b","file":")" + (source_ / "main.cpp").string() +
                                              R"(","command":"nvcc -x cu -c main.cpp"},)" +
                                              R"({"directory":"/b","file":")" + (source_ / "a.cu").string() +
                                              R"(","arguments":["nvcc","-x","cu"]}])");
  const auto build = open_build_folder(build_);
  ASSERT_TRUE(build) << build.error().message;
  EXPECT_THAT(build->targets[0].sources, testing::ElementsAre(source_ / "a.cu", source_ / "main.cpp"));
}

TEST_F(BuildFolderTest, LeavesOutSourcesWithoutACommand) {
  write(source_ / "header.h", "");
  write_target("app", {source_ / "a.cu", source_ / "header.h"});
  const auto build = open_build_folder(build_);
  ASSERT_TRUE(build);
  EXPECT_THAT(build->targets[0].sources, testing::ElementsAre(source_ / "a.cu"));
}

TEST_F(BuildFolderTest, SaysWhenItDoesNotExist) {
  const auto build = open_build_folder(scratch_->path() / "nowhere");
  ASSERT_FALSE(build);
  EXPECT_THAT(build.error().message, testing::AllOf(HasSubstr("does not exist"), HasSubstr("cmake -S . -B")));
}

TEST_F(BuildFolderTest, AsksForCmakeWhenCommandsAreMissingOrDamaged) {
  write(build_ / "compile_commands.json", "[{\"file\": ");
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("damaged"), HasSubstr("run cmake again")));
  write(build_ / "compile_commands.json", "[3]");
  EXPECT_THAT(refusal(), HasSubstr("damaged"));
  fs::remove(build_ / "compile_commands.json");
  EXPECT_THAT(refusal(),
              testing::AllOf(HasSubstr("missing"), HasSubstr("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")));
}

TEST_F(BuildFolderTest, IsStaleWhenASourceIsGone) {
  fs::remove(source_ / "a.cu");
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("stale"), HasSubstr("a.cu', which is gone"),
                                        HasSubstr("run cmake again: cmake -S")));
  fs::remove_all(build_ / "cupilot");
  EXPECT_THAT(refusal(), HasSubstr("a.cu', which is gone"));
}

TEST_F(BuildFolderTest, IsStaleWhenTheListsAreNewer) {
  const auto written = fs::last_write_time(build_ / "compile_commands.json");
  fs::last_write_time(source_ / "CMakeLists.txt", written + std::chrono::seconds(1));
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("stale"), HasSubstr("CMakeLists.txt' is newer")));
}

TEST_F(BuildFolderTest, AStaleOneStillShowsWhatASearchLeft) {
  fs::remove(build_ / "compile_commands.json");
  fs::remove(source_ / "a.cu");
  EXPECT_EQ(build_folder_as_it_is(build_).value().run_folder(), fs::canonical(build_) / "cupilot" / "run");
  EXPECT_FALSE(build_folder_as_it_is(build_ / "elsewhere"));
}

TEST_F(BuildFolderTest, IsStaleWhenASourceHasNoCommand) {
  write_commands({source_ / "main.cpp"});
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr("has no entry for"), HasSubstr("a.cu")));
}

TEST_F(BuildFolderTest, RefusesADamagedTarget) {
  write(build_ / "cupilot" / "app.json", "{\"cupilot_target\":1}");
  EXPECT_THAT(refusal(), HasSubstr("app.json' is damaged"));
  write(build_ / "cupilot" / "app.json",
        "{\"cupilot_target\":2,\"target\":\"a\",\"records\":\"/r\",\"sources\":[]}");
  EXPECT_THAT(refusal(), HasSubstr("another version"));
}

}  // namespace
}  // namespace cupilot::cli
