// SPDX-License-Identifier: Apache-2.0
//
// Finds the declarations of a variant at namespace scope by counting brackets. Types, templates and macros
// are not interpreted; a declaration that looks like neither a function nor a type counts as a variable.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/screen/lexer.h"

namespace cupilot::judge::screen {

enum class DeclarationKind { function, prototype, type, variable, other };

struct Declaration {
  DeclarationKind kind = DeclarationKind::other;
  std::string name;                   ///< for a function or prototype
  int line = 0;                       ///< line of the name, or of the first token
  std::vector<CodeToken> head;        ///< everything before the body or the semicolon
  std::vector<CodeToken> parameters;  ///< tokens between the parentheses of a function
  std::vector<CodeToken> body;        ///< tokens between the braces

  bool mentions(std::string_view word) const;  ///< whether its head contains `word`
  bool on_device() const { return mentions("__global__") || mentions("__device__"); }
};

struct Outline {
  std::vector<Declaration> declarations;
  std::string error;  ///< "unbalanced '}'"; empty when the brackets match
  int error_line = 0;
};

/// `tokens` must not contain those of preprocessor lines.
Outline outline_of(std::span<const CodeToken> tokens);

/// Index of the bracket that closes the one at `open`; the last token if none does.
std::size_t closing(std::span<const CodeToken> tokens, std::size_t open);

/// Splits at commas that are outside of all brackets. An empty input gives no parts.
std::vector<std::vector<CodeToken>> split_arguments(std::span<const CodeToken> tokens);

}  // namespace cupilot::judge::screen
