// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evolution/judge/sandbox/landlock.h"
#include "evolution/judge/tools/short_paths.h"

namespace cupilot {
using namespace judge::tools;
using namespace model;
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char *kLog =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z1aPf\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 20 registers, used 1 barriers, 400 bytes smem\n"
    "entry.cu(7): warning #177-D: variable \"k\" was declared but never referenced\n"
    "ptxas info    : Compiling entry function '_Z1bPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z1bPf\n"
    "    48 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
    "ptxas info    : Used 255 registers, used 0 barriers, 48 bytes cumulative stack size\n";

TEST(ParsePtxas, ReadsEveryKernel) {
  const auto kernels = parse_ptxas(kLog);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].symbol, "_Z1aPf");
  EXPECT_EQ(kernels[0].registers, 20);
  EXPECT_EQ(kernels[0].shared_bytes, 400);
  EXPECT_EQ(kernels[0].spill_bytes, 0);
  EXPECT_EQ(kernels[1].registers, 255);
  EXPECT_EQ(kernels[1].spill_bytes, 32);
  EXPECT_TRUE(parse_ptxas("error: no").empty());
}

TEST(CompilerTalk, KeepsWhatAPersonNeeds) {
  EXPECT_EQ(compiler_talk(kLog),
            "entry.cu(7): warning #177-D: variable \"k\" was declared but never referenced\n");
}

TEST(BuildCommand, HasArchitectureFlagsAndIncludes) {
  Bundle bundle;
  bundle.flags = {"-DN=3", "-std=c++17"};
  const auto command = build_command({bundle, "/b", {"-arch=sm_90a"}}, "/b/original");
  const auto has = [&](const std::string &word) {
    return std::find(command.begin(), command.end(), word) != command.end();
  };
  EXPECT_TRUE(has("-arch=sm_90a"));
  EXPECT_TRUE(has("-DN=3"));
  EXPECT_TRUE(has("/b/include"));
  EXPECT_TRUE(has("/b/original/entry.so"));
}

