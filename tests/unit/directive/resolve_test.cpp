// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/resolve.h"
#include "tests/unit/directive/lex_directive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace directive;
using namespace spec;
namespace {

Parameter scalar(std::string name, ElementType type, std::string spelling) {
  return {std::move(name), spelling, false, false, false, type, spelling, 4};
}
Parameter pointer(std::string name, ElementType type, std::string spelling, bool is_const,
                  std::size_t bytes = 4) {
  return {std::move(name), spelling + " *", true, is_const, false, type, spelling, bytes};
}

KernelFacts launched_kernel() {
  LaunchShape shape;
  shape.grid[0] = "(n + 255) / 256";
  shape.block[0] = "256";
  return {"k",
          {pointer("x", ElementType::f32, "float", true), pointer("y", ElementType::f32, "float", false),
           scalar("n", ElementType::i32, "int"), scalar("alpha", ElementType::f32, "float")},
          "/nowhere",
          shape,
          ""};
}

struct ResolvedWorkload {
  Workload workload;
  std::vector<std::string> messages;
  std::vector<Diagnostic> diagnostics;
};

ResolvedWorkload resolve(const std::string &clauses, const KernelFacts &facts = launched_kernel()) {
  ResolvedWorkload resolved;
  const SourcePlace place{"a.cu", 1, 1};
  auto directive = parse_directive(lex_directive("workload " + clauses, place), place, resolved.diagnostics);
  EXPECT_THAT(resolved.diagnostics, testing::IsEmpty()) << clauses;
  resolved.workload =
      resolve_workload(std::get<WorkloadDirective>(directive->what), facts, resolved.diagnostics);
  for (const auto &diagnostic : resolved.diagnostics)
    resolved.messages.push_back(std::to_string(diagnostic.place.column) + ": " + diagnostic.message);
  return resolved;
}

const std::string kScalars = "set(n = 1000, alpha = 0.5) ";      // 27 characters
const std::string kGood = kScalars + "in(x[n]) out(y[n * 2]) ";  // the next clause starts in column 60

TEST(Resolve, KeepsWhatIsInOrder) {
  const auto resolved = resolve(kGood + "fill(x = uniform(-1, 1))");
  EXPECT_THAT(resolved.messages, testing::IsEmpty());
  ASSERT_EQ(resolved.workload.buffers.size(), 2u);
  EXPECT_EQ(resolved.workload.buffers[1].extent, "n * 2");
  EXPECT_EQ(resolved.workload.buffers[0].fill.kind, FillKind::uniform);
  EXPECT_EQ(resolved.workload.buffers[0].fill.a, -1);
  EXPECT_EQ(resolved.workload.launch.grid[0], "(n + 255) / 256");
}

TEST(Resolve, OrdersBuffersAsParametersAndLetsNamesBuildOnNames) {
  const auto resolved = resolve("set(k = 10, n = k * k, alpha = 1) out(y[n]) in(x[k])");
  EXPECT_THAT(resolved.messages, testing::IsEmpty());
  EXPECT_EQ(resolved.workload.buffers[0].parameter, "x");
  EXPECT_EQ(resolved.workload.set[0].name, "k");
}

TEST(Resolve, LaunchClauseReplacesTheSourcesLaunch) {
  const auto resolved = resolve(kGood + "launch(dim3(n / 100, 2), 128, 64)");
  EXPECT_THAT(resolved.messages, testing::IsEmpty());
  EXPECT_FALSE(resolved.workload.launch.from_source);
  EXPECT_EQ(resolved.workload.launch.grid, (std::array<std::string, 3>{"n / 100", "2", "1"}));
  EXPECT_EQ(resolved.workload.launch.shared_bytes, "64");
}

struct BadClauses {
  std::string clauses, message;
};
class BadWorkload : public testing::TestWithParam<BadClauses> {};

TEST_P(BadWorkload, IsRefusedOnceAtItsPlace) {
  EXPECT_THAT(resolve(GetParam().clauses).messages, testing::ElementsAre(GetParam().message));
}

const std::string kX = "in(x[n]) ", kY = "out(y[n]) ";

INSTANTIATE_TEST_SUITE_P(
    Cases, BadWorkload,
    testing::Values(
        BadClauses{"set(n = 4) " + kX + kY, "1: parameter 'alpha' has no value"},
        BadClauses{"set(alpha = 4) " + kX + kY, "1: parameter 'n' has no value"},
        BadClauses{"set(n = 4, alpha = 1, m = 2) " + kX + kY,
                   "32: 'm' is neither a parameter of 'k' nor used"},
        BadClauses{"set(n = 4, n = 5, alpha = 1) " + kX + kY, "21: 'n' is set twice"},
        BadClauses{"set(n = 4, alpha = 1, x = 2) " + kX + kY, "32: 'x' is a pointer"},
        BadClauses{"set(n = 1 << 40, alpha = 1) in(x[4]) out(y[4])",
                   "18: 1099511627776 does not fit 'n' of type 'int'"},
        BadClauses{"set(n = 2.5, alpha = 1) in(x[4]) out(y[4])",
                   "18: 'n' is of type 'int' and needs an integer"},
        BadClauses{"set(n = q, alpha = 1) in(x[4]) out(y[4])", "18: unknown name 'q'"},
        BadClauses{kScalars + kX, "1: pointer 'y' has no size"},
        BadClauses{kScalars + kX + kY + "in(z[n])", "59: 'z' is not a parameter of 'k'"},
        BadClauses{kScalars + kX + kY + "in(n[1])", "59: 'n' is not a pointer"},
        BadClauses{kScalars + kX + kY + "out(y[n])", "60: 'y' is described twice"},
        BadClauses{kScalars + "out(x[n]) " + kY, "41: 'x' points to const, the kernel cannot write it"},
        BadClauses{kScalars + "in(x[m]) " + kY, "42: unknown name 'm'"},
        BadClauses{kScalars + "in(x[n - 1000]) " + kY, "42: the size of 'x' is 0"},
        BadClauses{kScalars + "in(x[n * 0.3333]) " + kY, "42: the size of 'x' is not an integer: n * 0.3333"},
        BadClauses{kScalars + "in(x[n << 60]) " + kY, "44: integer overflow in '<<'"},
        BadClauses{kScalars + "in(x[n << 40]) " + kY,
                   "42: the size of 'x' is 1099511627776000 elements of 4 bytes, more than 1 TiB"},
        BadClauses{kGood + "fill(z = iota)", "65: 'z' has a fill but is not a buffer of this workload"},
        BadClauses{kGood + "fill(y = iota)", "65: 'y' is not read by the kernel, so a fill has no effect"},
        BadClauses{kGood + "fill(x = iota, x = zeros)", "75: 'x' is filled twice"},
        BadClauses{kGood + "fill(x = permutation)",
                   "69: fill 'permutation' has no meaning for elements of type 'float'"},
        BadClauses{kGood + "fill(x = uniform(1, 1))", "77: fill 'uniform' has an empty range"},
        BadClauses{kGood + "fill(x = normal(1, 0))", "79: the deviation of a normal fill is not positive"},
        BadClauses{kGood + "fill(x = file(\"a.bin\"))", "74: file \"a.bin\" is not a .npy file"},
        BadClauses{kGood + "fill(x = file(\"a.npy\"))", "74: file \"a.npy\" cannot be read"},
        BadClauses{kGood + "launch(1, 2048)", "70: block.x is 2048 in this workload"},
        BadClauses{kGood + "launch(1, dim3(64, 64))", "75: a block of 4096 threads is more than 1024"},
        BadClauses{kGood + "launch(n - 1000, 64)", "67: grid.x is 0 in this workload"},
        BadClauses{kGood + "launch(1, 64, 1 << 20)", "74: dynamic shared memory is 1048576 in this workload"},
        BadClauses{kGood + "launch(x, 64)", "67: unknown name 'x'"}));

TEST(Resolve, AsksForALaunchItCannotRead) {
  auto facts = launched_kernel();
  facts.launch.reset();
  facts.no_launch_reason = "no launch of it is in this file";
  const auto resolved = resolve(kGood, facts);
  ASSERT_EQ(resolved.diagnostics.size(), 1u);
  EXPECT_EQ(resolved.diagnostics[0].message,
            "the launch of 'k' cannot be derived from the source: no launch of it is in this file");
  EXPECT_EQ(resolved.diagnostics[0].remedy, "add launch(grid, block)");
}

TEST(Resolve, FillsMustSuitIntegersAndClasses) {
  KernelFacts facts = launched_kernel();
  facts.parameters[0] = pointer("x", ElementType::i32, "int", true);
  EXPECT_THAT(resolve(kGood + "fill(x = normal(0, 1))", facts).messages,
              testing::ElementsAre("69: fill 'normal' has no meaning for elements of type 'int'"));
  EXPECT_THAT(resolve(kGood + "fill(x = randint(0, n))", facts).messages, testing::IsEmpty());
  facts.parameters[0] = pointer("x", ElementType::opaque, "P", true, 12);
  EXPECT_THAT(resolve(kGood, facts).messages,
              testing::ElementsAre("40: 'x' has elements of type 'P', which have no default content"));
  facts.parameters[0].members = {{"mass", ElementType::f32, 0, 1}, {"cell", ElementType::i32, 4, 2}};
  EXPECT_THAT(resolve(kGood, facts).messages, testing::IsEmpty()) << "members have a default content";
  EXPECT_THAT(resolve(kGood + "fill(x = normal(0, 1))", facts).messages, testing::IsEmpty());
  EXPECT_THAT(resolve(kGood + "fill(x = randint(0, n))", facts).messages, testing::IsEmpty());
  EXPECT_THAT(resolve(kGood + "fill(x = iota)", facts).messages,
              testing::ElementsAre("69: fill 'iota' has no meaning for elements of type 'P'"));
  facts.parameters[0].members.pop_back();
  EXPECT_THAT(resolve(kGood + "fill(x = randint(0, n))", facts).messages,
              testing::ElementsAre("69: fill 'randint' has no meaning for elements of type 'P'"));
  facts.parameters[0] = pointer("x", ElementType::opaque, "void", true, 0);
  EXPECT_THAT(resolve(kGood, facts).messages,
              testing::Contains("40: elements of type 'void' are not supported"));
}

TEST(Resolve, NamesWorkloads) {
  std::vector<Workload> workloads(4);
  workloads[1].id = "w1";
  workloads[3].id = "w1";
  std::vector<Diagnostic> diagnostics;
  name_workloads(workloads, diagnostics);
  EXPECT_EQ(workloads[0].id, "w2");
  EXPECT_EQ(workloads[2].id, "w3");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].message, "workload 'w1' is defined twice");
}

}  // namespace
}  // namespace cupilot
