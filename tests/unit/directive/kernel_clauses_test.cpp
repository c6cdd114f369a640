// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/kernel_clauses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/directive/data_assumption.h"
#include "annotate/directive/workload_roles.h"
#include "tests/unit/directive/lex_directive.h"

namespace cupilot {
using namespace directive;
using namespace spec;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const SourcePlace kPlace{"a.cu", 1, 1};

KernelFacts kernel() {
  KernelFacts facts;
  facts.name = "k";
  facts.parameters = {{"x", "const float *", true, true, false, ElementType::f32, "float", 4},
                      {"n", "int", false, false, false, ElementType::i32, "int", 4},
                      {"alpha", "float", false, false, false, ElementType::f32, "float", 4},
                      {"h", "__half", false, false, false, ElementType::f16, "__half", 2}};
  return facts;
}

struct ResolvedKernel {
  KernelClauses clauses;
  std::vector<std::string> messages;
};

ResolvedKernel resolve_kernel(const std::string &clauses) {
  std::vector<Diagnostic> diagnostics;
  const auto directive = parse_directive(lex_directive("optimize " + clauses, kPlace), kPlace, diagnostics);
  EXPECT_THAT(diagnostics, IsEmpty()) << clauses;
  ResolvedKernel resolved{
      resolve_optimize(std::get<OptimizeDirective>(directive->what), kernel(), diagnostics), {}};
  for (const auto &d : diagnostics)
    resolved.messages.push_back(std::to_string(d.place.column) + ": " + d.message);
  return resolved;
}

TEST(KernelClauses, PrecisionSaysItselfAsItIsWritten) {
  EXPECT_EQ(to_string(resolve_kernel("").clauses.precision), "same");
  EXPECT_EQ(to_string(resolve_kernel("precision(tf32)").clauses.precision), "tf32");
  EXPECT_EQ(to_string(resolve_kernel("precision(relaxed(1.0 / 100, 0))").clauses.precision),
            "relaxed(0.01, 0)");
  EXPECT_EQ(to_string(resolve_kernel("precision(relaxed(0, 1e-12))").clauses.precision), "relaxed(0, 1e-12)");
}

TEST(KernelClauses, RelaxedNeedsConstantsThatAllowSomething) {
  EXPECT_THAT(resolve_kernel("precision(relaxed(0, 0))").messages,
              ElementsAre(HasSubstr("no rounding at all")));
  EXPECT_THAT(resolve_kernel("precision(relaxed(-1, n))").messages,
              ElementsAre(HasSubstr("negative: -1"), HasSubstr("unknown name 'n'")));
}

TEST(KernelClauses, AssumptionsAreAboutScalarsOnly) {
  const auto good = resolve_kernel("assume(n % 4 == 0, alpha > 0.5f)");
  EXPECT_THAT(good.messages, IsEmpty());
  ASSERT_EQ(good.clauses.assumptions.size(), 2u);
  EXPECT_EQ(good.clauses.assumptions[0].expression, "n % 4 == 0");
  const auto bad = resolve_kernel("assume(m > 0, x, 3 > 2, h > 0, n +)");
  EXPECT_THAT(bad.messages, ElementsAre(HasSubstr("'m' is not a parameter"), HasSubstr("'x' is a pointer"),
                                        HasSubstr("is a constant"), HasSubstr("'h' of type '__half'"),
                                        HasSubstr("operand")));
  EXPECT_THAT(bad.clauses.assumptions, IsEmpty());
}

TEST(KernelClauses, AWorkloadThatBreaksAnAssumptionIsNamed) {
  Workload odd;
  odd.id = "odd";
  odd.set = {{"half", "3"}, {"n", "half * 2 + 1"}};
  odd.place = {"/somewhere/a.cu", 7, 1};
  std::vector<Diagnostic> diagnostics;
  check_assumptions({{"n % 2 == 1", kPlace}}, {odd}, diagnostics);
  EXPECT_THAT(diagnostics, IsEmpty());
  check_assumptions({{"n % 4 == 0", kPlace}, {"n % (n - 7) == 0", kPlace}}, {odd}, diagnostics);
  ASSERT_EQ(diagnostics.size(), 2u);
  EXPECT_EQ(diagnostics[0].message, "workload 'odd' (a.cu:7) breaks the assumption 'n % 4 == 0': n = 7");
  EXPECT_THAT(diagnostics[1].message, HasSubstr("cannot be evaluated"));
}

std::vector<std::string> roles(const std::vector<std::string> &workloads) {
  std::vector<Diagnostic> diagnostics;
  std::vector<WorkloadDirective> directives;
  for (const auto &text : workloads) {
    auto directive = parse_directive(lex_directive("workload " + text, kPlace), kPlace, diagnostics);
    directives.push_back(std::get<WorkloadDirective>(directive->what));
  }
  EXPECT_THAT(diagnostics, IsEmpty());
  check_workload_roles(directives, diagnostics);
  std::vector<std::string> messages;
  for (const auto &diagnostic : diagnostics) messages.push_back(diagnostic.message);
  return messages;
}

TEST(WorkloadRoles, SomethingIsLeftToSearchWith) {
  EXPECT_THAT(roles({}), IsEmpty());
  EXPECT_THAT(roles({"check", "check"}), IsEmpty());
  EXPECT_THAT(roles({"weight(2)", "weight(0)", "holdout", "check holdout"}), IsEmpty());
  EXPECT_THAT(roles({"holdout"}), ElementsAre(HasSubstr("the only workload")));
  EXPECT_THAT(roles({"holdout", "check holdout"}), ElementsAre(HasSubstr("all workloads are hold-outs")));
  EXPECT_THAT(roles({"check", "holdout"}), ElementsAre(HasSubstr("only hold-outs are timed")));
  EXPECT_THAT(roles({"weight(0)", "weight(0.0)", "holdout"}), ElementsAre(HasSubstr("the weight 0")));
  EXPECT_THAT(roles({"weight(3) check", ""}), ElementsAre(HasSubstr("never timed")));
}

TEST(KernelClauses, AssumptionsMayBeAboutData) {
  const auto good = resolve_kernel("assume(finite(x), range(x, -1e4, 2 * 1e4), n > 0)");
  EXPECT_THAT(good.messages, IsEmpty());
  ASSERT_EQ(good.clauses.assumptions.size(), 3u);
  const auto finite = data_assumption(good.clauses.assumptions[0].expression);
  ASSERT_TRUE(finite);
  EXPECT_EQ(finite->parameter, "x");
  EXPECT_FALSE(finite->ranged);
  const auto range = data_assumption(good.clauses.assumptions[1].expression);
  ASSERT_TRUE(range);
  EXPECT_TRUE(range->ranged);
  EXPECT_EQ(range->low, -1e4);
  EXPECT_EQ(range->high, 2e4);
  EXPECT_FALSE(data_assumption(good.clauses.assumptions[2].expression));
}

TEST(KernelClauses, AssumptionsAboutDataNameABufferAndARange) {
  EXPECT_THAT(
      resolve_kernel("assume(finite(z), finite(alpha), finite(x, n), range(x, 1, -1), range(x, 0, n))")
          .messages,
      ElementsAre(HasSubstr("'z' is not a parameter"), HasSubstr("'alpha' is no buffer of floating-point"),
                  HasSubstr("write finite(x)"), HasSubstr("the range is empty"),
                  HasSubstr("a bound of range(...) is a constant")));
}

TEST(KernelClauses, AWorkloadKeepsWhatIsPromisedOfItsData) {
  const auto check = [](FillKind kind, double a, double b) {
    Workload workload;
    workload.id = "w";
    workload.place = kPlace;
    BufferUse use;
    use.parameter = "x";
    use.fill.kind = kind;
    use.fill.a = a, use.fill.b = b;
    workload.buffers = {use};
    std::vector<Diagnostic> diagnostics;
    check_assumptions({{"range(x, 0, 1)", kPlace}}, {workload}, diagnostics);
    return diagnostics.empty() ? std::string() : diagnostics[0].message;
  };
  EXPECT_EQ(check(FillKind::uniform, 0, 1), "");
  EXPECT_EQ(check(FillKind::normal, 0, 1), "");
  EXPECT_EQ(check(FillKind::uniform, -1, 1),
            "workload 'w' (a.cu:1) fills 'x' with other values than 'range(x, 0, 1)' promises");
}

}  // namespace
}  // namespace cupilot