/// A bundle in a home folder of its own, and a script in place of nvcc.
struct FencedBuild : testing::Test {
  FencedBuild() {
    for (const char *name : kVariables) {
      const char *value = std::getenv(name);
      before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
      ::unsetenv(name);
    }
    std::filesystem::remove_all(top);
    std::filesystem::create_directories(build);
    put(top / "secret", "token-of-the-user\n");
    put(top / "bin" / "tool", "");
    ::setenv("HOME", top.c_str(), 1);
    ::setenv("PATH", (top / "bin:/usr/bin:/bin").c_str(), 1);
  }
  ~FencedBuild() override {
    for (const auto &[name, value] : before_) value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
    std::filesystem::remove_all(top);
  }
  static void put(const std::filesystem::path &file, const std::string &text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  /// The log of a build with this script as nvcc.
  std::string log(const std::string &script, std::vector<std::string> flags = {}) {
    const auto nvcc = top / "tools" / "nvcc";
    put(nvcc, "#!/bin/sh\n" + script + "\nexit 1\n");
    std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
    ::setenv("CUPILOT_NVCC", nvcc.c_str(), 1);
    Bundle bundle;
    bundle.flags = std::move(flags);
    const auto built = build_entry({bundle, build.parent_path().parent_path(), {}}, build);
    return built ? built->report.log : "no build: " + built.error().message;
  }
  std::string shown(const std::filesystem::path &file, std::vector<std::string> flags = {}) {
    return log("cat " + file.string() + " 2>&1", std::move(flags));
  }

  static constexpr const char *kVariables[] = {"HOME",
                                               "PATH",
                                               "CUPILOT_NVCC",
                                               "CUPILOT_SANDBOX",
                                               "NVCC_CCBIN",
                                               "CUDA_HOME",
                                               "CUPILOT_COMPILER_FILES",
                                               "CUPILOT_COMPILER_FILE_MB",
                                               "CUPILOT_COMPILER_MEMORY_MB"};
  const std::filesystem::path top =
      std::filesystem::path(testing::TempDir()) / ("fenced" + std::to_string(::getpid()));
  const std::filesystem::path build = top / "project" / "bundle" / "candidates" / "c1";
  std::vector<std::pair<const char *, std::optional<std::string>>> before_;
};

TEST_F(FencedBuild, AFolderInPathOpensNothingOfTheHomeFolder) {
  if (!judge::sandbox::has_landlock()) GTEST_SKIP() << "no Landlock here";
  EXPECT_THAT(shown(top / "secret"), Not(HasSubstr("token-of-the-user")));
  EXPECT_THAT(shown(top / "secret"), HasSubstr("CUPILOT_COMPILER_FILES"));
  for (const std::string &flag : std::vector<std::string>{"-I" + top.string(), "-DHOME=" + top.string()})
    EXPECT_THAT(shown(top / "secret", {flag}), Not(HasSubstr("token-of-the-user"))) << flag;
  put(top / "bin" / "g++", "");  // a compiler, but in no installation
  EXPECT_THAT(shown(top / "secret"), Not(HasSubstr("token-of-the-user")));
  put(top / "lib" / "gcc" / "x", "");
  EXPECT_THAT(shown(top / "secret"), Not(HasSubstr("token-of-the-user")));
}

TEST_F(FencedBuild, TheEnvironmentIsNoFile) {
  if (!judge::sandbox::has_landlock()) GTEST_SKIP() << "no Landlock here";
  ::setenv("CUPILOT_TEST_KEY", "key-of-the-user", 1);
  EXPECT_THAT(shown("/proc/self/environ"), Not(HasSubstr("key-of-the-user")));
  ::unsetenv("CUPILOT_TEST_KEY");
}

TEST_F(FencedBuild, WhatACompilerNeedsIsReadable) {
  if (!judge::sandbox::has_landlock()) GTEST_SKIP() << "no Landlock here";
  put(build / "entry.cu", "the candidate\n");
  put(top / "project" / "include" / "own.h", "a header of the project\n");
  put(top / "gcc" / "bin" / "g++", "");
  put(top / "gcc" / "lib" / "gcc" / "x.h", "a header of the compiler\n");
  put(top / "more" / "y.h", "a header from elsewhere\n");
  EXPECT_THAT(shown(build / "entry.cu"), HasSubstr("the candidate"));
  EXPECT_THAT(shown(top / "project/include/own.h", {"-I" + (top / "project/include").string()}),
              HasSubstr("a header of the project"));
  const auto header = top / "gcc/lib/gcc/x.h";
  EXPECT_THAT(shown(header), Not(HasSubstr("a header of the compiler")));
  EXPECT_THAT(shown(header, {"-ccbin", (top / "gcc/bin/g++").string()}),
              HasSubstr("a header of the compiler"));
  EXPECT_THAT(shown(header, {"-ccbin=" + (top / "gcc/bin").string()}), HasSubstr("a header of the compiler"));
  ::setenv("PATH", (top / "gcc/bin:/usr/bin:/bin").c_str(), 1);
  EXPECT_THAT(shown(header), HasSubstr("a header of the compiler"));
  ::setenv("CUPILOT_COMPILER_FILES", (top / "more").c_str(), 1);
  EXPECT_THAT(shown(top / "more/y.h"), HasSubstr("a header from elsewhere"));
}

TEST_F(FencedBuild, FilesAndMemoryHaveLimits) {
  ::setenv("CUPILOT_COMPILER_FILE_MB", "1", 1);
  EXPECT_THAT(log("head -c 3000000 /dev/zero > big; wc -c < big"), HasSubstr("1048576\n"));
  EXPECT_THAT(log("head -c 3000000 /dev/zero > big || echo died: File size limit exceeded"),
              HasSubstr("CUPILOT_COMPILER_FILE_MB"));
  ::setenv("CUPILOT_COMPILER_FILE_MB", "0", 1);
  EXPECT_THAT(log("head -c 3000000 /dev/zero > big; wc -c < big"), HasSubstr("3000000\n"));
  ::setenv("CUPILOT_COMPILER_MEMORY_MB", "50", 1);
  const std::string hungry = "(x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo held) 2>&1";
  EXPECT_THAT(log(hungry), Not(HasSubstr("held\n")));
  ::setenv("CUPILOT_COMPILER_MEMORY_MB", "much", 1);
  EXPECT_THAT(log(""), HasSubstr("CUPILOT_COMPILER_MEMORY_MB='much' is not a number of MiB"));
}

TEST_F(FencedBuild, TheLogHasNoPathsOfThisMachine) {
  const auto text = log("echo \"" + (build / "entry.cu").string() + "(3): error: no\"; echo \"" +
                        (top / "project/own.h").string() + ":7: error: x = a/b;\"; echo \"" +
                        (top / "tools/x.h").string() + "(1): note\"");
  EXPECT_THAT(text, HasSubstr("<build>/entry.cu(3): error: no\n"));
  EXPECT_THAT(text, HasSubstr("own.h:7: error: x = a/b;\n"));
  EXPECT_THAT(text, Not(HasSubstr(top.filename().string())));
}

TEST(ShortPaths, KeepsTheNamesOfFiles) {
  const std::vector<NamedFolder> folders{{"/tmp/b/candidates/c1", "<build>"}, {"/tmp/b", "<bundle>"}};
  EXPECT_EQ(short_paths("/tmp/b/candidates/c1/entry.cu(12): error: no such y", folders),
            "<build>/entry.cu(12): error: no such y");
  EXPECT_EQ(short_paths("In file included from /tmp/b/include/cupilot/launch.cuh:3,\n from '/tmp/bc/d/x.h'",
                        folders),
            "In file included from <bundle>/include/cupilot/launch.cuh:3,\n from 'x.h'");
  EXPECT_EQ(short_paths("nvcc -I/tmp/u/inc --x=/tmp/u/y.h /tmp/b", folders), "nvcc -Iinc --x=y.h <bundle>");
  EXPECT_EQ(short_paths("/usr/include/stdio.h:1: note", folders), "/usr/include/stdio.h:1: note");
  for (const char *code :
       {"y = a/b/c; // half", "x /nowhere/z", "z = 1 / 2 /tmp_a/3", "/* c */", "//tmp/x", "/"})
    EXPECT_EQ(short_paths(code, folders), code);
}

}  // namespace
}  // namespace cupilot
