// SPDX-License-Identifier: Apache-2.0
#include "annotate/spec/polynomial.h"

#include <algorithm>
#include <utility>

#include "annotate/spec/lifted_text.h"
#include "annotate/support/names.h"

namespace cupilot::spec {
namespace {

bool is_integer_type(const std::string &type) {
  return type != "float" && type != "double" && type.find("half") == std::string::npos &&
         type.find("bfloat") == std::string::npos && type != "bool";
}

std::optional<std::int64_t> integer_of(const Expr &expr) {
  if (expr.kind != ExprKind::constant || expr.text.empty()) return std::nullopt;
  std::size_t used = 0;
  const bool digits = expr.text.find_first_not_of("-0123456789uUlL") == std::string::npos;
  if (!digits || expr.text.size() > 18) return std::nullopt;
  const std::int64_t value = std::stoll(expr.text, &used);
  return value;
}

/// Whether a factor's text mentions a name as a whole word.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool before = at > 0 && (is_name_character(text[at - 1]) || text[at - 1] == '.');
    const std::size_t end = at + word.size();
    if (!before && (end == text.size() || !is_name_character(text[end]))) return true;
  }
  return false;
}

}  // namespace

Polynomial::Polynomial(std::int64_t value) {
  add({}, value);
}

void Polynomial::add(const Product &product, std::int64_t count) {
  if ((terms_[product] += count) == 0) terms_.erase(product);
}

Polynomial Polynomial::symbol(const Expr &expr) {
  Polynomial out;
  const std::string text = to_text(expr);
  out.symbols_[text] = expr;
  out.add({text}, 1);
  return out;
}

Polynomial Polynomial::of(const Expr &expr) {
  if (const auto value = integer_of(expr)) return Polynomial(*value);
  if (expr.kind == ExprKind::cast && is_integer_type(expr.text) && is_integer_type(expr.parts[0].type))
    return of(expr.parts[0]);
  if (expr.kind == ExprKind::unary && expr.text == "-") return Polynomial() - of(expr.parts[0]);
  if (expr.kind == ExprKind::binary && is_integer_type(expr.type)) {
    if (expr.text == "+") return of(expr.parts[0]) + of(expr.parts[1]);
    if (expr.text == "-") return of(expr.parts[0]) - of(expr.parts[1]);
    if (expr.text == "*") return of(expr.parts[0]) * of(expr.parts[1]);
  }
  return symbol(expr);
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial sum = *this;
  sum.symbols_.insert(other.symbols_.begin(), other.symbols_.end());
  for (const auto &[product, count] : other.terms_) sum.add(product, count);
  return sum;
}
Polynomial Polynomial::operator-(const Polynomial &other) const {
  return *this + other * Polynomial(-1);
}
Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial out;
  out.symbols_ = symbols_;
  out.symbols_.insert(other.symbols_.begin(), other.symbols_.end());
  for (const auto &[left, times] : terms_)
    for (const auto &[right, count] : other.terms_) {
      Product product = left;
      product.insert(product.end(), right.begin(), right.end());
      std::ranges::sort(product);
      out.add(product, times * count);
    }
  return out;
}

std::optional<Polynomial> Polynomial::coefficient(std::string_view name) const {
  Polynomial out;
  out.symbols_ = symbols_;
  for (const auto &[product, count] : terms_) {
    Product rest;
    int times = 0;
    for (const std::string &factor : product)
      if (factor == name)
        ++times;
      else if (has_word(factor, name))
        return std::nullopt;
      else
        rest.push_back(factor);
    if (times > 1) return std::nullopt;
    if (times == 1) out.add(rest, count);
  }
  return out;
}

Polynomial Polynomial::without(std::string_view name) const {
  Polynomial out;
  out.symbols_ = symbols_;
  for (const auto &[product, count] : terms_)
    if (std::ranges::none_of(product, [&](const std::string &factor) { return has_word(factor, name); }))
      out.add(product, count);
  return out;
}

Polynomial Polynomial::only(const Product &product) const {
  Polynomial out;
  out.symbols_ = symbols_;
  if (const auto found = terms_.find(product); found != terms_.end()) out.add(product, found->second);
  return out;
}

bool Polynomial::mentions(std::string_view name) const {
  return std::ranges::any_of(terms_, [&](const auto &term) {
    return std::ranges::any_of(term.first, [&](const std::string &factor) { return has_word(factor, name); });
  });
}

std::optional<Polynomial> Polynomial::divided_by(const Polynomial &other) const {
  if (other.terms_.size() != 1) return std::nullopt;
  const auto &[divisor, by] = *other.terms_.begin();
  Polynomial out;
  out.symbols_ = symbols_;
  for (const auto &[product, count] : terms_) {
    if (count % by != 0 || !std::ranges::includes(product, divisor)) return std::nullopt;
    Product rest;
    std::ranges::set_difference(product, divisor, std::back_inserter(rest));
    out.add(rest, count / by);
  }
  return out;
}

std::optional<std::int64_t> Polynomial::value() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return std::nullopt;
}

Expr Polynomial::expr() const {
  Expr sum;
  // Products of many factors first: they are the outer strides.
  std::vector<std::pair<Product, std::int64_t>> terms(terms_.begin(), terms_.end());
  std::ranges::stable_sort(terms, std::greater{}, [](const auto &term) { return term.first.size(); });
  for (const auto &[factors, count] : terms) {
    Expr product;
    for (const std::string &factor : factors) {
      const auto known = symbols_.find(factor);
      Expr one = known == symbols_.end() ? named(ExprKind::value, factor, "int") : known->second;
      product = is_set(product) ? binary("*", product, one, "long long") : one;
    }
    const std::int64_t times = count < 0 && is_set(sum) ? -count : count;
    if (!is_set(product))
      product = constant(times);
    else if (times == -1)
      product = {ExprKind::unary, "-", product.type, {product}};
    else if (times != 1)
      product = binary("*", constant(times), product, product.type);
    sum = is_set(sum) ? binary(count < 0 ? "-" : "+", sum, product, product.type) : product;
  }
  return is_set(sum) ? sum : constant(0);
}

std::string Polynomial::text() const {
  return to_text(expr());
}

}  // namespace cupilot::spec
