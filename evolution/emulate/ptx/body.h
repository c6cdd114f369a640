// SPDX-License-Identifier: Apache-2.0
//
// The body of a function: scopes, declarations, labels, instructions. Labels are resolved at the end.

#pragma once

#include "evolution/emulate/ptx/declaration.h"
#include "evolution/emulate/ptx/names.h"

namespace cupilot::emulate::ptx {

class Body {
public:
  Body(Builder &builder, Function &function);
  /// In view: '{'.
  bool parse();

private:
  bool statement();
  bool directive();
  bool variables(Space space);
  bool registers();
  bool keep(Variable &&one, const Token &start);
  bool label(const Token &name);
  bool target_list(std::string_view name);
  bool prototype(std::string_view name);
  bool instruction();
  bool guard(Guard &guard);
  void opcode(Instruction &instruction);

  // operand.cpp
  bool operands(Instruction &instruction);
  bool operand(Operand &operand);
  bool simple(Operand &operand);
  bool list(Operand &operand, Operand::Kind kind, char close);
  bool address(Operand &operand);
  bool number(Operand &operand);
  bool offset(Operand &operand);
  bool index(Operand &operand);
  void named(std::string_view name, Operand &operand);

  bool resolve_all();
  bool resolve(Operand &operand, const Token &where);

  Builder &builder_;
  Lexer &lexer_;
  Function &function_;
  Names names_;
  struct Pending {
    std::uint32_t instruction = 0;
    Token where;
  };
  std::vector<Pending> pending_;  ///< instructions with names that were not known yet
  std::vector<std::pair<std::string_view, Token>> pending_targets_;
  /// Variables of all scopes, for unique names; bytes of one element.
  std::unordered_map<std::string_view, std::uint32_t> used_names_;
  std::unordered_map<std::string_view, std::uint32_t> repeats_;
  bool call_ = false, branch_ = false, unresolved_ = false;
};

}  // namespace cupilot::emulate::ptx
