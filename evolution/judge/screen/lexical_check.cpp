// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/lexical_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/directive/line_splice.h"
#include "annotate/directive/source_lexer.h"

namespace cupilot::judge::screen {
namespace {

class LexicalCheck {
public:
  LexicalCheck(std::string_view text, std::span<const CodeToken> tokens)
      : text_(text), tokens_(tokens), lines_(text) {}

  std::vector<StaticFinding> run() {
    trigraphs();
    control_characters();
    comment_marks();
    last_line();
    for (std::size_t i = 0; i < tokens_.size(); ++i) token(i);
    return std::move(findings_);
  }

private:
  void add(int line, std::string reason) { findings_.push_back({line, std::move(reason)}); }
  int line_of(std::size_t at) const { return lines_.line(static_cast<unsigned>(at)); }

  /// Compilers replace them or not, depending on the standard: they are refused in comments and strings too.
  void trigraphs() {
    for (auto at = text_.find("??"); at != text_.npos; at = text_.find("??", at + 1))
      if (at + 2 < text_.size() && std::string_view("=/'()!<>-").contains(text_[at + 2]))
        add(line_of(at),
            fmt::format("'{}' is a trigraph, which some compilers replace by another character; write "
                        "a blank between the question marks",
                        text_.substr(at, 3)));
  }

  void control_characters() {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const auto c = static_cast<unsigned char>(text_[i]);
      const bool line_end = c == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
      if ((c < ' ' && c != '\n' && c != '\t' && !line_end) || c == 0x7f)
        return add(line_of(i), fmt::format("the control character 0x{:02x} is not allowed, because compilers "
                                           "disagree on whether it ends a line; write a blank or a newline",
                                           c));
    }
  }

  void spliced(int line) {
    add(line,
        "a line continuation may stand only between words, not inside of one; write the word on one line");
  }
  /// Of a comment: a slash and a star on two lines.
  void comment_marks() {
    const auto joined = directive::splice_lines(text_);
    const auto mark = [&](std::size_t i) { return joined.text[i] == '/' || joined.text[i] == '*'; };
    for (std::size_t i = 1; i < joined.text.size(); ++i)
      if (joined.origin[i] != joined.origin[i - 1] + 1 && mark(i - 1) && mark(i))
        spliced(line_of(joined.origin[i - 1]));
  }

  /// The line that the judge and the launcher add would belong to it.
  void last_line() {
    const auto last = text_.find_last_not_of(" \t\r\n\v\f");
    if (last != text_.npos && text_[last] == '\\')
      add(line_of(last), "the variant ends in a line continuation; remove the backslash");
  }

  void token(std::size_t i) {
    const auto &token = tokens_[i];
    if (token.spliced) spliced(token.line);
    if (token.kind == CodeTokenKind::name || token.kind == CodeTokenKind::directive) letters(token);
    if (token.kind == CodeTokenKind::punctuation && i + 1 < tokens_.size()) digraph(token, tokens_[i + 1]);
    if (token.kind == CodeTokenKind::literal && i + 1 < tokens_.size()) suffix(tokens_[i + 1]);
    extended_precision(i);
  }
  /// The words of a type may stand in any order: `long double`, `double const long`.
  void extended_precision(std::size_t i) {
    const auto &token = tokens_[i];
    bool extended = false;
    if (token.kind == CodeTokenKind::number) {
      const bool hex = token.text.starts_with("0x") || token.text.starts_with("0X");
      const bool floating = token.text.find_first_of(hex ? ".pP" : ".eE") != std::string::npos;
      extended = floating && (token.text.ends_with('l') || token.text.ends_with('L'));
    } else if (is(token, "double")) {
      const auto is_of_type = [](const CodeToken &t) { return is(t, "const") || is(t, "volatile"); };
      std::size_t before = i, after = i + 1;
      while (before > 0 && is_of_type(tokens_[before - 1])) --before;
      while (after < tokens_.size() && is_of_type(tokens_[after])) ++after;
      extended = (before > 0 && is(tokens_[before - 1], "long")) ||
                 (after < tokens_.size() && is(tokens_[after], "long"));
    }
    if (extended)
      add(token.line,
          "long double is as precise as the program has set its processor to, and a GPU has none; use "
          "double");
  }
  void letters(const CodeToken &token) {
    if (std::ranges::any_of(token.text, [](char c) { return c == '$' || (c & 0x80); }))
      add(token.line,
          fmt::format("the name '{}' has other characters than a-z, A-Z, 0-9 and _; write it with these",
                      token.text));
  }
  /// In `"a"R"(b)"` the R is the suffix of a string, and what looks like a raw string is a plain one. The
  /// lexer of the judge has put a raw string's prefix and text in one token.
  void suffix(const CodeToken &next) {
    if (next.adjacent && (next.kind == CodeTokenKind::name || next.raw))
      add(next.line,
          "a name stands right after a string: write a blank between them; literals with a suffix of "
          "their own are not allowed");
  }
  void digraph(const CodeToken &first, const CodeToken &second) {
    if (!second.adjacent || second.kind != CodeTokenKind::punctuation) return;
    const auto both = first.text + second.text;
    for (const std::string_view one : {"<%", "%>", "<:", ":>", "%:"})
      if (both == one)
        return add(first.line,
                   fmt::format("digraphs are not allowed ('{}'); write the bracket or # itself", one));
  }

  std::string_view text_;
  std::span<const CodeToken> tokens_;
  directive::LineIndex lines_;
  std::vector<StaticFinding> findings_;
};

}  // namespace

std::vector<StaticFinding> lexical_findings(std::string_view text, std::span<const CodeToken> tokens) {
  return LexicalCheck(text, tokens).run();
}

}  // namespace cupilot::judge::screen
