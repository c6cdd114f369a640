// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune/cutlass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "annotate/support/files.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot::cli {
using namespace cupilot::cli::project;
using namespace cupilot::cli::tune;
namespace {

using testing::HasSubstr;

ProjectKernel kernel_with(const std::string &line) {
  ProjectKernel kernel;
  kernel.spec = fake::scale_spec();
  kernel.spec.slice = line + "\n" + kernel.spec.slice;
  kernel.target = "app";
  return kernel;
}

TEST(Cute, AVariantSeesWhatItsFileIncludes) {
  EXPECT_TRUE(check_cute({kernel_with("#include <cute/tensor.hpp>")}));
  EXPECT_TRUE(check_cute({kernel_with("#  include <cutlass/numeric_types.h>")}));
  EXPECT_FALSE(check_cute({kernel_with("// #include <cute/tensor.hpp>")}));
}

TEST(Cute, TheWayOutNamesTheHeadersThatAreHere) {
  const auto folder = TemporaryFolder::create("cupilot-cutlass");
  ASSERT_TRUE(write_file_atomic(folder->path() / "include" / "cute" / "tensor.hpp", ""));
  ::setenv("CUTLASS_DIR", folder->path().c_str(), 1);
  EXPECT_EQ(find_cutlass_headers(), folder->path() / "include");
  const auto refused = check_cute({kernel_with("#include <cuda_fp16.h>")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().blame, Blame::user);
  EXPECT_THAT(refused.error().message, HasSubstr("target_include_directories(app SYSTEM PRIVATE " +
                                                 (folder->path() / "include").string() + ")"));
  ::setenv("CUTLASS_DIR", "/nowhere", 1);
  EXPECT_FALSE(find_cutlass_headers());
  ::unsetenv("CUTLASS_DIR");
}

}  // namespace
}  // namespace cupilot::cli
