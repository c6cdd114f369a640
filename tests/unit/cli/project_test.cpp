// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot::cli {
using namespace cupilot::cli::project;
using namespace cupilot::spec;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

KernelSpec spec_of(const std::string &name, const std::string &id, const std::string &source) {
  KernelSpec spec;
  spec.name = name;
  spec.kernel_id = id;
  spec.place = {source, 7, 1};
  spec.fingerprint.source = source;
  spec.command.architectures = {"sm_90"};
  return spec;
}

TEST(Project, JoinsTheUnitsOfOneKernel) {
  Project project;
  auto first = spec_of("k", "id", "a.cu"), second = spec_of("k", "id", "b.cu");
  second.command.architectures = {"sm_80", "sm_90"};
  second.launches = first.launches = {{{"h.cuh", 3, 1}, LaunchKind::triple_chevron, true}};
  second.launches.push_back({{"b.cu", 9, 1}, LaunchKind::graph, false});
  add_kernel(project, first, {"app", "/p/tuned"});
  add_kernel(project, second, {"app", "/p/tuned"});
  ASSERT_EQ(project.kernels.size(), 1u);
  EXPECT_EQ(project.kernels[0].fingerprints.size(), 2u);
  EXPECT_EQ(project.kernels[0].spec.launches.size(), 2u);
  EXPECT_THAT(project.kernels[0].spec.command.architectures, ElementsAre("sm_90", "sm_80"));
  EXPECT_TRUE(project.diagnostics.empty());
}

TEST(Project, RefusesTwoKernelsOfOneName) {
  Project project;
  add_kernel(project, spec_of("k", "one", "a.cu"), {"app", "/p/tuned"});
  add_kernel(project, spec_of("k", "two", "b.cu"), {"app", "/p/tuned"});
  EXPECT_EQ(project.kernels.size(), 1u);
  ASSERT_EQ(project.diagnostics.size(), 1u);
  EXPECT_THAT(project.diagnostics[0].message, HasSubstr("the other one is at a.cu:7"));
  EXPECT_FALSE(report_diagnostics(project));
}

TEST(Project, KeepsRecordsFoldersApart) {
  Project project;
  add_kernel(project, spec_of("k", "one", "a.cu"), {"app", "/p/tuned"});
  add_kernel(project, spec_of("k", "two", "b.cu"), {"lib", "/q/tuned"});
  EXPECT_EQ(project.kernels.size(), 2u);
  EXPECT_TRUE(project.diagnostics.empty());
}

TEST(Project, SelectsByNameAndSuggests) {
  Project project;
  for (const auto *name : {"rms_norm", "transpose"})
    add_kernel(project, spec_of(name, name, "a.cu"), {"", "/p/tuned"});
  EXPECT_EQ(select_kernels(project, {})->size(), 2u);
  const auto one = select_kernels(project, {"transpose"});
  ASSERT_TRUE(one);
  EXPECT_EQ((*one)[0].spec.name, "transpose");
  const auto none = select_kernels(project, {"rms_nrom"});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("did you mean 'rms_norm'?"));
  EXPECT_EQ(none.error().blame, Blame::user);
}

TEST(Project, PutsACompilerBeforeBareFlags) {
  EXPECT_THAT(compiler_command({}), ElementsAre("nvcc"));
  EXPECT_THAT(compiler_command({"-Iinc"}), ElementsAre("nvcc", "-Iinc"));
  EXPECT_THAT(compiler_command({"clang++", "-Iinc"}), ElementsAre("clang++", "-Iinc"));
}

}  // namespace
}  // namespace cupilot::cli
