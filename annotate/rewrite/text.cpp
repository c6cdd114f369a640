// SPDX-License-Identifier: Apache-2.0
#include "annotate/rewrite/text.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "annotate/support/names.h"
#include "annotate/support/text.h"

namespace cupilot::rewrite {
namespace {

/// The column where the text starts in the line that contains `offset`.
std::size_t indentation(const std::string &source, std::size_t offset) {
  const std::size_t line =
      source.rfind('\n', offset) == std::string::npos ? 0 : source.rfind('\n', offset) + 1;
  std::size_t text = line;
  while (text < source.size() && (source[text] == ' ' || source[text] == '\t')) ++text;
  return text - line;
}

std::string dedent(const std::string &text, std::size_t columns) {
  std::vector<std::string> lines = split(text, '\n');
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::size_t cut = 0;
    while (cut < columns && cut < lines[i].size() && (lines[i][cut] == ' ' || lines[i][cut] == '\t')) ++cut;
    lines[i].erase(0, cut);
  }
  return join(lines, "\n");
}

std::size_t statement_end(const std::string &source, const Node &node) {
  std::size_t end = node.end;
  if (end > node.begin && source[end - 1] == ';') return end;
  while (end < source.size() && std::isspace(static_cast<unsigned char>(source[end]))) ++end;
  return end < source.size() && source[end] == ';' ? end + 1 : node.end;
}

std::string without_comments(const std::string &source) {
  std::string out;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.compare(i, 2, "//") == 0)
      i = std::min(source.find('\n', i), source.size());
    else if (source.compare(i, 2, "/*") == 0)
      i = std::min(source.find("*/", i), source.size()) + 1;
    else
      out += source[i];
    if (i < source.size() && source[i] == '\n') out += '\n';
  }
  return out;
}

}  // namespace

void Edits::replace(const Node &node, std::string text) {
  if (!node.exact && !macro_line_) macro_line_ = node.line ? node.line : 1;
  replace(node.begin, node.end, std::move(text));
}

void Edits::replace(std::size_t begin, std::size_t end, std::string text) {
  for (auto i = pieces_.begin(); i != pieces_.end();) {
    if (i->first <= begin && i->second.first >= end && i->second.first > i->first) return;
    if (begin <= i->first && end >= i->second.first)
      i = pieces_.erase(i);
    else
      ++i;
  }
  pieces_[begin] = {end, std::move(text)};
}

std::string Edits::print(const std::string &source, std::size_t begin, std::size_t end) const {
  std::string out;
  std::size_t at = begin;
  for (const auto &[from, piece] : pieces_) {
    if (from < at || piece.first > end) continue;
    out += source.substr(at, from - at) + piece.second;
    at = piece.first;
  }
  return out + source.substr(at, end - at);
}

std::string statement_text(const Kernel &kernel, const Node &node, const Edits &edits) {
  const std::size_t end = statement_end(kernel.source, node);
  return dedent(edits.print(kernel.source, node.begin, end), indentation(kernel.source, node.begin));
}

std::string statements_text(const Kernel &kernel, const std::vector<const Node *> &statements,
                            const Edits &edits) {
  if (statements.empty()) return {};
  std::string out = statement_text(kernel, *statements[0], edits);
  for (std::size_t i = 1; i < statements.size(); ++i) {
    const std::size_t gap = statement_end(kernel.source, *statements[i - 1]);
    const std::string between =
        gap < statements[i]->begin ? edits.print(kernel.source, gap, statements[i]->begin) : "\n";
    const bool comment = between.find('/') != std::string::npos;
    const std::string text = statement_text(kernel, *statements[i], edits);
    const std::string gap_text = dedent(between, indentation(kernel.source, statements[i]->begin));
    if (trim(text).empty() && !comment) continue;
    out += (comment ? gap_text : std::string("\n")) + text;
  }
  return out.starts_with("\n") ? out.substr(1) : out;
}

std::vector<const Node *> parts_of(const Node &statement) {
  if (statement.kind != Kind::compound) return {&statement};
  std::vector<const Node *> parts;
  for (const Node &part : statement.children) parts.push_back(&part);
  return parts;
}

std::string text_of(const Kernel &kernel, const Node &node) {
  return kernel.source.substr(node.begin, node.end - node.begin);
}

std::string text_of(const Kernel &kernel, const Node &node, const Edits &edits) {
  return edits.print(kernel.source, node.begin, node.end);
}

std::string operand(const std::string &expression) {
  return std::ranges::all_of(expression, is_name_character) ? expression : "(" + expression + ")";
}

std::string indent(const std::string &text, int columns) {
  std::vector<std::string> lines = split(text, '\n');
  for (std::string &line : lines)
    if (!line.empty() && line[0] != '#') line.insert(0, static_cast<std::size_t>(columns), ' ');
  return join(lines, "\n");
}

Names::Names(const Kernel &kernel) {
  const std::string text = without_comments(kernel.source) + " ";
  std::string word;
  for (const char c : text) {
    if (is_name_character(c)) {
      word += c;
    } else if (!word.empty()) {
      used_.insert(std::exchange(word, {}));
    }
  }
}

std::string Names::fresh(const std::string &name) {
  std::string free = name;
  for (int number = 2; !used_.insert(free).second; ++number) free = name + std::to_string(number);
  return free;
}

}  // namespace cupilot::rewrite
