// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/polynomial.h"

#include <gtest/gtest.h>

#include "annotate/spec/lifted_text.h"

namespace cupilot::spec {
namespace {

Expr name(const char *text) {
  return named(ExprKind::axis, text, "int");
}
Expr sum(Expr a, Expr b) {
  return binary("+", std::move(a), std::move(b), "int");
}
Expr product(Expr a, Expr b) {
  return binary("*", std::move(a), std::move(b), "int");
}

TEST(Polynomial, MapsAreComparedWhateverTheirForm) {
  // (b * rows + r) * cols + c == c + cols * r + rows * cols * b
  const Expr nested = sum(product(sum(product(name("b"), name("rows")), name("r")), name("cols")), name("c"));
  const Expr flat = sum(sum(name("c"), product(name("cols"), name("r"))),
                        product(product(name("rows"), name("cols")), name("b")));
  EXPECT_EQ(Polynomial::of(nested), Polynomial::of(flat));
  EXPECT_EQ(Polynomial::of(nested).coefficient("b")->text(), "cols * rows");
  EXPECT_EQ(Polynomial::of(nested).without("c").coefficient("c")->value(), 0);
}

TEST(Polynomial, WhatIsNoSumOrProductIsAFactorOfItsOwn) {
  const Expr quotient = binary("/", name("i"), constant(3), "int");
  const Polynomial map = Polynomial::of(sum(product(quotient, constant(4)), name("j")));
  EXPECT_FALSE(map.coefficient("i"));
  EXPECT_TRUE(map.mentions("i"));
  EXPECT_EQ(map.coefficient("i / 3")->value(), 4);
  EXPECT_FALSE(Polynomial::of(name("mi")).mentions("i"));
}

TEST(Polynomial, ASquareHasNoCoefficient) {
  EXPECT_FALSE(Polynomial::of(product(name("i"), name("i"))).coefficient("i"));
}

TEST(Polynomial, DifferencesVanish) {
  const Polynomial a = Polynomial::of(sum(product(name("i"), constant(2)), constant(5)));
  EXPECT_TRUE((a - a).is_zero());
  EXPECT_EQ((a - Polynomial::of(product(constant(2), name("i")))).value(), 5);
}

TEST(Polynomial, IsDividedOnlyWithoutARemainder) {
  const Polynomial pitch = Polynomial::of(product(product(name("rows"), name("cols")), constant(6)));
  EXPECT_EQ(pitch.divided_by(Polynomial::of(product(name("cols"), constant(3))))->text(), "2 * rows");
  EXPECT_FALSE(pitch.divided_by(Polynomial::of(name("depth"))));
  EXPECT_FALSE(pitch.divided_by(Polynomial::of(product(name("cols"), constant(4)))));
}

TEST(LiftedText, HasAsFewParenthesesAsPrecedenceAllows) {
  EXPECT_EQ(to_text(product(sum(name("a"), name("b")), name("c"))), "(a + b) * c");
  EXPECT_EQ(to_text(sum(name("a"), product(name("b"), name("c")))), "a + b * c");
  EXPECT_EQ(to_text(binary("-", name("a"), binary("-", name("b"), name("c"), "int"), "int")), "a - (b - c)");
  const auto own = [](const Expr &part) {
    return part.text == "b" ? std::optional<std::string>("$first + 1") : std::nullopt;
  };
  EXPECT_EQ(to_text(product(name("a"), name("b")), own), "a * ($first + 1)");
}

TEST(LiftedText, WhatFoldsBeginWith) {
  EXPECT_EQ(identity_of("max", "float"), "-INFINITY");
  EXPECT_FALSE(identity_of("max", "int"));
  EXPECT_TRUE(is_identity("+", {ExprKind::constant, "0.0f", "float", {}}));
  EXPECT_FALSE(is_identity("*", {ExprKind::constant, "0.0f", "float", {}}));
}

}  // namespace
}  // namespace cupilot::spec
