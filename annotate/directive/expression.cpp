// SPDX-License-Identifier: Apache-2.0
//
// A recursive-descent parser with precedence climbing makes the tree; the evaluator walks over it. In a part
// that C++ would not evaluate (the right side of `false &&`, the other arm of ?:) an unknown name is an
// error, a division by zero is none.

#include "annotate/directive/expression.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "annotate/directive/literal.h"
#include "annotate/directive/operators.h"

namespace cupilot::directive {
namespace {

using Kind = Expression::Kind;

// Nobody nests this deeply on purpose; without a limit a hostile line could exhaust the stack.
constexpr int kMaxDepth = 256;

class ExpressionParser {
public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  std::expected<Expression, ExpressionError> run() {
    Expression expression = conditional();
    skip_blanks();
    if (!error_ && at_ < text_.size()) complain(at_, "unexpected '" + std::string(1, text_[at_]) + "'");
    if (error_) return std::unexpected(*error_);
    return expression;
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

  static Expression node(Kind kind, std::size_t offset) {
    Expression made;
    made.kind = kind;
    made.offset = offset;
    return made;
  }

  Expression conditional() {
    if (++depth_ > kMaxDepth) complain(at_, "the expression is nested too deeply");
    if (error_) return {};
    Expression expression = binary(0);
    if (!error_ && take("?")) {
      Expression choice = node(Kind::conditional, expression.offset);
      choice.operands.push_back(std::move(expression));
      choice.operands.push_back(conditional());
      expect(":");
      choice.operands.push_back(conditional());
      expression = std::move(choice);
    }
    --depth_;
    return expression;
  }

  Expression binary(int lowest) {
    Expression left = unary();
    while (!error_) {
      skip_blanks();
      const BinaryOperator *op = binary_operator_at(text_.substr(at_));
      if (op == nullptr || op->precedence < lowest) break;
      const bool continues =
          left.kind == Kind::chain && left.operators.back().kind->precedence == op->precedence;
      if (!continues) {
        Expression chain = node(Kind::chain, left.offset);
        chain.operands.push_back(std::move(left));
        left = std::move(chain);
      }
      left.operators.push_back({op, at_});
      at_ += op->spelling.size();
      left.operands.push_back(binary(op->precedence + 1));
    }
    return left;
  }

  Expression unary() {
    if (++depth_ > kMaxDepth) complain(at_, "the expression is nested too deeply");
    skip_blanks();
    if (error_) return {};
    Expression expression = node(Kind::unary, at_);
    if (at_ < text_.size() && std::string_view("-+!~").contains(text_[at_])) {
      expression.sign = text_[at_++];
      expression.operands.push_back(unary());
    } else {
      expression = primary();
    }
    --depth_;
    return expression;
  }

  Expression primary() {
    skip_blanks();
    if (at_ >= text_.size()) return complain(at_, "an operand is missing"), Expression{};
    const char first = text_[at_];
    Expression expression = node(Kind::group, at_);
    if (take("(")) {
      expression.operands.push_back(conditional());
      expect(")");
      return expression;
    }
    const bool fraction = first == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    if (is_digit(first) || fraction) return number();
    if (is_name_start(first)) return name();
    complain(at_, "expected a number, a name or '(', not '" + std::string(1, first) + "'");
    return expression;
  }

  Expression number() {
    Expression expression = node(Kind::constant, at_);
    const std::size_t length = literal_length(text_.substr(at_));
    if (const auto value = literal_value(text_.substr(at_, length)))
      expression.value = *value;
    else
      complain(at_, value.error());
    at_ += length;
    return expression;
  }

  Expression name() {
    Expression expression = node(Kind::name, at_);
    while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    expression.name = text_.substr(expression.offset, at_ - expression.offset);
    if (expression.name == "true" || expression.name == "false") {
      expression.kind = Kind::constant;
      expression.value = std::int64_t{expression.name == "true"};
    } else if ((expression.name == "min" || expression.name == "max") && take("(")) {
      expression.kind = expression.name == "min" ? Kind::least : Kind::greatest;
      do expression.operands.push_back(conditional());
      while (!error_ && take(","));
      expect(")");
    }
    return expression;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<ExpressionError> error_;
};

class Evaluator {
public:
  explicit Evaluator(const Scope &scope) : scope_(scope) {}

  std::expected<Value, ExpressionError> run(const Expression &expression) {
    const Value value = value_of(expression, true);
    if (error_) return std::unexpected(*error_);
    return value;
  }

private:
  void complain(std::size_t offset, std::string message) {
    if (!error_) error_ = ExpressionError{offset, std::move(message)};
  }

  /// The outcome of an operation at `offset`.
  Value checked(const std::expected<Value, std::string> &outcome, std::size_t offset) {
    if (!outcome) complain(offset, outcome.error());
    return outcome.value_or(Value{});
  }

  /// Where `live` is false only the names are looked up.
  Value value_of(const Expression &expression, bool live) {
    if (error_) return {};
    switch (expression.kind) {
      case Kind::constant:
        return expression.value;
      case Kind::name:
        return value_of_name(expression);
      case Kind::group:
        return value_of(expression.operands[0], live);
      case Kind::unary: {
        const Value value = value_of(expression.operands[0], live);
        return live && !error_ ? checked(apply_unary(expression.sign, value), expression.offset) : value;
      }
      case Kind::chain:
        return value_of_chain(expression, live);
      case Kind::conditional: {
        const bool chosen = truth(value_of(expression.operands[0], live));
        const Value yes = value_of(expression.operands[1], live && chosen);
        const Value no = value_of(expression.operands[2], live && !chosen);
        return chosen ? yes : no;
      }
      case Kind::least:
      case Kind::greatest:
        return smallest_or_largest(expression, live);
    }
    return {};
  }

  Value value_of_name(const Expression &expression) {
    const auto found = scope_.find(expression.name);
    if (found != scope_.end()) return found->second;
    complain(expression.offset, "unknown name '" + expression.name + "'");
    return {};
  }

  Value value_of_chain(const Expression &chain, bool live) {
    Value left = value_of(chain.operands[0], live);
    for (std::size_t i = 0; i < chain.operators.size(); ++i) {
      const auto [op, offset] = chain.operators[i];
      const bool decided = (op->kind == BinaryKind::logical_and && !truth(left)) ||
                           (op->kind == BinaryKind::logical_or && truth(left));
      const Value right = value_of(chain.operands[i + 1], live && !decided);
      if (live && !error_) left = checked(apply(op->kind, left, right), offset);
    }
    return left;
  }

  Value smallest_or_largest(const Expression &call, bool live) {
    Value best = value_of(call.operands[0], live);
    for (std::size_t i = 1; i < call.operands.size(); ++i) {
      const Value next = value_of(call.operands[i], live);
      const bool better =
          call.kind == Kind::least ? as_double(next) < as_double(best) : as_double(next) > as_double(best);
      const bool mixed = next.index() != best.index();
      if (better) best = next;
      if (mixed) best = as_double(best);
    }
    return best;
  }

  const Scope &scope_;
  std::optional<ExpressionError> error_;
};

void add_names(const Expression &expression, std::vector<std::string> &names) {
  if (expression.kind == Kind::name && std::ranges::find(names, expression.name) == names.end())
    names.push_back(expression.name);
  for (const Expression &operand : expression.operands) add_names(operand, names);
}

}  // namespace

std::expected<Expression, ExpressionError> parse_expression(std::string_view text) {
  return ExpressionParser(text).run();
}

std::vector<std::string> names_of(const Expression &expression) {
  std::vector<std::string> names;
  add_names(expression, names);
  return names;
}

std::vector<std::string> names_in_expression(std::string_view text) {
  const auto expression = parse_expression(text);
  return expression ? names_of(*expression) : std::vector<std::string>();
}

std::expected<Value, ExpressionError> evaluate_expression(std::string_view text, const Scope &scope) {
  const auto expression = parse_expression(text);
  if (!expression) return std::unexpected(expression.error());
  return Evaluator(scope).run(*expression);
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

}  // namespace cupilot::directive
