// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/ptx/body.h"

#include <fmt/format.h>

namespace cupilot::emulate::ptx {

Body::Body(Builder &builder, Function &function)
    : builder_(builder), lexer_(builder.lexer), function_(function), names_(function) {}

bool Body::parse() {
  builder_.locations.begin_function();
  for (std::vector<Variable> *list : {&function_.returns, &function_.parameters}) {
    for (const Variable &one : *list) {
      const bool fresh = one.space == Space::reg ? names_.add_register(one.name, one.type, 1)
                                                 : names_.add_symbol(one.name, one.name);
      if (!fresh && one.name != "_")
        return lexer_.fail(fmt::format("'{}' is declared twice", shown(one.name)));
      used_names_.emplace(one.name, one.type.bits / 8);
    }
  }
  if (!lexer_.expect('{')) return false;
  names_.open();
  while (names_.depth() > 1) {
    if (lexer_.at_end())
      return lexer_.fail(fmt::format("the body of '{}' has no closing brace", shown(function_.name)));
    if (!statement()) return false;
  }
  return resolve_all();
}

bool Body::statement() {
  const Token start = lexer_.now();
  if (start.kind == TokenKind::word) {
    lexer_.advance();
    if (lexer_.is(':')) return label(start);
    Instruction one;
    one.line = start.line;
    one.opcode = start.text;
    function_.body.push_back(std::move(one));
    return instruction();
  }
  if (start.kind == TokenKind::dotted) return directive();
  if (lexer_.accept('{')) {
    if (names_.depth() >= Names::kMostScopes) return lexer_.fail_at(start, "blocks are nested too deeply");
    names_.open();
    return true;
  }
  if (lexer_.accept('}')) {
    names_.close();
    return true;
  }
  if (lexer_.accept(';')) return true;
  if (!lexer_.accept('@')) return lexer_.unexpected("an instruction");
  Instruction one;
  one.line = start.line;
  if (!guard(one.guard) || !lexer_.expect_word(one.opcode, "an instruction")) return false;
  function_.body.push_back(std::move(one));
  return instruction();
}

bool Body::directive() {
  const Token start = lexer_.now();
  lexer_.advance();
  if (start.text == "loc") return builder_.locations.loc(lexer_);
  if (start.text == "file") return builder_.locations.file(lexer_);
  if (start.text == "reg") return registers();
  if (const auto space = space_of(start.text)) return variables(*space);
  if (start.text != "pragma")
    return lexer_.fail_at(
        start, fmt::format("the directive '.{}' is not known inside a function", shown(start.text)));
  while (lexer_.now().kind == TokenKind::string || lexer_.is(',')) lexer_.advance();
  return lexer_.expect(';');
}

bool Body::registers() {
  DeclarationHead head;
  head.space = Space::reg;
  return register_list(lexer_, head, [&](std::string_view name, std::int64_t count) {
    return count < 0 ? names_.add_register(name, head.type, head.vector)
                     : names_.add_range(name, static_cast<std::uint64_t>(count), head.type, head.vector);
  });
}

bool Body::variables(Space space) {
  DeclarationHead head;
  head.space = space;
  if (!declaration_head(lexer_, head)) return false;
  do {
    const Token start = lexer_.now();
    Variable one;
    if (!variable(builder_, head, one) || !keep(std::move(one), start)) return false;
  } while (lexer_.accept(','));
  return lexer_.expect(';');
}

/// A variable of this scope, under a name of its own: nvcc calls the first argument of every call "param0".
bool Body::keep(Variable &&one, const Token &start) {
  const std::string_view written = one.name;
  const std::uint32_t bytes = one.type.bits / 8;
  while (builder_.is_symbol(one.name) || !used_names_.emplace(one.name, bytes).second)
    one.name = builder_.make(fmt::format("{}#{}", written, ++repeats_[written]));
  if (!names_.add_symbol(written, one.name))
    return lexer_.fail_at(start, fmt::format("'{}' is declared twice", shown(written)));
  if (one.space != Space::global && one.space != Space::constant) {
    function_.variables.push_back(std::move(one));
    return true;
  }
  builder_.variables.emplace(one.name, static_cast<std::uint32_t>(builder_.module.variables.size()));
  builder_.module.variables.push_back(std::move(one));
  return true;
}

bool Body::label(const Token &name) {
  lexer_.advance();
  if (lexer_.is_dotted("branchtargets") || lexer_.is_dotted("calltargets")) {
    lexer_.advance();
    return target_list(name.text);
  }
  if (lexer_.accept_dotted("callprototype")) return prototype(name.text);
  bool twice = false;
  names_.add_label(name.text, static_cast<std::uint32_t>(function_.body.size()), twice);
  return !twice ||
         lexer_.fail_at(name, fmt::format("the label '{}' is defined twice in its scope", shown(name.text)));
}

bool Body::target_list(std::string_view name) {
  std::vector<Operand> targets;
  pending_targets_.emplace_back(name, lexer_.now());
  do {
    Operand one;
    if (!lexer_.expect_word(one.name, "a label or a function")) return false;
    one.kind = Operand::Kind::label;
    one.index = names_.scope();
    one.integer = -1;
    targets.push_back(std::move(one));
  } while (lexer_.accept(','));
  function_.targets[name] = std::move(targets);
  return lexer_.expect(';');
}

/// "(.param .b32 _) _ (.param .b32 _);", words like .noreturn before the end.
bool Body::prototype(std::string_view name) {
  auto &[returns, parameters] = function_.prototypes[name];
  std::string_view ignored;
  if (lexer_.is('(') && !parameter_list(lexer_, returns)) return false;
  if (!lexer_.expect_word(ignored, "'_'")) return false;
  if (lexer_.is('(') && !parameter_list(lexer_, parameters)) return false;
  while (lexer_.now().kind == TokenKind::dotted || lexer_.now().kind == TokenKind::integer) lexer_.advance();
  return lexer_.expect(';');
}

bool Body::guard(Guard &guard) {
  guard.negated = lexer_.accept('!');
  const Token start = lexer_.now();
  std::string_view name;
  if (!lexer_.expect_word(name, "a predicate")) return false;
  const Name found = names_.find(name);
  if (found.kind != Name::Kind::reg)
    return lexer_.fail_at(start, fmt::format("'{}' is not a register", shown(name)));
  guard.reg = static_cast<std::int32_t>(found.index);
  return true;
}

/// Splits the opcode; its parts may stand apart: "ld.global .f32".
void Body::opcode(Instruction &instruction) {
  if (lexer_.now().kind == TokenKind::dotted) {
    std::string whole(instruction.opcode);
    for (; lexer_.now().kind == TokenKind::dotted; lexer_.advance())
      whole.append(".").append(lexer_.now().text);
    instruction.opcode = builder_.make(std::move(whole));
  }
  const std::string_view text = instruction.opcode;
  std::size_t words = 1;
  for (const char c : text) words += c == '.' ? 1 : 0;
  instruction.words.reserve(words);
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find('.', from), text.size());
    instruction.words.push_back(text.substr(from, to - from));
    from = to + 1;
  }
}

