// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/ptx/constant.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

namespace cupilot::emulate::ptx {
namespace {

struct Binary {
  char first, second;  ///< second 0: one character
  int strength;
};
// Longer spellings first.
constexpr Binary kBinaries[] = {{'|', '|', 1}, {'&', '&', 2}, {'=', '=', 6}, {'!', '=', 6}, {'<', '<', 8},
                                {'>', '>', 8}, {'<', '=', 7}, {'>', '=', 7}, {'|', 0, 3},   {'^', 0, 4},
                                {'&', 0, 5},   {'<', 0, 7},   {'>', 0, 7},   {'+', 0, 9},   {'-', 0, 9},
                                {'*', 0, 10},  {'/', 0, 10},  {'%', 0, 10}};

const Binary *binary_here(const Lexer &lexer) {
  if (lexer.now().kind != TokenKind::sign) return nullptr;
  for (const Binary &one : kBinaries)
    if (lexer.is(one.first) && (one.second == 0 || lexer.following() == one.second)) return &one;
  return nullptr;
}

std::int64_t shifted(std::int64_t a, std::int64_t b, bool left) {
  if (b < 0 || b > 63) return left || a >= 0 ? 0 : -1;
  return left ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b) : a >> b;
}

std::int64_t divided(std::int64_t a, std::int64_t b, bool quotient) {
  if (b == -1) return quotient ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a)) : 0;
  return quotient ? a / b : a % b;
}

std::int64_t applied(const Binary &op, std::int64_t a, std::int64_t b) {
  const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  if (op.second != 0) {
    switch (op.first) {
      case '|':
        return a != 0 || b != 0;
      case '&':
        return a != 0 && b != 0;
      case '=':
        return a == b;
      case '!':
        return a != b;
      case '<':
        return op.second == '<' ? shifted(a, b, true) : a <= b;
      default:
        return op.second == '>' ? shifted(a, b, false) : a >= b;
    }
  }
  switch (op.first) {
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '+':
      return static_cast<std::int64_t>(ua + ub);
    case '-':
      return static_cast<std::int64_t>(ua - ub);
    case '*':
      return static_cast<std::int64_t>(ua * ub);
    default:
      return divided(a, b, op.first == '/');
  }
}

bool expression(Lexer &lexer, Constant &value, int weakest);
bool conditional(Lexer &lexer, Constant &value);

/// Counts nesting for as long as it lives.
class Nested {
public:
  explicit Nested(Lexer &lexer) : lexer_(lexer) { ++lexer_.nesting; }
  ~Nested() { --lexer_.nesting; }
  Nested(const Nested &) = delete;
  Nested &operator=(const Nested &) = delete;
  bool too_deep() const {
    if (lexer_.nesting <= Lexer::kMostNesting) return false;
    lexer_.fail("a constant expression is nested too deeply");
    return true;
  }

private:
  Lexer &lexer_;
};

bool unary(Lexer &lexer, Constant &value) {
  const Nested nested(lexer);
  const Token start = lexer.now();
  if (nested.too_deep()) return false;
  if (lexer.accept('(')) {
    if (lexer.accept_dotted("s64") || lexer.accept_dotted("u64"))
      return lexer.expect(')') && unary(lexer, value);
    return conditional(lexer, value) && lexer.expect(')');
  }
  if (start.kind == TokenKind::integer || start.kind == TokenKind::real) {
    value = {start.kind == TokenKind::real, start.bits, start.integer};
    lexer.advance();
    return true;
  }
  if (start.kind == TokenKind::word && start.text == "WARP_SZ") {
    value = {false, 64, 32};
    lexer.advance();
    return true;
  }
  if (start.kind != TokenKind::sign ||
      (start.sign != '-' && start.sign != '+' && start.sign != '~' && start.sign != '!'))
    return lexer.unexpected("a constant");
  lexer.advance();
  if (!unary(lexer, value)) return false;
  const auto bits = static_cast<std::uint64_t>(value.integer);
  if (value.real && (start.sign == '~' || start.sign == '!'))
    return lexer.fail_at(start, "this operator needs an integer");
  if (start.sign == '-')
    value.integer =
        static_cast<std::int64_t>(value.real ? bits ^ (std::uint64_t{1} << (value.bits - 1)) : 0 - bits);
  if (start.sign == '~') value.integer = ~value.integer;
  if (start.sign == '!') value.integer = value.integer == 0;
  return true;
}

bool expression(Lexer &lexer, Constant &value, int weakest) {
  if (!unary(lexer, value)) return false;
  for (const Binary *op = binary_here(lexer); op != nullptr && op->strength >= weakest;
       op = binary_here(lexer)) {
    const Token at = lexer.now();
    lexer.advance();
    if (op->second != 0) lexer.advance();
    Constant right;
    if (!expression(lexer, right, op->strength + 1)) return false;
    if (value.real || right.real)
      return lexer.fail_at(at, "arithmetic on floating-point constants is not supported");
    if ((op->first == '/' || op->first == '%') && right.integer == 0)
      return lexer.fail_at(at, "division by zero");
    value.integer = applied(*op, value.integer, right.integer);
  }
  return true;
}

bool conditional(Lexer &lexer, Constant &value) {
  const Nested nested(lexer);
  if (nested.too_deep() || !expression(lexer, value, 1)) return false;
  if (!lexer.accept('?')) return true;
  Constant yes, no;
  if (!conditional(lexer, yes) || !lexer.expect(':') || !conditional(lexer, no)) return false;
  value = value.integer != 0 ? yes : no;
  return true;
}

}  // namespace

double Constant::as_double() const {
  if (!real) return static_cast<double>(integer);
  if (bits == 32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(integer)));
  return std::bit_cast<double>(integer);
}

bool begins_constant(const Lexer &lexer) {
  const Token &now = lexer.now();
  if (now.kind == TokenKind::integer || now.kind == TokenKind::real) return true;
  if (now.kind == TokenKind::word) return now.text == "WARP_SZ";
  return lexer.is('-') || lexer.is('+') || lexer.is('~') || lexer.is('(');
}

bool constant(Lexer &lexer, Constant &value) {
  return conditional(lexer, value);
}

bool integer_constant(Lexer &lexer, std::int64_t &value, std::string_view what) {
  const Token start = lexer.now();
  Constant found;
  if (!begins_constant(lexer)) return lexer.unexpected(what);
  if (!constant(lexer, found)) return false;
  if (found.real)
    return lexer.fail_at(start, fmt::format("expected {}, found a floating-point number", what));
  value = found.integer;
  return true;
}

}  // namespace cupilot::emulate::ptx
