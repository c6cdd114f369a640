// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/located.h"

#include <gtest/gtest.h>

#include "tests/fakes/sample_spec.h"

namespace cupilot::cli {
using namespace cupilot::cli::project;
using namespace cupilot::spec;
namespace {

KernelSpec spec() {
  auto made = fake::scale_spec();
  made.workloads.push_back(made.workloads[0]);
  made.workloads[1].id = "tiny";
  made.workloads[1].place.line = 4;
  return made;
}

Diagnostic about(const std::string &message) {
  return located({message, Blame::user}, spec());
}

TEST(Located, FindsTheWorkloadItNames) {
  const auto said =
      about("tuning demo.scale: judging bundle demo.scale-0001: workload 'tiny': y does not depend on x");
  EXPECT_EQ(said.message, "workload 'tiny': y does not depend on x");
  EXPECT_EQ(said.place, (SourcePlace{"scale.cu", 4, 1}));
  EXPECT_EQ(render(said), "scale.cu:4:1: error: workload 'tiny': y does not depend on x\n");
}

TEST(Located, FallsBackToTheKernel) {
  EXPECT_EQ(about("the original races").place, (SourcePlace{"scale.cu", 5, 1}));
}

TEST(Located, APlaceInTheMessageIsSaidOnce) {
  const auto said = about("scale.cu:3:40: workload 'big': extent of 'x': division by zero");
  EXPECT_EQ(said.place.column, 40);
  EXPECT_EQ(said.message, "workload 'big': extent of 'x': division by zero");
}

}  // namespace
}  // namespace cupilot::cli
