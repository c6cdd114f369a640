// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/arch_guard.h"

#include <gtest/gtest.h>

namespace cupilot::launcher {
namespace {

constexpr const char *kOn90 = "\n#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 900\n";

TEST(ArchCondition, NamesVersionAndFeatureSet) {
  EXPECT_EQ(arch_condition("sm_80"), "!defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800");
  EXPECT_EQ(arch_condition("sm_120"), "!defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 1200");
  EXPECT_EQ(arch_condition("sm_90a"),
            "!defined(__CUDA_ARCH__) || (__CUDA_ARCH__ == 900 && defined(__CUDA_ARCH_FEAT_SM90_ALL))");
}

TEST(GuardKernelBodies, GuardsOnlyKernelsAndKeepsLineNumbers) {
  const std::string guarded = guard_kernel_bodies(
      "__device__ int f() { return 1; }\n"
      "__global__ void k(int *x) { if (x) { *x = f(); } }\n"
      "bool launch() { return true; }\n",
      "sm_90");
  EXPECT_EQ(guarded,
            "__device__ int f() { return 1; }\n"
            "__global__ void k(int *x) {" +
                std::string(kOn90) + "#line 2\n if (x) { *x = f(); } \n#endif\n#line 2\n}\n" +
                "bool launch() { return true; }\n");
}

TEST(GuardKernelBodies, SeesThroughCommentsLiteralsAndBrackets) {
  const std::string body =
      " char c = '}'; const char *s = \"}\"; /* } */ // }\n auto r = R\"x(})x\"; f([] { g(); }); ";
  const std::string guarded = guard_kernel_bodies(
      "template <class T> __global__ void __launch_bounds__(kThreads * 2) k(T *x, int n = f({1, 2})) {" +
          body + "}",
      "sm_90");
  EXPECT_NE(guarded.find(kOn90 + std::string("#line 1\n") + body + "\n#endif\n#line 2\n}"), std::string::npos)
      << guarded;
}

TEST(GuardKernelBodies, SeesPrefixedLiteralsAndContinuedComments) {
  const std::string body = " auto s = u8R\"(})\"; auto t = L\"}\"; // } \\\n }\n int x = 1'000; ";
  const std::string guarded = guard_kernel_bodies("__global__ void k() {" + body + "}\n", "sm_90");
  EXPECT_TRUE(guarded.contains(body + "\n#endif\n#line 3\n}\n")) << guarded;
}

TEST(GuardKernelBodies, LeavesDeclarationsAndMentionsAlone) {
  for (const char *text :
       {"__global__ void k(int *x);", "// __global__ void k() {}", "const char *s = \"__global__ {}\";",
        "__global__ void unfinished() { ", "int __global__x() {}"})
    EXPECT_EQ(guard_kernel_bodies(text, "sm_90"), text);
}

}  // namespace
}  // namespace cupilot::launcher
