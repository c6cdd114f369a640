// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/work.h"

namespace cupilot::schedule {
namespace {

using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

Expr parameter(const char *name) {
  return spec::named(ExprKind::parameter, name, "int");
}
Expr axis(const char *name) {
  return spec::named(ExprKind::axis, name, "int");
}

Statement loop(const char *name, Expr end, std::vector<Statement> body = {}) {
  return {.kind = StatementKind::loop,
          .name = name,
          .type = "int",
          .begin = spec::constant(0),
          .end = std::move(end),
          .step = spec::constant(1),
          .body = std::move(body)};
}

spec::KernelSpec spec_with(const std::vector<std::vector<spec::Assignment>> &sets) {
  spec::KernelSpec spec;
  for (const auto &set : sets) {
    spec::Workload workload;
    workload.set = set;
    workload.check = &set != &sets.front();
    spec.workloads.push_back(std::move(workload));
  }
  return spec;
}

TEST(Access, WhatIsBehindAConditionIsNotCertain) {
  const Expr i = axis("i");
  const Expr choice{ExprKind::select,
                    "",
                    "float",
                    {spec::load("mask", i, "bool"), spec::load("x", i, "float"), spec::constant(0)}};
  const Statement store{
      .kind = StatementKind::store, .name = "y", .type = "float", .value = choice, .index = i};
  const auto buffers = [](const std::vector<Access> &all) {
    std::vector<std::string> names;
    for (const Access &one : all) names.push_back(one.buffer);
    return names;
  };
  EXPECT_THAT(buffers(certain_accesses({store})), testing::ElementsAre("mask", "y"));
  EXPECT_THAT(buffers(all_accesses({store})), testing::ElementsAre("mask", "x", "y"));
  const Statement branch{
      .kind = StatementKind::branch, .value = spec::load("mask", i, "bool"), .body = {store}};
  EXPECT_THAT(buffers(certain_accesses({branch})), testing::ElementsAre("mask"));
}

TEST(Access, AStepOfAnAxisIsSeenThroughParentheses) {
  // (row * cols + c) + cols * 2
  const Expr index = spec::binary(
      "+", spec::binary("+", spec::binary("*", axis("row"), parameter("cols"), "int"), axis("c"), "int"),
      spec::binary("*", parameter("cols"), spec::constant(2), "int"), "int");
  EXPECT_TRUE(is_unit(index, "c"));
  EXPECT_FALSE(is_unit(index, "row"));
  EXPECT_EQ(pitch_of(index, "row")->text(), "cols");
  EXPECT_FALSE(pitch_of(spec::binary("/", axis("c"), spec::constant(2), "int"), "c"));
}

TEST(Access, AxesAreTakenFromOneNumber) {
  const Statement plane = loop("p", parameter("planes")), row = loop("r", parameter("rows"));
  EXPECT_EQ(unpack_text({&plane, &row}, "rest", false),
            "const int r = rest % rows;\nrest /= rows;\nconst int p = rest;\n");
  EXPECT_EQ(spec::to_text(count_of({&plane, &row})), "planes * rows");
  EXPECT_FALSE(unsuitable_axes({&plane, &row}));
}

TEST(Access, AxesThatDependOnEachOtherAreUnsuitable) {
  const Statement row = loop("r", parameter("rows")), triangle = loop("c", axis("r"));
  EXPECT_EQ(unsuitable_axes({&row, &triangle}), "the extent of one axis depends on another");
  const Statement sparse = loop("e", spec::load("count", spec::constant(0), "int"));
  EXPECT_EQ(unsuitable_axes({&sparse}), "the extent of an axis is in device memory");
}

TEST(Access, ASizeIsFixedIfAllWorkloadsHaveItAndItIsSmall) {
  const Statement filter = loop("s", parameter("r")), row = loop("c", parameter("cols"));
  const auto fixed = [&](const std::vector<std::vector<spec::Assignment>> &sets) {
    return fixed_sizes(spec_with(sets), {&filter, &row});
  };
  using Sizes = FixedSizes;
  EXPECT_EQ(fixed({{{"r", "3"}, {"cols", "512"}}, {{"r", "1 + 2"}, {"cols", "512"}}}), (Sizes{{"r", 3}}));
  EXPECT_EQ(fixed({{{"r", "3"}}, {{"r", "5"}}}), Sizes{});
  EXPECT_EQ(fixed({{{"r", "3"}}, {}}), Sizes{});
  EXPECT_EQ(fixed_checks({{"r", 3}}), "if (r != 3) return false;  // the compiler unrolls for this size\n");
}

TEST(Work, ASumOverATriangleIsHalfOfTheSquare) {
  const auto work = [](const Expr &end) {
    Statement terms = loop("k", end), rows = loop("row", parameter("n"));
    terms.body = {{.kind = StatementKind::fold,
                   .name = "sum",
                   .type = "float",
                   .op = "+",
                   .value = spec::load("x", axis("k"), "float")}};
    rows.body = {terms};
    spec::Lifted lifted;
    lifted.body = {rows};
    return work_of(lifted, {{"n", std::int64_t{64}}})->arithmetic;
  };
  EXPECT_DOUBLE_EQ(work(parameter("n")), 64 * 64);
  EXPECT_NEAR(work(axis("row")) / work(parameter("n")), 0.5, 0.01);
  // Of the outputs on the other side none has a term.
  EXPECT_NEAR(work(spec::binary("-", axis("row"), spec::constant(32), "int")) / work(parameter("n")), 0.125,
              0.01);
}

TEST(Access, TypicalValuesAreThoseOfTheTimedWorkload) {
  const Values values = typical_values(spec_with({{{"n", "1 << 4"}, {"m", "n * 2"}}, {{"n", "3"}}}));
  EXPECT_EQ(value_of(spec::binary("*", parameter("m"), parameter("n"), "int"), values), 512);
  EXPECT_FALSE(value_of(parameter("k"), values));
}

}  // namespace
}  // namespace cupilot::schedule