bool Body::instruction() {
  Instruction &one = function_.body.back();
  one.location = builder_.locations.now();
  opcode(one);
  call_ = one.words[0] == "call";
  branch_ = one.words[0] == "bra";
  unresolved_ = false;
  const Token where = lexer_.now();
  if (!lexer_.is(';') && !operands(one)) return false;
  if (unresolved_) pending_.push_back({static_cast<std::uint32_t>(function_.body.size() - 1), where});
  return lexer_.expect(';');
}

bool Body::resolve(Operand &operand, const Token &where) {
  for (Operand &part : operand.parts)
    if (!resolve(part, where)) return false;
  if (operand.kind != Operand::Kind::label || operand.integer != -1) return true;
  operand.integer = 0;
  if (const std::int64_t at = names_.label(operand.name, operand.index); at >= 0) {
    operand.index = static_cast<std::uint32_t>(at);
    return true;
  }
  operand.kind = Operand::Kind::symbol;
  operand.index = 0;
  if (function_.targets.contains(operand.name) || function_.prototypes.contains(operand.name) ||
      builder_.is_symbol(operand.name))
    return true;
  return lexer_.fail_at(where, fmt::format("'{}' is not declared", shown(operand.name)));
}

bool Body::resolve_all() {
  for (const Pending &one : pending_)
    for (Operand &operand : function_.body[one.instruction].operands)
      if (!resolve(operand, one.where)) return false;
  for (const auto &[name, where] : pending_targets_)
    for (Operand &operand : function_.targets[name])
      if (!resolve(operand, where)) return false;
  return true;
}

}  // namespace cupilot::emulate::ptx
