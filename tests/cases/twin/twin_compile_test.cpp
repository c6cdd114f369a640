// SPDX-License-Identifier: Apache-2.0
//
// Twins through the real compiler: every construct of twin_constructs.cu, as original and as twin.
#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>

#include "annotate/rewrite/twin.h"
#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "evolution/judge/bundle/entry_source.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::bundle;
using namespace rewrite;
using namespace spec;
namespace {

Parameter half_pointer(const std::string &name, bool constant) {
  Parameter made = fake::pointer(name, constant ? "const __half *" : "__half *", constant);
  made.element = ElementType::f16, made.element_type = "__half", made.element_bytes = 2;
  return made;
}

KernelSpec constructs() {
  KernelSpec spec;
  spec.name = spec.qualified_name = "templated";
  spec.instantiation = "templated<__half, 32>";
  spec.slice = read_file(TWIN_CONSTRUCTS).value();
  spec.parameters = {half_pointer("x", true), half_pointer("y", false), fake::real("scale"),
                     fake::integer("n")};
  spec.command = {"/", "/constructs.cu", "nvcc", {"-std=c++17"}, {"sm_90"}};
  spec.twin = make_twin(spec);
  return spec;
}

TEST(TwinCompile, EveryConstructCompilesPromoted) {
  if (!find_program("nvcc")) {
    std::cout << "skipped: no nvcc in PATH\n";
    std::exit(77);
  }
  const KernelSpec spec = constructs();
  ASSERT_EQ(twin_missing(spec), "");
  const auto folder = TemporaryFolder::create("cupilot-twin").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "twin" / "entry.cu", twin_entry(spec)));
  ASSERT_TRUE(
      write_file_atomic(folder.path() / "include/cupilot/launch.cuh", read_file(LAUNCH_HEADER).value()));
  ProcessRequest request;
  request.folder = folder.path() / "twin";
  request.argv = {"nvcc", "-arch", "sm_90", "-std=c++17", "-ptx", "-o", "entry.ptx", "entry.cu"};
  const auto built = run_process(request).value();
  ASSERT_TRUE(built.ok()) << built.out << built.err;
  const auto ptx = read_file(folder.path() / "twin" / "entry.ptx").value();
  EXPECT_THAT(ptx, testing::HasSubstr("f64"));
  // The library's own double functions scale by powers of two in float (mul.f32, ex2.approx.ftz.f32).
  for (const char *narrow : {"add.f32", "fma.rn.f32", ".f16", ".bf16", "ld.global.f32", "ex2.approx.f32"})
    EXPECT_THAT(ptx, testing::Not(testing::HasSubstr(narrow)));
}

}  // namespace
}  // namespace cupilot
