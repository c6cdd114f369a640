// SPDX-License-Identifier: Apache-2.0
//
// What the module level and function bodies share: the module under construction, types, and declarations
// of variables.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "evolution/emulate/ptx/lexer.h"
#include "evolution/emulate/ptx/locations.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::ptx {

struct Builder {
  Builder(std::string text, const std::string &name);

  Module module;
  Lexer lexer;
  Locations locations;
  std::unordered_map<std::string_view, std::uint32_t> variables, functions;  ///< of the module, by index
  std::uint64_t padding = 0;  ///< zero bytes that initialisers made so far

  /// Keeps a made-up name alive with the module.
  std::string_view make(std::string text);
  bool is_symbol(std::string_view name) const { return variables.contains(name) || functions.contains(name); }
};

/// Everything of a declaration before the name.
struct DeclarationHead {
  Space space = Space::none;
  Type type;
  std::uint8_t vector = 1;
  std::uint32_t alignment = 0;
};

std::optional<Space> space_of(std::string_view word);
std::optional<Type> type_of(std::string_view word);
/// "s32" has 32; 0: no type of whole numbers or of plain bits.
int integer_bits(std::string_view word);

/// Behind the space: ".align 4 .v2 .f32", ".u64 .ptr .global .align 16".
bool declaration_head(Lexer &lexer, DeclarationHead &head);
/// The name and its extents; `extents` as written, an open one is 0.
bool declarator(Lexer &lexer, const DeclarationHead &head, Variable &variable,
                std::vector<std::uint64_t> &extents);
/// Behind '='.
bool initialiser(Builder &builder, Variable &variable, std::vector<std::uint64_t> extents);
/// Name, extents, initialiser.
bool variable(Builder &builder, const DeclarationHead &head, Variable &variable);
/// "(.param .b32 a, .reg .b32 b)", in view at '('.
bool parameter_list(Lexer &lexer, std::vector<Variable> &parameters);
/// ".reg .b32 %r<10>, t;" behind ".reg"; calls add(name, count), count -1 for a single register.
template <class Add>
bool register_list(Lexer &lexer, DeclarationHead &head, Add add) {
  if (!declaration_head(lexer, head)) return false;
  do {
    const Token start = lexer.now();
    std::string_view name;
    std::int64_t count = -1;
    if (!lexer.expect_word(name, "the name of a register")) return false;
    if (lexer.accept('<')) {
      if (!lexer.expect_integer(count, "a number of registers") || !lexer.expect('>')) return false;
      if (count < 0) return lexer.fail_at(start, "a number of registers cannot be negative");
    }
    if (!add(name, count)) return lexer.fail_at(start, "'" + shown(name) + "' is declared twice");
  } while (lexer.accept(','));
  return lexer.expect(';');
}

}  // namespace cupilot::emulate::ptx
