// SPDX-License-Identifier: Apache-2.0
//
// Operands, whatever the instruction: their form alone decides what they are.

#include <fmt/format.h>

#include "evolution/emulate/ptx/body.h"
#include "evolution/emulate/ptx/constant.h"

namespace cupilot::emulate::ptx {

bool Body::operands(Instruction &instruction) {
  instruction.operands.reserve(4);
  do {
    if (!operand(instruction.operands.emplace_back())) return false;
  } while (lexer_.accept(','));
  return true;
}

/// A whole operand: a simple one, a pair of them, or something in brackets.
bool Body::operand(Operand &operand) {
  if (lexer_.is('(') && call_) return list(operand, Operand::Kind::list, ')');
  if (!simple(operand)) return false;
  if (!lexer_.is('|')) return true;
  lexer_.advance();
  Operand pair;
  pair.kind = Operand::Kind::pair;
  pair.parts.resize(2);
  pair.parts[0] = std::move(operand);
  if (!simple(pair.parts[1])) return false;
  operand = std::move(pair);
  return true;
}

bool Body::simple(Operand &operand) {
  if (lexer_.now().kind == TokenKind::word && lexer_.now().text != "WARP_SZ") {
    named(lexer_.now().text, operand);
    lexer_.advance();
    if (operand.kind != Operand::Kind::symbol) return true;
    return lexer_.is('[') ? index(operand) : offset(operand);
  }
  if (lexer_.is('[')) return address(operand);
  if (lexer_.is('{')) return list(operand, Operand::Kind::vector, '}');
  if (lexer_.accept('!')) {
    std::string_view name;
    if (lexer_.now().kind == TokenKind::integer) {
      if (!number(operand)) return false;
      operand.integer = operand.integer == 0;
      return true;
    }
    if (!lexer_.expect_word(name, "a predicate")) return false;
    named(name, operand);
    operand.negated = true;
    return true;
  }
  return number(operand);
}

bool Body::number(Operand &operand) {
  Constant value;
  if (!begins_constant(lexer_)) return lexer_.unexpected("an operand");
  if (!constant(lexer_, value)) return false;
  operand.kind = value.real ? Operand::Kind::real : Operand::Kind::integer;
  operand.bits = value.real ? value.bits : 0;
  operand.integer = value.integer;
  return true;
}

/// {...} and (...), in view at the opening sign.
bool Body::list(Operand &operand, Operand::Kind kind, char close) {
  constexpr int kMostNesting = 8;
  operand.kind = kind;
  if (++lexer_.nesting > kMostNesting) return lexer_.fail("nested too deeply");
  lexer_.advance();
  if (!lexer_.is(close)) {
    do {
      if (!this->operand(operand.parts.emplace_back())) return false;
    } while (lexer_.accept(','));
  }
  --lexer_.nesting;
  return lexer_.expect(close);
}

/// "+8", "-8" and "+-8" behind a base; kept in `integer`.
bool Body::offset(Operand &operand) {
  if (!lexer_.is('+') && !lexer_.is('-')) return true;
  if (lexer_.is('+')) lexer_.advance();
  return integer_constant(lexer_, operand.integer, "an offset");
}

/// "table[3]": the address of an element.
bool Body::index(Operand &operand) {
  const Token start = lexer_.now();
  std::int64_t position = 0;
  lexer_.advance();
  if (!integer_constant(lexer_, position, "a constant index")) return false;
  std::int64_t bytes = 1;
  if (const auto own = used_names_.find(operand.name); own != used_names_.end()) bytes = own->second;
  if (const auto known = builder_.variables.find(operand.name); known != builder_.variables.end())
    bytes = builder_.module.variables[known->second].type.bits / 8;
  if (position < 0 || position > (std::int64_t{1} << 40))
    return lexer_.fail_at(start, "this index is larger than any memory");
  Operand base = std::move(operand);
  operand = {};
  operand.kind = Operand::Kind::address;
  operand.integer = position * bytes;
  operand.parts.push_back(std::move(base));
  return lexer_.expect(']');
}

/// [base+offset, coordinates...], in view at '['.
bool Body::address(Operand &operand) {
  operand.kind = Operand::Kind::address;
  lexer_.advance();
  Operand &base = operand.parts.emplace_back();
  const Token start = lexer_.now();
  if (start.kind == TokenKind::word && start.text != "WARP_SZ") {
    named(start.text, base);
    lexer_.advance();
    if (base.kind == Operand::Kind::special || base.kind == Operand::Kind::sink)
      return lexer_.fail_at(start, fmt::format("'{}' cannot be an address", shown(start.text)));
    if (!offset(operand)) return false;
  } else if (!number(base)) {
    return false;
  }
  constexpr int kMostNesting = 8;
  if (++lexer_.nesting > kMostNesting) return lexer_.fail("nested too deeply");
  while (lexer_.accept(','))
    if (!this->operand(operand.parts.emplace_back())) return false;
  --lexer_.nesting;
  return lexer_.expect(']');
}

/// What a word means here. What nothing declares so far may be a label that comes later: integer -1 until
/// then.
void Body::named(std::string_view name, Operand &operand) {
  if (name == "_") {
    operand.kind = Operand::Kind::sink;
    return;
  }
  operand.name = name;
  Name found = branch_ ? Name{} : names_.find(name);
  if (const std::size_t dot = name.find('.');
      found.kind == Name::Kind::none && dot != std::string_view::npos) {
    found = names_.find(name.substr(0, dot));
    if (found.kind == Name::Kind::reg) name.remove_prefix(dot + 1);
  } else if (found.kind == Name::Kind::reg) {
    name = {};
  }
  if (found.kind == Name::Kind::reg) {
    operand.kind = Operand::Kind::reg;
    operand.index = found.index;
    operand.name = name;
  } else if (found.kind == Name::Kind::symbol) {
    operand.kind = Operand::Kind::symbol;
    operand.name = found.symbol;
  } else if (name[0] == '%') {
    operand.kind = Operand::Kind::special;
  } else if (!branch_ && builder_.is_symbol(name)) {
    operand.kind = Operand::Kind::symbol;
  } else {
    operand.kind = Operand::Kind::label;
    operand.index = names_.scope();
    operand.integer = -1;
    unresolved_ = true;
  }
}

}  // namespace cupilot::emulate::ptx
