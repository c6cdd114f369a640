// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/build.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cupilot {
using namespace judge::tools;
using namespace model;
namespace {

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

}  // namespace
}  // namespace cupilot
