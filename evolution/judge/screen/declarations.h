// SPDX-License-Identifier: Apache-2.0
//
// The outline of a variant: its declarations at namespace scope, found by counting brackets. Types, templates
// and macros are not understood; what does not look like a function or a type is a variable.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "evolution/judge/screen/lexer.h"

namespace cupilot {

enum class DeclarationKind { function, prototype, type, variable, other };

struct Declaration {
  DeclarationKind kind = DeclarationKind::other;
  std::string name;                   ///< of a function or prototype
  int line = 0;                       ///< of the name, else of the first token
  std::vector<CodeToken> head;        ///< everything before the body or the semicolon
  std::vector<CodeToken> parameters;  ///< between the parentheses of a function
  std::vector<CodeToken> body;        ///< between the braces

  bool mentions(std::string_view word) const;  ///< in its head
  bool on_device() const { return mentions("__global__") || mentions("__device__"); }
};

struct Outline {
  std::vector<Declaration> declarations;
  std::string error;  ///< "unbalanced '}'"; empty when the brackets match
  int error_line = 0;
};

/// `tokens` without those of preprocessor lines.
Outline outline_of(std::span<const CodeToken> tokens);

/// Splits at commas outside of any bracket; no tokens are no parts.
std::vector<std::vector<CodeToken>> split_arguments(std::span<const CodeToken> tokens);

}  // namespace cupilot
