// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/aligner.h"

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
using testing::IsEmpty;

Strategy before() {
  return {.id = "s0007",
          .title = "rows in shared memory",
          .roofline_classes = {"memory-bound"},
          .preconditions = {"cols fits shared memory"},
          .steps = {"stage the row"},
          .expected_effect = "one read",
          .risk = "occupancy",
          .gain = 1.4,
          .conflicts = {"warp-per-row"},
          .parents = {"s0001", "s0002"}};
}

TEST(Aligner, ShowsStrategyAndCode) {
  const KernelBrief brief = norm_brief();
  const Strategy strategy = before();
  const RoleRequest request = align_request({brief, strategy, "__global__ void kept() {}\n"});
  EXPECT_EQ(request.role, "aligner");
  EXPECT_EQ(request.prompt_version, "aligner 1");
  EXPECT_EQ(request.prefix, stable_prefix(brief));
  EXPECT_THAT(request.prompt, HasSubstr("step 1: stage the row"));
  EXPECT_THAT(request.prompt, HasSubstr("```cuda\n__global__ void kept() {}\n```"));
}

TEST(Aligner, ChangesTheWordsAndNothingElse) {
  const auto aligned = parse_aligned(
      "```json\n{\"cupilot_answer\":1,\"title\":\"rows in "
      "registers\",\"needs\":[],\"steps\":[\"load\",\"sum\"],"
      "\"effect\":\"no barrier\",\"risk\":\"registers\"}\n```",
      before());
  ASSERT_TRUE(aligned) << aligned.error().message;
  EXPECT_EQ(aligned->id, "s0007");
  EXPECT_EQ(aligned->title, "rows in registers");
  EXPECT_THAT(aligned->preconditions, IsEmpty());
  EXPECT_THAT(aligned->steps, ElementsAre("load", "sum"));
  EXPECT_EQ(aligned->expected_effect, "no barrier");
  EXPECT_EQ(aligned->risk, "registers");
  EXPECT_EQ(aligned->gain, 1.4);
  EXPECT_THAT(aligned->parents, ElementsAre("s0001", "s0002"));
  EXPECT_THAT(aligned->conflicts, ElementsAre("warp-per-row"));
  EXPECT_THAT(aligned->roofline_classes, ElementsAre("memory-bound"));
}

TEST(Aligner, IsStrict) {
  const auto said = [](const std::string &answer) {
    const auto aligned = parse_aligned(answer, before());
    return aligned ? "accepted" : aligned.error().message;
  };
  EXPECT_THAT(said(R"({"cupilot_answer":1,"title":"t","steps":[]})"), HasSubstr("'steps' has 0 items"));
  EXPECT_THAT(said(R"({"cupilot_answer":1,"title":"t","steps":["s"],"id":"s0001"})"),
              HasSubstr("'id' was not asked for"));
  EXPECT_THAT(said(R"({"cupilot_answer":1,"steps":["s"]})"), HasSubstr("'title' is missing"));
}

}  // namespace
}  // namespace cupilot
