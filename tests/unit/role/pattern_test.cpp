// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/role/pattern.h"
#include "evolution/role/translator.h"

namespace cupilot {
using namespace role;
using namespace spec;
namespace {

using testing::HasSubstr;

TEST(Pattern, IsToldFromFacts) {
  using enum KernelPattern;
  const std::pair<CodeFacts, KernelPattern> known[] = {
      {{.known = true, .stores = true}, elementwise},
      {{.known = true, .has_shared_memory = true, .stores = true}, other},
      {{.known = true, .has_atomic = true}, reduction},
      {{.known = true, .sums = true}, reduction},
      {{.known = true, .has_root = true, .sums = true}, normalisation},
      {{.known = true, .has_matrix_unit = true}, matmul},
      {{.known = true, .sums = true, .products = 1, .product_depth = 1}, matmul},
      {{.known = true, .sums = true, .products = 1, .product_depth = 3}, convolution},
      {{.known = true, .has_shared_memory = true, .sums = true, .products = 1, .product_depth = 3}, matmul},
      {{.known = true, .sums = true, .named_convolution = true, .products = 1, .product_depth = 1},
       convolution},
      {{.known = true, .has_exponential = true, .sums = true, .products = 2, .product_depth = 2}, attention},
      {{.known = true, .has_exponential = true, .folds = true, .named_loss = true}, loss}};
  for (const auto &[facts, pattern] : known) EXPECT_EQ(pattern_of(facts), pattern) << to_string(pattern);
}

TEST(Pattern, OfUnknownCodeIsOther) {
  EXPECT_EQ(pattern_of({}), KernelPattern::other);
  EXPECT_EQ(pattern_of({.sums = true, .products = 1}), KernelPattern::other) << "facts that are not known";
}

TEST(Pattern, DecidesWhenAProfileIsShown) {
  EXPECT_EQ(profile_from_depth(KernelPattern::matmul), 6);
  EXPECT_EQ(profile_from_depth(KernelPattern::attention), 6);
  EXPECT_EQ(profile_from_depth(KernelPattern::convolution), 6);
  EXPECT_EQ(profile_from_depth(KernelPattern::reduction), 5);
  EXPECT_EQ(profile_from_depth(KernelPattern::normalisation), 5);
  EXPECT_EQ(profile_from_depth(KernelPattern::loss), 3);
  EXPECT_EQ(profile_from_depth(KernelPattern::elementwise), 2);
  EXPECT_EQ(profile_from_depth(KernelPattern::other), 1);
}

TEST(Pattern, HasItsMenu) {
  EXPECT_THAT(refine_menu(KernelPattern::matmul), HasSubstr("products of matrices"));
  EXPECT_THAT(refine_menu(KernelPattern::convolution), HasSubstr("the next step is a structural rewrite"));
  EXPECT_EQ(refine_menu(KernelPattern::loss), refine_menu(KernelPattern::normalisation));
  EXPECT_NE(refine_menu(KernelPattern::other), refine_menu(KernelPattern::elementwise));
  EXPECT_THAT(refine_menu(KernelPattern::attention), HasSubstr("online softmax"));
}

}  // namespace
}  // namespace cupilot
