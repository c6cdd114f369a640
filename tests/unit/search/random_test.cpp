// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/search/scripted_model.h"

namespace cupilot {
using namespace search;
namespace {

using testing::IsEmpty;

std::vector<FakeRule> pool() {
  return {{"alpha"}, {"beta"}, {"gamma"}};
}

/// Records of the pool have no titles here; the variant is named after the id.
struct Throwing : Stage {
  Throwing()
      : Stage([](const Point &point) { return speed(1 + 0.1 * static_cast<double>(point.rules.size())); },
              pool()) {
    model.script = [](const Shown &shown) -> std::optional<std::string> {
      if (shown.kind != "translator") return std::nullopt;
      return variant_answer("// rules: " + united(shown.after("// rules: "), shown.after("id: ")) + "\n");
    };
  }
  std::vector<std::string> variants() const {
    std::vector<std::string> variants;
    for (const Evaluated &one : evaluator->all()) variants.push_back(one.individual.variant);
    return variants;
  }
};

TEST(Random, TheSeedDecidesAndNothingElse) {
  Throwing one, same, other;
  other.ground.settings.seed = 7;
  for (Throwing *stage : {&one, &same, &other}) {
    ASSERT_TRUE(stage->play(run_random));
  }
  EXPECT_EQ(one.variants(), same.variants());
  EXPECT_NE(one.variants(), other.variants());
}

TEST(Random, EndsWhenEverythingHasBeenTried) {
  Throwing stage;
  ASSERT_TRUE(stage.play(run_random));
  EXPECT_LE(stage.evaluator->all().size(), 15u) << "the orders in which three can be applied, each once";
  EXPECT_GE(stage.evaluator->all().size(), 7u);
  EXPECT_FALSE(stage.evaluator->done());
}

TEST(Random, KeepsTheBudget) {
  Throwing stage;
  stage.ground.settings.budget.candidates = 4;
  ASSERT_TRUE(stage.play(run_random));
  EXPECT_EQ(stage.evaluator->all().size(), 4u);
}

TEST(Random, AnEmptyPoolIsNothingToDo) {
  Stage stage([](const Point &) { return speed(1); });
  ASSERT_TRUE(stage.play(run_random));
  EXPECT_THAT(stage.model.shown, IsEmpty());
}

}  // namespace
}  // namespace cupilot
