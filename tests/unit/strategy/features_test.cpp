// SPDX-License-Identifier: Apache-2.0
//
// Features of facts written by hand; tests/cases/features_test.cpp has those of sources.
#include "evolution/strategy/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace spec;
using namespace strategy;
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

std::set<std::string> features_of(const CodeFacts &facts, const std::string &name = "kernel") {
  KernelSpec kernel;
  kernel.name = name;
  kernel.parameters = {{.name = "x", .pointer = true, .element = ElementType::f32, .element_bytes = 4}};
  kernel.facts = facts;
  return kernel_features(kernel);
}

TEST(Features, FollowFromFacts) {
  EXPECT_THAT(features_of({.known = true, .stores = true}),
              ElementsAre("elementwise", "float", "narrow-elements", "one-dimensional"));
  EXPECT_THAT(features_of({.known = true, .has_loop = true, .sums = true, .has_rows = true}),
              ElementsAre("float", "loop", "narrow-elements", "one-dimensional", "reduction", "row-wise"));
  EXPECT_THAT(features_of({.known = true, .is_two_dimensional = true, .sums = true, .multiplies = true}),
              AllOf(Contains("matmul"), Not(Contains("dot-product"))));
}

TEST(Features, ANameSaysWhatTheCodeDoesNot) {
  EXPECT_THAT(features_of({.known = true}, "BlockScan"), Contains("scan"));
  EXPECT_THAT(features_of({.known = true}, "argmax"), Contains("arg-reduction"));
  EXPECT_THAT(features_of({.known = true, .sums = true}, "LayerNorm"), Contains("normalisation"));
}

TEST(Features, OfUnknownCodeAreThoseOfItsData) {
  EXPECT_THAT(features_of({}, "softmax"), ElementsAre("float", "narrow-elements"));
}

}  // namespace
}  // namespace cupilot
