// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "annotate/support/files.h"

namespace cupilot::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

std::optional<CompileJob> job(const Words &command) {
  std::string why;
  return recognise(command, why);
}
std::string refusal(const Words &command) {
  std::string why;
  EXPECT_FALSE(recognise(command, why)) << command.back();
  return why;
}

TEST(Recognise, TakesOneSourceToOneObject) {
  const auto found = job({"ccache", "/usr/bin/nvcc", "-I/inc", "-arch=sm_90", "-MD", "-MF", "/b/x.d", "-x",
                          "cu", "-dc", "/s/../s/x.cu", "-o", "/b/x.o", "-DA"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nvcc_at, 1u);
  EXPECT_EQ(found->command[found->source_at], "/s/../s/x.cu");
  EXPECT_EQ(found->source, "/s/x.cu");
  EXPECT_EQ(found->object, "/b/x.o");
  EXPECT_EQ(found->depfile, "/b/x.d");
  EXPECT_THAT(found->architectures, ElementsAre("sm_90"));
  EXPECT_THAT(found->include_folders, ElementsAre("/inc"));
}

TEST(Recognise, LeavesEverythingUnusualAlone) {
  const Words good{"nvcc", "-c", "/s/x.cu", "-o", "/b/x.o"};
  ASSERT_TRUE(job(good));
  const auto with = [&](const char *word) {
    auto command = good;
    command.push_back(word);
    return command;
  };
  for (const char *action : {"-E", "-M", "-ptx", "-cubin", "-dlink", "-S", "--preprocess", "-dryrun"})
    EXPECT_EQ(refusal(with(action)), "it does not make an object file") << action;
  EXPECT_EQ(refusal(with("/s/y.cu")), "it does not have exactly one input");
  EXPECT_EQ(refusal(with("-MF")), "its options cannot be parsed");
  EXPECT_EQ(refusal({"nvcc", "-c", "/s/x.cpp", "-o", "x.o"}), "its input is not CUDA");
  EXPECT_EQ(refusal({"nvcc", "-c", "/s/x.cu"}), "it does not name its output");
  EXPECT_EQ(refusal({"nvcc", "/s/x.cu", "-o", "x"}), "it does not make an object file");
  EXPECT_EQ(refusal({"clang++", "-x", "cuda", "-c", "/s/x.cu", "-o", "x.o"}), "the compiler is not nvcc");
}

TEST(Recognise, CountsWhatNvccTakesFromTheEnvironment) {
  ::setenv("NVCC_PREPEND_FLAGS", "-arch=sm_80 -DBEFORE", 1);
  ::setenv("NVCC_APPEND_FLAGS", "-DAFTER", 1);
  const auto found = job({"nvcc", "-c", "/s/x.cu", "-o", "/b/x.o"});
  ::unsetenv("NVCC_PREPEND_FLAGS");
  ::unsetenv("NVCC_APPEND_FLAGS");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->command[found->source_at], "/s/x.cu");
  EXPECT_THAT(found->architectures, ElementsAre("sm_80"));
  EXPECT_EQ(found->macros, job({"nvcc", "-DBEFORE", "-c", "/s/x.cu", "-o", "/b/x.o", "-DAFTER"})->macros);
}

TEST(Recognise, SkipsTheToolkitsHeaders) {
  const auto folder = TemporaryFolder::create("cupilot-test").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "toolkit/cuda_runtime_api.h", ""));
  const auto found =
      job({"nvcc", "-I" + (folder.path() / "toolkit").string(), "-I/own", "-c", "/s/x.cu", "-o", "x.o"});
  EXPECT_THAT(found->include_folders, ElementsAre("/own"));
}

}  // namespace
}  // namespace cupilot::launcher
