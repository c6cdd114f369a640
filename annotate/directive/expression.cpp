// SPDX-License-Identifier: Apache-2.0
//
// One pass, precedence climbing: the expression is evaluated while it is read. A part that C++ would not
// evaluate (the right of `false &&`, the other arm of ?:) is read with `live_` off: its syntax and names
// count, its divisions by zero do not.

#include "annotate/directive/expression.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "annotate/directive/literal.h"
#include "annotate/directive/operators.h"

namespace cupilot {
namespace {

// Deep nesting is never meant; without a cap a hostile line could exhaust the stack.
constexpr int kMaxDepth = 256;

class Evaluator {
public:
  /// Without a scope nothing is evaluated: only syntax is checked and names are collected.
  Evaluator(std::string_view text, const Scope *scope, std::vector<std::string> *names)
      : text_(text), scope_(scope), names_(names), live_(scope != nullptr) {}

  std::expected<Value, ExpressionError> run() {
    Value value = conditional();
    skip_blanks();
    if (!error_ && at_ < text_.size()) complain(at_, "unexpected '" + std::string(1, text_[at_]) + "'");
    if (error_) return std::unexpected(*error_);
    return value;
  }

private:
  void complain(std::size_t offset, std::string message) {
    if (!error_) error_ = ExpressionError{offset, std::move(message)};
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool take(std::string_view token) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (error_ || take(token)) return;
    complain(at_, "expected '" + std::string(token) + "'");
  }

  Value conditional() {
    if (++depth_ > kMaxDepth) complain(at_, "the expression is nested too deeply");
    if (error_) return std::int64_t{0};
    Value value = binary(0);
    if (!error_ && take("?")) {
      const bool outer = live_, chosen = truth(value);
      live_ = outer && chosen;
      Value yes = conditional();
      expect(":");
      live_ = outer && !chosen;
      Value no = conditional();
      live_ = outer;
      value = chosen ? yes : no;
    }
    --depth_;
    return value;
  }

  Value binary(int lowest) {
    Value left = unary();
    while (!error_) {
      skip_blanks();
      const BinaryOperator *op = binary_operator_at(text_.substr(at_));
      if (op == nullptr || op->precedence < lowest) break;
      const std::size_t place = at_;
      at_ += op->spelling.size();
      const bool outer = live_;
      if (op->kind == BinaryKind::logical_and) live_ = outer && truth(left);
      if (op->kind == BinaryKind::logical_or) live_ = outer && !truth(left);
      const Value right = binary(op->precedence + 1);
      live_ = outer;
      if (error_ || !live_) continue;
      const auto result = apply(op->kind, left, right);
      if (result)
        left = *result;
      else
        complain(place, result.error());
    }
    return left;
  }

  Value unary() {
    if (++depth_ > kMaxDepth) complain(at_, "the expression is nested too deeply");
    skip_blanks();
    const std::size_t place = at_;
    Value value = std::int64_t{0};
    if (error_) return value;
    if (at_ < text_.size() && std::string_view("-+!~").find(text_[at_]) != std::string_view::npos) {
      const char op = text_[at_++];
      value = unary();
      if (live_ && !error_) {
        const auto result = apply_unary(op, value);
        if (result)
          value = *result;
        else
          complain(place, result.error());
      }
    } else {
      value = primary();
    }
    --depth_;
    return value;
  }

  Value primary() {
    skip_blanks();
    if (at_ >= text_.size()) return complain(at_, "an operand is missing"), Value{};
    const char first = text_[at_];
    if (take("(")) {
      Value value = conditional();
      expect(")");
      return value;
    }
    const bool fraction = first == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    if (is_digit(first) || fraction) return number();
    if (is_name_start(first)) return name();
    complain(at_, "expected a number, a name or '(', not '" + std::string(1, first) + "'");
    return Value{};
  }

  Value number() {
    const std::size_t length = literal_length(text_.substr(at_));
    const auto value = literal_value(text_.substr(at_, length));
    if (!value) complain(at_, value.error());
    at_ += length;
    return value ? *value : Value{};
  }

  Value name() {
    const std::size_t place = at_;
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    const std::string_view word = text_.substr(place, at_ - place);
    if (word == "true" || word == "false") return std::int64_t{word == "true"};
    if (word == "min" || word == "max") {
      skip_blanks();
      if (at_ < text_.size() && text_[at_] == '(') return smallest_or_largest(word == "min");
    }
    if (names_ && std::ranges::find(*names_, word) == names_->end()) names_->emplace_back(word);
    if (!scope_) return std::int64_t{1};
    const auto found = scope_->find(word);
    if (found == scope_->end()) return complain(place, "unknown name '" + std::string(word) + "'"), Value{};
    return found->second;
  }

  Value smallest_or_largest(bool smallest) {
    expect("(");
    Value best = conditional();
    while (!error_ && take(",")) {
      const Value next = conditional();
      const bool better = smallest ? as_double(next) < as_double(best) : as_double(next) > as_double(best);
      const bool mixed = next.index() != best.index();
      if (better) best = next;
      if (mixed) best = as_double(best);
    }
    expect(")");
    return best;
  }

  std::string_view text_;
  const Scope *scope_;
  std::vector<std::string> *names_;
  bool live_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<ExpressionError> error_;
};

}  // namespace

std::expected<Value, ExpressionError> evaluate_expression(std::string_view text, const Scope &scope) {
  return Evaluator(text, &scope, nullptr).run();
}

Result<std::int64_t> evaluate_integer(std::string_view text, const Scope &scope) {
  auto value = evaluate_expression(text, scope);
  const std::string quoted = "'" + std::string(text) + "'";
  if (!value) {
    return user_error(value.error().message + " at column " + std::to_string(value.error().offset + 1) +
                      " of " + quoted);
  }
  if (const auto *integer = std::get_if<std::int64_t>(&*value)) return *integer;
  const double number = std::get<double>(*value);
  // 2^63 is the first double outside.
  if (number != std::floor(number) || number < -0x1p63 || number >= 0x1p63)
    return user_error(quoted + " is not an integer");
  return static_cast<std::int64_t>(number);
}

std::expected<std::vector<std::string>, ExpressionError> parse_expression(std::string_view text) {
  std::vector<std::string> names;
  if (const auto read = Evaluator(text, nullptr, &names).run(); !read) return std::unexpected(read.error());
  return names;
}

std::vector<std::string> names_in_expression(std::string_view text) {
  return parse_expression(text).value_or(std::vector<std::string>());
}

}  // namespace cupilot
