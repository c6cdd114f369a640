// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/equal_inputs.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <utility>

#include "case_lists.h"
#include "evolution/judge/cases/cases.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {
using namespace judge::cases;
using namespace model;
using namespace spec;
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

std::vector<std::string> shared_inputs(const KernelSpec &spec, std::uint64_t secret, bool overlap) {
  std::vector<std::string> all;
  const auto made = make_cases(spec, {1, secret}).value();
  for (const auto &one : made)
    if (std::ranges::any_of(one.buffers, [&](const CaseBuffer &b) {
          return !b.same_as.empty() && overlap == (b.begins > 0);
        }))
      all.push_back(one.id);
  return all;
}
std::vector<std::string> equal_inputs(const KernelSpec &spec, std::uint64_t secret = 7) {
  return shared_inputs(spec, secret, false);
}

TEST(Cases, InputsOverlapToo) {
  auto spec = reading_spec({{"w", "rows*cols"}});
  EXPECT_THAT(shared_inputs(spec, 7, true),
              testing::UnorderedElementsAre("big/w=x+1", "big/w=x+8000", "big/x=w+1", "big/x=w+8000"));
  const auto cases = make_cases(spec, {1, 7}).value();
  const auto &one = by_id(cases, "big/w=x+1");
  EXPECT_TRUE(one.once);
  EXPECT_FALSE(one.timed);
  EXPECT_EQ(one.buffers[2].begins, 1u);
  EXPECT_THAT(one.families, ElementsAre("user", "large_mean"));
  for (auto &buffer : spec.workloads[0].buffers) buffer.fill.kind = FillKind::permutation;
  EXPECT_THAT(shared_inputs(spec, 7, true), ElementsAre()) << "no permutation is left where two overlap";
}

TEST(Cases, EveryPairOfAlikeInputsIsOneBufferOnce) {
  auto spec = reading_spec({{"w", "rows*cols"}, {"v", "rows*cols"}});
  EXPECT_THAT(equal_inputs(spec), ElementsAre("big/w=x", "big/v=x", "big/v=w"));
  const auto cases = make_cases(spec, {1, 7}).value();
  const auto &one = by_id(cases, "big/w=x");
  EXPECT_TRUE(one.once);
  EXPECT_FALSE(one.timed);
  EXPECT_EQ(one.buffers[2].same_as, "x");
  spec.workloads[0].buffers[2].fill = {FillKind::uniform, 0, 1, ""};
  EXPECT_THAT(equal_inputs(spec), ElementsAre("big/v=x")) << "positive data may be needed";
  spec.parameters.back().element_type = "int";
  EXPECT_THAT(equal_inputs(spec), ElementsAre());
}

TEST(Cases, InputsOfOtherExtentsAreOneBufferWhereTheSizesAreTheSame) {
  const auto spec = reading_spec({{"w", "rows*rows"}, {"v", "rows*rows*rows"}});
  ASSERT_THAT(equal_inputs(spec), ElementsAre("big/w=x"));
  const auto cases = make_cases(spec, {1, 7}).value();
  EXPECT_EQ(integer_of(by_id(cases, "big/w=x"), "cols"), integer_of(by_id(cases, "big/w=x"), "rows"));
}

TEST(Cases, AccumulatorsOfZerosAreTriedWithOtherContent) {
  auto spec = fake::scale_spec();
  spec.workloads[0].buffers[1].role = BufferRole::inout;
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=random"))) << "its content is random";
  spec.workloads[0].buffers[1].fill.kind = FillKind::zeros;
  auto cases = make_cases(spec, {1}).value();
  ASSERT_THAT(ids(cases), Contains("big/y=random"));
  EXPECT_TRUE(by_id(cases, "big/y=random").once);
  EXPECT_EQ(by_id(cases, "big/y=random").buffers[1].fill.kind, FillKind::automatic);
  spec.parameters[1].element = ElementType::u32;
  cases = make_cases(spec, {1}).value();
  EXPECT_EQ(by_id(cases, "big/y=random").buffers[1].fill.kind, FillKind::randint) << "small, as counts are";
  EXPECT_EQ(by_id(cases, "big/y=random").buffers[1].fill.a, 0);
  spec.workloads[0].buffers[1].extent = "1";
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=random"))) << "a ticket";
}

TEST(Cases, CountersThatHaveRunForLongAreTried) {
  auto spec = fake::scale_spec();
  spec.workloads[0].buffers[1].role = BufferRole::inout;
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=large"))) << "floats";
  spec.parameters[1].element = ElementType::u32;
  const auto cases = make_cases(spec, {1}).value();
  const auto &large = by_id(cases, "big/y=large");
  EXPECT_EQ(large.buffers[1].fill.b, 0x1p32);
  EXPECT_TRUE(large.once && large.buffers[1].refilled);
  spec.parameters.push_back(fake::pointer("places", "float *", false));
  spec.workloads[0].buffers.push_back(fake::use("places", BufferRole::out, "rows"));
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=large"))) << "y may count places";
}

TEST(Cases, AnInputMayBeTheBufferThatIsUpdated) {
  auto spec = fake::scale_spec();
  spec.workloads[0].buffers[1].role = BufferRole::inout;
  for (Parameter &parameter : spec.parameters) parameter.restrict_qualified = false;
  spec.parameters[1].element_type = spec.parameters[0].element_type;
  const auto cases = make_cases(spec, {1}).value();
  EXPECT_EQ(by_id(cases, "big/y=x").buffers[1].same_as, "x");
  spec.parameters[0].restrict_qualified = true;
  EXPECT_THAT(ids(make_cases(spec, {1}).value()), Not(Contains("big/y=x")));
}

TEST(Cases, OneInputInTwoPlacesIsTriedWithInfinitiesToo) {
  auto spec = reading_spec({{"w", "rows*cols"}});
  auto cases = make_cases(spec, {1}).value();
  EXPECT_THAT(by_id(cases, "big/w=x").families, ElementsAre("user", "infinities"));
  spec.assumptions = {{"finite(x)", {}}};
  cases = make_cases(spec, {1}).value();
  EXPECT_THAT(by_id(cases, "big/w=x").families, ElementsAre("user"));
}

TEST(Cases, ManyPairsOfInputsTakeTurns) {
  std::vector<std::pair<std::string, std::string>> inputs;
  for (const char *name : {"b", "c", "d", "e"}) inputs.emplace_back(name, "rows*cols");
  const auto spec = reading_spec(inputs);
  EXPECT_EQ(equal_inputs(spec).size(), kMostEqualInputs);
  std::set<std::string> seen;
  for (std::uint64_t secret = 1; secret < 40; ++secret)
    for (const auto &id : equal_inputs(spec, secret)) seen.insert(id);
  EXPECT_EQ(seen.size(), 10u);
}

}  // namespace
}  // namespace cupilot
