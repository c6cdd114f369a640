// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/annotation.h"

#include <gtest/gtest.h>

#include "annotate/spec/kernel_spec_json.h"

namespace cupilot::cli {
using namespace cupilot::cli::project;
using namespace cupilot::spec;
namespace {

TEST(Annotation, TakesSpecsDiagnosticsAndTheEnd) {
  KernelSpec spec;
  spec.name = "rms_norm";
  const Diagnostic diagnostic{Severity::warning, {"a.cu", 3, 4}, "odd", "line", "write it so"};
  Annotation annotation;
  ASSERT_TRUE(take_line("{\"spec\":" + to_json(spec) + "}", annotation));
  ASSERT_TRUE(take_line("{\"diagnostic\":" + to_json(diagnostic) + "}", annotation));
  EXPECT_FALSE(annotation.done);
  ASSERT_TRUE(take_line("{\"done\":{\"files\":1,\"kernels\":1}}", annotation));
  EXPECT_TRUE(annotation.done);
  ASSERT_EQ(annotation.specs.size(), 1u);
  EXPECT_EQ(annotation.specs[0].name, "rms_norm");
  ASSERT_EQ(annotation.diagnostics.size(), 1u);
  EXPECT_EQ(annotation.diagnostics[0], diagnostic);
}

TEST(Annotation, PassesOverWhatALaterVersionSays) {
  Annotation annotation;
  EXPECT_TRUE(take_line("{\"note_of_version_2\":{}}", annotation));
}

TEST(Annotation, RefusesDamagedLines) {
  Annotation annotation;
  EXPECT_FALSE(take_line("not json", annotation));
  EXPECT_FALSE(take_line("[]", annotation));
  EXPECT_FALSE(take_line("{\"spec\":{\"cupilot_spec\":1}}", annotation));
  EXPECT_FALSE(take_line("{\"spec\":{\"cupilot_spec\":99}}", annotation));
}

}  // namespace
}  // namespace cupilot::cli
