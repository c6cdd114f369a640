// SPDX-License-Identifier: Apache-2.0
#include "annotate/extract/compile_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cstdlib>
#include <fstream>

#include "annotate/extract/compile_database.h"
#include "annotate/support/files.h"

namespace cupilot {
using namespace extract;
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

CompileEntry entry(const std::string &command, const std::string &folder = "/project") {
  auto read = read_compile_command(split_words(command), folder, "");
  EXPECT_TRUE(read) << (read ? "" : read.error().message);
  return read.value_or(CompileEntry{});
}

TEST(CompileCommand, KeepsWhatAnotherRunNeedsAndMakesPathsAbsolute) {
  const auto made = entry(
      "nvcc -forward-unknown-to-host-compiler -DN=4 -Iinc -I /abs -isystem sys -O3 -std=c++17 "
      "--use_fast_math "
      "--generate-code=arch=compute_90,code=[compute_90,sm_90] -Xcompiler=-fPIC -rdc=true -MD -MT a.o -MF "
      "a.d "
      "-x cu -c src/../a.cu -o a.o");
  EXPECT_THAT(made.command.flags, ElementsAre("-forward-unknown-to-host-compiler", "-DN=4", "-I/project/inc",
                                              "-I/abs", "-isystem", "/project/sys", "-O3", "-std", "c++17",
                                              "--use_fast_math", "-Xcompiler", "-fPIC"));
  EXPECT_EQ(made.command.source, "/project/a.cu");
  EXPECT_THAT(made.command.architectures, ElementsAre("compute_90", "sm_90"));
  EXPECT_TRUE(made.is_cuda);
}

TEST(CompileCommand, DropsWarningsAsErrors) {
  EXPECT_THAT(entry("nvcc -Werror all-warnings -Xcompiler -Wall,-Werror -c a.cu").command.flags, IsEmpty());
}

TEST(CompileCommand, LeavesLaunchersOut) {
  const auto made = entry("cupilot-cc --records tuned -- ccache /usr/local/cuda/bin/nvcc -c a.cu -o a.o");
  EXPECT_EQ(made.command.compiler, "/usr/local/cuda/bin/nvcc");
  EXPECT_THAT(made.command.flags, IsEmpty());
}

TEST(CompileCommand, RefusesWhatItCannotUnderstand) {
  EXPECT_THAT(read_compile_command({"ld", "a.o"}, "/", "").error().message, HasSubstr("no compiler"));
  EXPECT_THAT(read_compile_command({"nvcc", "-c"}, "/", "").error().message,
              HasSubstr("expected one source file"));
}

TEST(CompileCommand, ReadsResponseFiles) {
  const auto folder = TemporaryFolder::create("cupilot-test");
  ASSERT_TRUE(folder);
  std::ofstream(folder->path() / "includes.rsp") << "-I\"/a b\" -Irel -DX=1";
  const auto made = entry("nvcc --options-file includes.rsp -c a.cu", folder->path().string());
  const std::string relative = (folder->path() / "rel").string();
  EXPECT_THAT(made.command.flags, ElementsAre("-I/a b", "-I" + relative, "-DX=1"));
  EXPECT_THAT(user_include_folders(made), ElementsAre("/a b", relative));
}

TEST(CompileCommand, TakesFlagsFromTheEnvironmentButNotIntoTheFingerprint) {
  setenv("NVCC_PREPEND_FLAGS", "-DBEFORE", 1);
  setenv("NVCC_APPEND_FLAGS", "-DAFTER -arch=sm_80", 1);
  const auto made = entry("nvcc -DX -c a.cu");
  const auto other = entry("clang++ -DX -c a.cu");
  unsetenv("NVCC_PREPEND_FLAGS");
  unsetenv("NVCC_APPEND_FLAGS");
  EXPECT_THAT(made.command.flags, ElementsAre("-DBEFORE", "-DX", "-DAFTER"));
  EXPECT_THAT(made.command.architectures, ElementsAre("sm_80"));
  EXPECT_THAT(macro_options(made.line), ElementsAre("-DX"));
  EXPECT_THAT(other.command.flags, ElementsAre("-DX"));
}

TEST(CompileCommand, TranslatesForClang) {
  const auto words = clang_arguments(
      entry("nvcc -DN=4 -UQ -Iinc --std=c++20 -rdc=true -Xcompiler -fPIC,-DHOST -maxrregcount=32 -c a.cu"),
      "/shim.h");
  EXPECT_THAT(words, IsSupersetOf({"--cuda-host-only", "-DN=4", "-UQ", "-I/project/inc", "-std=c++20",
                                   "-fgpu-rdc", "-DHOST", "/shim.h"}));
  EXPECT_THAT(words, Not(Contains("-fPIC")));
  EXPECT_THAT(words, Not(Contains(HasSubstr("maxrregcount"))));
  EXPECT_EQ(words.back(), "/project/a.cu");
}

TEST(CompileCommand, KnowsCudaSources) {
  EXPECT_FALSE(entry("nvcc -c a.cpp").is_cuda);
  EXPECT_TRUE(entry("nvcc -x cu -c a.cpp").is_cuda);
  EXPECT_FALSE(entry("g++ -c a.cpp").is_cuda);
}

class Database : public testing::Test {
protected:
  std::string error_for(const std::string &content) {
    std::ofstream(folder_.path() / "compile_commands.json") << content;
    const auto read = read_compile_database(folder_.path());
    return read ? "none" : read.error().message;
  }
  TemporaryFolder folder_ = *TemporaryFolder::create("cupilot-test");
};

TEST_F(Database, SaysWhatIsWrongAndTheWayOut) {
  const auto missing = read_compile_database(folder_.path());
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, testing::AllOf(HasSubstr("no compile_commands.json in"),
                                                      HasSubstr("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")));
  EXPECT_THAT(error_for(""), HasSubstr("is not a list of compile commands"));
  EXPECT_THAT(error_for("[]"), HasSubstr("contains no compile command"));
  EXPECT_THAT(error_for("[{\"directory\":\"/\"}]"), HasSubstr("without 'file' or 'command'"));
  EXPECT_THAT(error_for(R"([{"directory":"/w","file":"gone.cu","command":"nvcc -c gone.cu"}])"),
              HasSubstr("is stale: /w/gone.cu no longer exists; configure the build folder again"));
}

TEST_F(Database, ReadsCommandsAndArgumentsAndSkipsOtherLanguages) {
  std::ofstream(folder_.path() / "a.cu") << "";
  const std::string folder = folder_.path().string();
  EXPECT_EQ(error_for("[{\"directory\":\"" + folder + R"(","file":"a.cu","arguments":["nvcc","-c","a.cu"]},
                       {"directory":")" +
                      folder + R"(","file":"a.cu","command":"nvcc -DX=\\\"a\\\" -c a.cu"},
                       {"directory":"/","file":"gone.cpp","command":"g++ -c gone.cpp"}])"),
            "none");
  const auto entries = read_compile_database(folder_.path());
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_THAT((*entries)[1].command.flags, ElementsAre("-DX=\"a\""));
}

}  // namespace
}  // namespace cupilot
