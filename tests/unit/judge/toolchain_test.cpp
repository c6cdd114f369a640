// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/toolchain.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "annotate/support/files.h"

namespace cupilot {
using namespace judge::tools;
using namespace spec;
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// PATH holds scripts of the test only.
class ToolchainTest : public testing::Test {
protected:
  TemporaryFolder bin = TemporaryFolder::create("cupilot-toolchain").value();
  std::string path = std::getenv("PATH");
  void SetUp() override { ::setenv("PATH", bin.path().c_str(), 1); }
  void TearDown() override { ::setenv("PATH", path.c_str(), 1); }
  fs::path program(const std::string &name, const std::string &says, int exit_code = 0) {
    const auto file = bin.path() / name;
    EXPECT_TRUE(
        write_file_atomic(file, "#!/bin/sh\necho '" + says + "'\nexit " + std::to_string(exit_code) + "\n"));
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
};

TEST_F(ToolchainTest, PrefersTheUsersCompiler) {
  program("nvcc", "Cuda compilation tools, release 13.0, V13.0.88");
  const auto own = program("nvcc-12.8", "Cuda compilation tools, release 12.8, V12.8.61");
  program("g++", "12.2.0");
  CompileCommand command;
  EXPECT_EQ(find_toolchain(command).value().describe(), "nvcc 13.0.88, g++ 12.2.0");
  command.compiler = own.string();
  EXPECT_EQ(find_toolchain(command).value().nvcc_version, "12.8.61");
}

TEST_F(ToolchainTest, TheChosenCompilerComesFirst) {
  CompileCommand command;
  command.compiler = program("nvcc", "Cuda compilation tools, release 13.0, V13.0.88").string();
  program("g++", "12.2.0");
  ::setenv("CUPILOT_NVCC", program("other", "Cuda compilation tools, release 12.8, V12.8.61").c_str(), 1);
  EXPECT_EQ(find_toolchain(command).value().nvcc_version, "12.8.61");
  ::unsetenv("CUPILOT_NVCC");
}

TEST_F(ToolchainTest, NamesTheHostCompilerTheUserChose) {
  program("nvcc", "Cuda compilation tools, release 13.0, V13.0.88");
  CompileCommand command;
  command.flags = {"-ccbin", program("g++-13", "13.3.0").string()};
  EXPECT_EQ(find_toolchain(command).value().host, "g++-13 13.3.0");
}

TEST_F(ToolchainTest, AsksTheDriverForTheArchitecture) {
  program("nvidia-smi", "9.0");
  EXPECT_EQ(local_architecture().value(), "sm_90");
}

TEST_F(ToolchainTest, WithoutAGpuSaysWhatToDo) {
  EXPECT_THAT(local_architecture().error().message, HasSubstr("no NVIDIA GPU here"));
  program("nvidia-smi", "NVIDIA-SMI has failed", 9);
  EXPECT_THAT(local_architecture().error().message, HasSubstr("--executor folder"));
  program("nvidia-smi", "No devices were found");
  EXPECT_THAT(local_architecture().error().message, HasSubstr("No devices were found"));
}

}  // namespace
}  // namespace cupilot
