// SPDX-License-Identifier: Apache-2.0
//
// Integer expressions as sums of products, to compare index maps and to take them apart: in
// `row * cols + c` the coefficient of `c` is 1, and what `row` steps by is `cols`.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::spec {

class Polynomial {
public:
  /// The factors of a product, sorted; none: the constant. A factor is a name, or the text of an expression
  /// that is no sum or product ("i / 3", "start[row]").
  using Product = std::vector<std::string>;

  Polynomial() = default;
  explicit Polynomial(std::int64_t value);
  /// Integer casts are dropped: the sizes of a launch that the judge admits fit.
  static Polynomial of(const Expr &expr);
  static Polynomial symbol(const Expr &expr);

  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const;
  Polynomial operator*(const Polynomial &other) const;
  bool operator==(const Polynomial &other) const { return terms_ == other.terms_; }

  /// What `name` is multiplied by; nullopt if it occurs other than as one factor of a product.
  std::optional<Polynomial> coefficient(std::string_view name) const;
  /// The sum of the products that do not mention `name`.
  Polynomial without(std::string_view name) const;
  /// One of its products, with its count.
  Polynomial only(const Product &product) const;
  bool mentions(std::string_view name) const;
  /// The quotient if every product can be divided by `other`, which is one product, without a remainder.
  std::optional<Polynomial> divided_by(const Polynomial &other) const;

  bool is_zero() const { return terms_.empty(); }
  std::optional<std::int64_t> value() const;  ///< if it is a constant
  const std::map<Product, std::int64_t> &terms() const { return terms_; }
  Expr expr() const;  ///< of type long long where a product has two or more factors
  std::string text() const;

private:
  void add(const Product &product, std::int64_t count);
  std::map<Product, std::int64_t> terms_;
  std::map<std::string, Expr> symbols_;
};

}  // namespace cupilot::spec
