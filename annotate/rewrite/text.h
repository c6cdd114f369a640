// SPDX-License-Identifier: Apache-2.0
//
// Edits the user's own text. Offsets into the slice stay valid, because edits are applied only when the text
// is printed.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "annotate/rewrite/syntax.h"

namespace cupilot::rewrite {

/// Replacements by position. Of two overlapping ones the outer one is used, whichever was added first.
class Edits {
public:
  void replace(const Node &node, std::string text);
  void replace(std::size_t begin, std::size_t end, std::string text);
  /// The line of the first replacement inside a macro, which cannot be edited; 0 when there is none.
  int macro_line() const { return macro_line_; }
  std::string print(const std::string &source, std::size_t begin, std::size_t end) const;

private:
  std::map<std::size_t, std::pair<std::size_t, std::string>> pieces_;
  int macro_line_ = 0;
};

/// The edited text of `node` as a whole statement, with its semicolon. The first line is unindented and the
/// others keep their indentation relative to it.
std::string statement_text(const Kernel &kernel, const Node &node, const Edits &edits);
/// The text of consecutive statements, with the comments between them.
std::string statements_text(const Kernel &kernel, const std::vector<const Node *> &statements,
                            const Edits &edits);
/// The statements of a compound statement, or the one statement itself.
std::vector<const Node *> parts_of(const Node &statement);
std::string text_of(const Kernel &kernel, const Node &node);
std::string text_of(const Kernel &kernel, const Node &node, const Edits &edits);

/// The expression as an operand: in parentheses unless it is a single word.
std::string operand(const std::string &expression);

std::string indent(const std::string &text, int columns);

/// Chooses names for a variant to introduce. It avoids all names in the kernel's text, whose meaning would
/// change.
class Names {
public:
  explicit Names(const Kernel &kernel);
  std::string fresh(const std::string &name);

private:
  std::set<std::string> used_;
};

}  // namespace cupilot::rewrite
