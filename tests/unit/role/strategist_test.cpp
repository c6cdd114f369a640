// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/strategist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "brief_for_tests.h"

namespace cupilot {
using namespace model;
using namespace provider;
using namespace role;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<Strategy> kAsked = {{.id = "a"}, {.id = "b"}};

TEST(Strategist, AsksWithClassAndFeatures) {
  const auto request = strategist_request(
      {.kernel = "k", .features = {"loop"}, .roofline_class = "memory-bound", .strategies = kAsked});
  EXPECT_THAT(request.content, HasSubstr(R"("features":["loop"],"roofline_class":"memory-bound")"));
}

TEST(Strategist, ChoosesInOrder) {
  EXPECT_THAT(parse_strategist_answer(R"({"cupilot_answer":1,"strategies":["b","a"]})", kAsked).value(),
              ElementsAre("b", "a"));
  EXPECT_THAT(parse_strategist_answer(R"({"cupilot_answer":1,"strategies":[]})", kAsked).value(),
              ElementsAre());
}

TEST(Strategist, OnlyAmongWhatWasAsked) {
  EXPECT_THAT(parse_strategist_answer(R"({"cupilot_answer":1,"strategies":["c"]})", kAsked).error().message,
              HasSubstr("'c', which was not asked"));
  EXPECT_THAT(
      parse_strategist_answer(R"({"cupilot_answer":1,"strategies":["a","a"]})", kAsked).error().message,
      HasSubstr("'a' twice"));
}

TEST(InitialStrategies, AreAskedForWithWhatWasRetrieved) {
  const KernelBrief brief = norm_brief();
  const RoleRequest request =
      initial_request({.brief = brief,
                       .analysis = {.roofline_class = "memory-bound", .digest = {"It waits."}},
                       .retrieved = {{.id = "wide-access", .title = "16-byte loads"},
                                     {.id = "warp-per-row", .title = "a warp a row"}},
                       .experience = {"wide-access: faster 1.42x"},
                       .count = 5});
  EXPECT_EQ(request.role, "strategist");
  EXPECT_EQ(request.prompt_version, "strategist_initial 1");
  EXPECT_EQ(request.prefix, stable_prefix(brief));
  for (const char *part :
       {"best first: 5 of them", "The original is memory-bound.", "- It waits.\n",
        "id: wide-access\ntitle: 16-byte loads\n", "\n\nid: warp-per-row\n", "- wide-access: faster 1.42x\n"})
    EXPECT_THAT(request.prompt, HasSubstr(part));
}

TEST(InitialStrategies, WithNothingKnown) {
  const KernelBrief brief = norm_brief();
  const std::string prompt = initial_request({.brief = brief}).prompt;
  for (const char *part :
       {"The original is", "Strategies from the pool", "How it runs", "earlier trials", "{{"})
    EXPECT_THAT(prompt, Not(HasSubstr(part)));
}

CrossoverQuestion crossover(const KernelBrief &brief) {
  return {.brief = brief,
          .analysis = {.roofline_class = "latency-bound"},
          .first = {.id = "s0001", .title = "rows in registers", .steps = {"keep the row"}},
          .second = {.id = "s0002", .title = "two rows a warp", .steps = {"interleave rows"}},
          .first_score = 1.8,
          .second_score = 1.25,
          .conflicts = {"s0001 needs a warp a row, s0002 two rows a warp"}};
}

/// cuPilot crosses texts over, not code: neither the source nor a variant may be seen.
TEST(Crossover, SeesTextsOnly) {
  const KernelBrief brief = norm_brief();
  const RoleRequest request = crossover_request(crossover(brief));
  EXPECT_EQ(request.role, "strategist");
  EXPECT_EQ(request.prompt_version, "strategist_crossover 1");
  EXPECT_EQ(request.prefix, prefix_without_code(brief));
  for (const std::string &text : {request.prefix, request.prompt}) {
    EXPECT_THAT(text, Not(HasSubstr("__global__")));
    EXPECT_THAT(text, Not(HasSubstr("```cuda")));
    EXPECT_THAT(text, Not(HasSubstr("cupilot::Launch")));
  }
}

TEST(Crossover, ShowsBothParentsTheBetterOneFirst) {
  const KernelBrief brief = norm_brief();
  const std::string prompt = crossover_request(crossover(brief)).prompt;
  const auto first = prompt.find("step 1: keep the row"), second = prompt.find("step 1: interleave rows");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  EXPECT_LT(first, second);
  EXPECT_THAT(prompt, HasSubstr("The first, 1.80x of the original's speed"));
  EXPECT_THAT(prompt, HasSubstr("The second, 1.25x of the original's speed"));
  EXPECT_THAT(prompt, HasSubstr("- s0001 needs a warp a row, s0002 two rows a warp\n"));
  EXPECT_THAT(prompt, HasSubstr("the kernel is latency-bound"));
}

TEST(Extension, ComparesWhatWasExpectedWithWhatWasMeasured) {
  const KernelBrief brief = norm_brief();
  const RoleRequest request = extend_request({.brief = brief,
                                              .realised = {.id = "s0009", .title = "tiles"},
                                              .predicted = 1.5,
                                              .observed = 1.1,
                                              .tried = {"deeper pipeline: expected 1.20x, wrong"},
                                              .most = 2});
  EXPECT_EQ(request.prompt_version, "strategist_extend 1");
  EXPECT_THAT(request.prompt,
              HasSubstr("A speed-up of 1.50x over what it was built on was\nexpected, 1.10x was measured"));
  EXPECT_THAT(request.prompt, HasSubstr("- deeper pipeline: expected 1.20x, wrong\n"));
  EXPECT_THAT(request.prompt, HasSubstr("Propose at most 2 next strategies"));
}

TEST(Strategies, AreReadFromAModel) {
  const auto read = parse_strategies_answer(
      "```json\n{\"cupilot_answer\":1,\"strategies\":[{\"title\":\" one "
      "\",\"from\":[\"wide-access\"],\"needs\":[\"n\"],"
      "\"steps\":[\"a\",\"b\"],\"effect\":\"e\",\"risk\":\"r\",\"gain\":1.5,\"conflicts\":[\"c\"]},"
      "{\"title\":\"two\",\"steps\":[\"s\"],\"gain\":2}]}\n```",
      2);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 2u);
  const Strategy &one = read->front();
  EXPECT_EQ(one.id, "") << "given by the search";
  EXPECT_EQ(one.title, "one");
  EXPECT_THAT(one.parents, ElementsAre("wide-access"));
  EXPECT_THAT(one.preconditions, ElementsAre("n"));
  EXPECT_THAT(one.steps, ElementsAre("a", "b"));
  EXPECT_EQ(one.expected_effect, "e");
  EXPECT_EQ(one.risk, "r");
  EXPECT_DOUBLE_EQ(one.gain, 1.5);
  EXPECT_THAT(one.conflicts, ElementsAre("c"));
}

TEST(Strategies, NoMoreThanWereAskedFor) {
  const std::string two =
      R"({"cupilot_answer":1,"strategies":[{"title":"a","steps":["s"],"gain":1},{"title":"b","steps":["s"],"gain":1}]})";
  EXPECT_TRUE(parse_strategies_answer(two, 2));
  EXPECT_THAT(
      parse_strategies_answer(two, 1).error().message,
      HasSubstr(
          "'strategies' has 2 items, expected 1 to 1; expected {\"cupilot_answer\":1,\"strategies\":["));
  EXPECT_THAT(parse_strategies_answer(R"({"cupilot_answer":1,"strategies":[]})", 4).error().message,
              HasSubstr("'strategies' has 0 items"));
}

}  // namespace
}  // namespace cupilot
