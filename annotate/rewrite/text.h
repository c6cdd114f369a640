// SPDX-License-Identifier: Apache-2.0
//
// The user's own text with edits: offsets into the slice stay valid until the text is printed, once.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "annotate/rewrite/syntax.h"

namespace cupilot::rewrite {

/// Replacements by place. Where two overlap the outer one wins, whoever came first.
class Edits {
public:
  void replace(const Node &node, std::string text);
  void replace(std::size_t begin, std::size_t end, std::string text);
  /// Line of the first replaced piece that came out of a macro and so cannot be edited; 0 when all can.
  int macro_line() const { return macro_line_; }
  std::string print(const std::string &source, std::size_t begin, std::size_t end) const;

private:
  std::map<std::size_t, std::pair<std::size_t, std::string>> pieces_;
  int macro_line_ = 0;
};

/// `node` as a whole statement: edited text, its semicolon, first line unindented, the others relative to it.
std::string statement_text(const Kernel &kernel, const Node &node, const Edits &edits);
/// Consecutive statements with the comments between them.
std::string statements_text(const Kernel &kernel, const std::vector<const Node *> &statements,
                            const Edits &edits);
/// The statements of a compound statement, or the one statement itself.
std::vector<const Node *> parts_of(const Node &statement);
std::string text_of(const Kernel &kernel, const Node &node);
std::string text_of(const Kernel &kernel, const Node &node, const Edits &edits);

/// In parentheses unless it is a single word, for use as an operand.
std::string operand(const std::string &expression);

std::string indent(const std::string &text, int columns);

/// Names a variant introduces; never one the kernel's own text uses, which would change its meaning.
class Names {
public:
  explicit Names(const Kernel &kernel);
  std::string fresh(const std::string &name);

private:
  std::set<std::string> used_;
};

}  // namespace cupilot::rewrite
