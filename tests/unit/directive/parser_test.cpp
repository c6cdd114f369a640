// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/directive/directive.h"
#include "tests/unit/directive/lex_directive.h"

namespace cupilot {
using namespace directive;
using namespace spec;
namespace {

struct Parsed {
  std::optional<Directive> directive;
  std::vector<Diagnostic> diagnostics;
};

Parsed parse(std::string_view text) {
  Parsed parsed;
  const SourcePlace place{"a.cu", 1, 1};
  parsed.directive = parse_directive(lex_directive(text, place), place, parsed.diagnostics);
  return parsed;
}

TEST(Parser, ReadsOptimize) {
  const auto parsed = parse("optimize name(fast_one) precision(same)");
  EXPECT_THAT(parsed.diagnostics, testing::IsEmpty());
  ASSERT_TRUE(parsed.directive);
  const auto &optimize = std::get<OptimizeDirective>(parsed.directive->what);
  EXPECT_EQ(optimize.name->text(), "fast_one");
  EXPECT_FALSE(std::get<OptimizeDirective>(parse("optimize").directive->what).name);
}

TEST(Parser, ReadsWhatTheJudgeIsTold) {
  const auto parsed =
      parse("optimize precision(relaxed(1e-2, 0)) assume(n > 0, m % 4 == 0) assume(k) deterministic");
  EXPECT_THAT(parsed.diagnostics, testing::IsEmpty());
  const auto &optimize = std::get<OptimizeDirective>(parsed.directive->what);
  EXPECT_EQ(optimize.precision.kind, PrecisionKind::relaxed);
  ASSERT_EQ(optimize.precision.arguments.size(), 2u);
  EXPECT_EQ(optimize.precision.arguments[0].text(), "1e-2");
  ASSERT_EQ(optimize.assumptions.size(), 3u);
  EXPECT_EQ(optimize.assumptions[1].text(), "m % 4 == 0");
  EXPECT_TRUE(optimize.deterministic);
  const auto workload = parse("workload weight(1 + 1) holdout");
  EXPECT_EQ(std::get<WorkloadDirective>(workload.directive->what).weight->text(), "1 + 1");
  EXPECT_TRUE(std::get<WorkloadDirective>(workload.directive->what).holdout);
}

TEST(Parser, ReadsEveryWorkloadClause) {
  const auto parsed = parse(
      "workload(big) set(n = 1 << 20, m = max(n, 2)) in(x[n], w[(n + 1) * 2]) out(y[n]) inout(z[m]) "
      "scratch(t[4])"
      " fill(x = normal(0, 1), w = iota, z = file(\"z.npy\")) launch(dim3((n + 255) / 256, 2), 256, n * 4) "
      "check");
  EXPECT_THAT(parsed.diagnostics, testing::IsEmpty());
  const auto &workload = std::get<WorkloadDirective>(parsed.directive->what);
  EXPECT_EQ(workload.id->text(), "big");
  ASSERT_EQ(workload.set.size(), 2u);
  EXPECT_EQ(workload.set[1].value.text(), "max(n, 2)");
  ASSERT_EQ(workload.buffers.size(), 5u);
  EXPECT_EQ(workload.buffers[1].extent.text(), "(n + 1) * 2");
  EXPECT_EQ(workload.buffers[3].role, BufferRole::inout);
  ASSERT_EQ(workload.fills.size(), 3u);
  EXPECT_EQ(workload.fills[0].arguments.size(), 2u);
  EXPECT_EQ(workload.fills[2].kind, FillKind::file);
  EXPECT_EQ(workload.launch->grid[0].text(), "(n + 255) / 256");
  EXPECT_EQ(workload.launch->grid[1].text(), "2");
  EXPECT_EQ(workload.launch->block[0].text(), "256");
  EXPECT_EQ(workload.launch->shared_bytes.text(), "n * 4");
  EXPECT_TRUE(workload.check);
}

struct BadText {
  const char *text;
  int column;
  const char *message, *remedy;
};
class BadDirective : public testing::TestWithParam<BadText> {};

TEST_P(BadDirective, IsRefusedOnceAtItsPlace) {
  const auto parsed = parse(GetParam().text);
  ASSERT_EQ(parsed.diagnostics.size(), 1u) << GetParam().text;
  EXPECT_EQ(parsed.diagnostics[0].place.column, GetParam().column);
  EXPECT_EQ(parsed.diagnostics[0].message, GetParam().message);
  EXPECT_THAT(parsed.diagnostics[0].remedy, testing::HasSubstr(GetParam().remedy));
  EXPECT_TRUE(!parsed.directive || parsed.directive->broken);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadDirective,
    testing::Values(
        BadText{"", 1, "a directive is missing after 'cupilot'", "optimize"},
        BadText{"optimise", 1, "unknown directive 'optimise'", "did you mean 'optimize'?"},
        BadText{"harness(k)", 1, "directive 'harness' is not supported yet", "workload"},
        BadText{"optimize precison(same)", 10, "unknown clause 'precison'", "did you mean 'precision'?"},
        BadText{"optimize set(n = 1)", 10, "clause 'set' does not belong to 'cupilot optimize'",
                "cupilot workload"},
        BadText{"workload name(x)", 10, "clause 'name' does not belong to 'cupilot workload'",
                "cupilot optimize"},
        BadText{"optimize, name(x)", 9, "unexpected ','", "separated by blanks"},
        BadText{"optimize name", 14, "expected '(' before the end of the directive", "name(identifier)"},
        BadText{"optimize name(3)", 15, "expected a name before '3'", "name(identifier)"},
        BadText{"optimize name(a b)", 17, "unexpected 'b' in 'name'", "name(identifier)"},
        BadText{"optimize name(a) name(b)", 18, "clause 'name' appears twice", "keep one"},
        BadText{"optimize precision(relaxed(1))", 20, "wrong number of arguments for precision 'relaxed'",
                "relaxed(relative, absolute)"},
        BadText{"optimize precision(sane)", 20, "unknown precision 'sane'", "did you mean 'same'?"},
        BadText{"optimize assume()", 17, "expected an expression before ')'", "assume(n % 4 == 0)"},
        BadText{"optimize deterministic(1)", 23, "clause 'deterministic' takes no arguments",
                "write deterministic"},
        BadText{"optimize instantiate(float)", 10, "clause 'instantiate' is not supported yet", "known here"},
        BadText{"workload weight", 16, "expected '(' before the end of the directive", "weight(2)"},
        BadText{"workload holdout holdout", 18, "clause 'holdout' appears twice", "keep one"},
        BadText{"workload(3) check", 10, "expected a name in parentheses before '3'", "workload(small)"},
        BadText{"workload set(n = 1", 10, "the parenthesis of 'set' is never closed", "set("},
        BadText{"workload set(n)", 15, "expected '=' before ')'", "set(n = 1 << 20"},
        BadText{"workload set(n =)", 17, "expected an expression before ')'", "set("},
        BadText{"workload in(x)", 13, "the size of 'x' is missing", "write in(x[elements])"},
        BadText{"workload in(x[])", 15, "expected an expression before ']'", "in(x[n])"},
        BadText{"workload in(x[n], )", 19, "expected a name before ')'", "in(x[n])"},
        BadText{"workload fill(x = norml(0, 1))", 19, "unknown fill 'norml'", "did you mean 'normal'?"},
        BadText{"workload fill(x = csr(1))", 19, "fill 'csr' is not supported yet", "known here"},
        BadText{"workload fill(x = randint)", 19, "wrong number of arguments for fill 'randint'",
                "randint(low, high)"},
        BadText{"workload fill(x = normal(1))", 19, "wrong number of arguments for fill 'normal'", "normal("},
        BadText{"workload launch(1)", 18, "expected ',' before ')'", "launch((n"},
        BadText{"workload launch(dim3(1,2,3,4), 1)", 28, "dim3 has at most three sizes", "dim3(x, y, z)"},
        BadText{"workload launch(1, 2, 3, 4)", 24, "unexpected ',' in 'launch'", "launch("}));

TEST(Parser, ReportsAllProblemsAtOnce) {
  const auto parsed = parse("workload st(n = 1) in(x) out(y[n]) fill(y = foo) holdout(1)");
  std::vector<std::string> messages;
  for (const auto &diagnostic : parsed.diagnostics) messages.push_back(diagnostic.message);
  EXPECT_THAT(messages, testing::ElementsAre("unknown clause 'st'", "the size of 'x' is missing",
                                             "unknown fill 'foo'", "clause 'holdout' takes no arguments"));
  EXPECT_EQ(std::get<WorkloadDirective>(parsed.directive->what).buffers.size(), 1u);
}

}  // namespace
}  // namespace cupilot
