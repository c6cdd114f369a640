// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/spec/lifted_text.h"

namespace cupilot::schedule {
namespace {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;
using testing::HasSubstr;

spec::KernelSpec reading(const char *size) {
  spec::KernelSpec spec;
  spec.name = spec.qualified_name = "sum";
  spec.parameters = {{.name = "x", .type = "const float *", .pointer = true, .element_bytes = 4},
                     {.name = "y", .type = "float *", .pointer = true, .element_bytes = 4},
                     {.name = size, .type = "int"}};
  const Expr i = spec::named(ExprKind::axis, "i", "int");
  Statement store{.kind = StatementKind::store, .name = "y", .type = "float", .index = i};
  store.value = {ExprKind::call, "team_sum", "float", {spec::load("x", i, "float")}};
  spec.lifted.body = {{.kind = StatementKind::loop,
                       .name = "i",
                       .type = "int",
                       .begin = spec::constant(0),
                       .end = spec::named(ExprKind::parameter, size, "int"),
                       .step = spec::constant(1),
                       .body = {store}}};
  return spec;
}

TEST(Frame, NamesDifferFromTheKernelsOwn) {
  EXPECT_EQ(with_fresh_names("$l.stream, $i, $team_sum($i)", reading("n")), "l.stream, i_, team_sum_(i_)");
  EXPECT_EQ(with_fresh_names("$l.stream", reading("l")), "l_.stream");
}

TEST(Frame, LinesAreBrokenButNotInStrings) {
  const std::string word(50, 'x');
  EXPECT_EQ(wrapped("f(" + word + ", " + word + ", " + word + ");"),
            "f(" + word + ", " + word + ",\n    " + word + ");\n");
  const std::string text = "asm(\"" + word + ", " + word + ", " + word + "\");";
  EXPECT_EQ(wrapped(text), text + "\n");
}

TEST(Frame, LaunchTestsWhatTheFormNeeds) {
  spec::KernelSpec spec = reading("n");
  spec.lifted.needs = {{spec::binary(">=", spec::named(ExprKind::parameter, "grid.x", "int"),
                                     spec::named(ExprKind::parameter, "n", "int"), "bool"),
                        "every i has a block"}};
  spec.lifted.apart = {{"x", "y"}};
  const auto checks = launch_checks(spec);
  ASSERT_TRUE(checks);
  EXPECT_THAT(*checks, HasSubstr("// every i has a block\nif ($l.grid.x < n) return false;\n"));
  EXPECT_THAT(*checks, HasSubstr("if (!$l.disjoint(x, "));
}

TEST(Frame, WhatIsDividedByIsNotZero) {
  spec::KernelSpec spec = reading("n");
  spec.lifted.body[0].end =
      spec::binary("/", spec::constant(100), spec::named(ExprKind::parameter, "n", "int"), "int");
  EXPECT_THAT(launch_checks(spec).value(), HasSubstr("if (n == 0) return false;\n"));
}

TEST(Frame, BuffersOfUnknownExtentAreNotKnownToBeApart) {
  spec::KernelSpec spec = reading("n");
  spec.lifted.apart = {{"x", "y"}};
  const Expr gathered = spec::load("start", spec::named(ExprKind::axis, "i", "int"), "int");
  spec.lifted.body[0].body[0].value = spec::load("x", gathered, "float");
  const auto checks = launch_checks(spec);
  ASSERT_FALSE(checks);
  EXPECT_THAT(checks.error().reason, HasSubstr("'x' and 'y' may overlap (neither is __restrict__)"));
}

}  // namespace
}  // namespace cupilot::schedule
