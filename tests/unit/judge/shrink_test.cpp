// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/shrink.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "evolution/judge/cases/cases.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::cases;
using namespace model;
using namespace spec;
namespace {

using testing::HasSubstr;

/// One thread a row, as examples/rms_norm: blocks follow the rows, the columns make each longer.
KernelSpec row_spec(const std::string &rows, const std::string &cols) {
  KernelSpec spec = fake::scale_spec();
  Workload &workload = spec.workloads[0];
  workload.set = {{"rows", rows}, {"cols", cols}, {"a", "0.5f"}};
  workload.launch.grid[0] = "(rows + 255) / 256";
  return spec;
}

TEST(Shrink, LeavesAWorkloadBelowTheCapAsItIs) {
  const auto spec = row_spec("64", "100");
  EXPECT_FALSE(shrink(spec, spec.workloads[0], {1 << 20}).value());
}

TEST(Shrink, TakesBlocksAwayFirstButKeepsSeveral) {
  const auto spec = row_spec("8192", "4096");
  const auto shrunk = shrink(spec, spec.workloads[0], {5u << 18}).value();
  ASSERT_TRUE(shrunk);
  EXPECT_EQ(shrunk->values.at("rows"), 1024) << "four blocks of 256 rows";
  EXPECT_EQ(shrunk->values.at("cols"), 512);
  EXPECT_EQ(shrunk->which.grid[0], 4u) << "the launch is evaluated anew";
  EXPECT_EQ(shrunk->which.buffers[0].elements, 1024u * 512);
  EXPECT_EQ(std::get<double>(shrunk->which.scalars.at("a")), 0.5) << "other values stay";
  EXPECT_EQ(shrunk->text, "rows=1024 cols=512 instead of rows=8192 cols=4096");
}

TEST(Shrink, CountsTheWorkOfAProduct) {
  // c = a * b: three small matrices, 2^30 steps.
  KernelSpec spec = fake::scale_spec();
  spec.parameters = {fake::pointer("x", "const float *", true), fake::pointer("y", "float *", false),
                     fake::integer("m"), fake::integer("n"), fake::integer("k")};
  Workload &workload = spec.workloads[0];
  workload.set = {{"m", "1024"}, {"n", "1024"}, {"k", "1024"}};
  workload.buffers = {fake::use("x", BufferRole::in, "m*k + k*n"), fake::use("y", BufferRole::out, "m*n")};
  workload.launch.grid = {"(n + 15) / 16", "(m + 15) / 16", "1"};
  workload.launch.block = {"16", "16", "1"};
  const auto shrunk = shrink(spec, workload, {5u << 18}).value();
  ASSERT_TRUE(shrunk);
  const auto &values = shrunk->values;
  EXPECT_LE(values.at("m") * values.at("n") * values.at("k"), std::int64_t{16} * (5 << 18));
  EXPECT_EQ(values.at("k"), 1024) << "how long each block works is kept while there are blocks to take away";
}

TEST(Shrink, GivesUpWhereNothingDependsOnANumber) {
  KernelSpec spec = fake::scale_spec();
  Workload &workload = spec.workloads[0];
  workload.buffers = {fake::use("x", BufferRole::in, "1 << 24"), fake::use("y", BufferRole::out, "1 << 24")};
  workload.launch.grid[0] = "65536";
  EXPECT_FALSE(shrink(spec, workload, {1 << 20}).value());
}

TEST(EmulatedCases, AWorkloadTooLargeIsEstimatedAndHasAStandIn) {
  const auto cases = make_cases(row_spec("8192", "4096"), {1}, CaseCap::emulated).value();
  EXPECT_EQ(cases[0].id, "big");
  EXPECT_TRUE(cases[0].timed);
  EXPECT_FALSE(cases[0].verified);
  EXPECT_EQ(cases[1].id, "big/shrunk");
  EXPECT_FALSE(cases[1].timed);
  EXPECT_TRUE(cases[1].verified);
  EXPECT_THAT(cases[1].shrunk, HasSubstr("instead of rows=8192"));
  EXPECT_LE(cases[1].families.size(), 2u);
  for (std::size_t i = 2; i < cases.size(); ++i) {
    EXPECT_LE(cases[i].buffers[0].elements, 1u << 16) << cases[i].id;
    EXPECT_TRUE(cases[i].shrunk.empty()) << "neighbours are ours, not the user's own data";
  }
  EXPECT_GT(cases.size(), 8u);
}

TEST(EmulatedCases, ASmallWorkloadIsVerifiedAsItIs) {
  const auto cases = make_cases(row_spec("64", "100"), {1}, CaseCap::emulated).value();
  EXPECT_TRUE(cases[0].timed);
  EXPECT_TRUE(cases[0].verified);
  EXPECT_GT(cases[0].families.size(), 2u);
  EXPECT_TRUE(std::ranges::all_of(cases, [](const Case &one) { return one.shrunk.empty(); }));
}

TEST(EmulatedCases, ACheckWorkloadTooLargeIsOnlyItsStandIn) {
  auto spec = row_spec("8192", "4096");
  spec.workloads[0].check = true;
  const auto cases = make_cases(spec, {1}, CaseCap::emulated).value();
  EXPECT_EQ(cases[0].id, "big/shrunk");
}

}  // namespace
}  // namespace cupilot
