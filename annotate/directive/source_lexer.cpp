// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/source_lexer.h"

#include <algorithm>
#include <utility>

#include "annotate/directive/line_splice.h"
#include "annotate/directive/literal.h"

namespace cupilot::directive {
namespace {

// Of several characters, because `a + +b` is not `a++b`; longest first.
constexpr std::string_view kPunctuation[] = {
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "<=>", "::", "->", "++", "--", "<<", ">>", "<=", ">=",
    "==",  "!=",  "&&",  "||",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", ".*", "##"};

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  RawTokens run() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a byte order mark is no token
    while (at_ < text_.size()) step();
    end_directive();
    return std::move(out_);
  }

private:
  std::string_view rest() const { return text_.substr(at_); }
  char ahead(std::size_t n) const { return at_ + n < text_.size() ? text_[at_ + n] : '\0'; }

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      end_directive();
      line_start_ = true;
      ++at_;
    } else if (const std::size_t splice = splice_length(text_, at_)) {
      at_ += splice;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++at_;
    } else if (c == '/' && (ahead(1) == '/' || ahead(1) == '*')) {
      comment();
    } else if (c == '#' && line_start_ && directive_ < 0) {
      begin_directive();
    } else {
      token();
      line_start_ = false;
    }
  }

  void comment() {
    if (ahead(1) == '*') {
      const std::size_t end = text_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? text_.size() : end + 2;
      return;
    }
    while (at_ < text_.size() && text_[at_] != '\n')
      at_ += std::max<std::size_t>(splice_length(text_, at_), 1);
  }

  void begin_directive() {
    directive_ = static_cast<int>(out_.directives.size());
    out_.directives.push_back({static_cast<unsigned>(at_), 0, ""});
    line_start_ = false;
    ++at_;
  }

  void end_directive() {
    if (directive_ >= 0)
      out_.directives[static_cast<std::size_t>(directive_)].end = static_cast<unsigned>(at_);
    directive_ = -1;
  }

  void token() {
    const std::size_t begin = at_;
    bool identifier = false;
    const char c = text_[at_];
    if (is_name_start(c)) {
      while (is_name_part(ahead(0))) ++at_;
      identifier = true;
      if (ahead(0) == '"' || ahead(0) == '\'') identifier = !prefixed_literal(begin);
    } else if (is_digit(c) || (c == '.' && is_digit(ahead(1)))) {
      at_ += literal_length(rest());
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else {
      const auto *op =
          std::ranges::find_if(kPunctuation, [&](std::string_view p) { return rest().starts_with(p); });
      at_ += op == std::end(kPunctuation) ? 1 : op->size();
    }
    add(begin, identifier);
  }

  void add(std::size_t begin, bool identifier) {
    if (directive_ >= 0) {
      std::string &keyword = out_.directives[static_cast<std::size_t>(directive_)].keyword;
      if (keyword.empty()) keyword = std::string(text_.substr(begin, at_ - begin));
    }
    out_.tokens.push_back({static_cast<unsigned>(begin), static_cast<unsigned>(at_), identifier, directive_});
  }

  void quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
  }

  /// u8"x", LR"(x)": whether the name before the quote is a literal's prefix, which is then read whole.
  bool prefixed_literal(std::size_t begin) {
    const std::string_view prefix = text_.substr(begin, at_ - begin);
    constexpr std::string_view kPrefixes[] = {"u8", "u", "U", "L"};
    const bool raw = raw_string_prefix(prefix);
    if (!raw && std::ranges::find(kPrefixes, prefix) == std::end(kPrefixes)) return false;
    if (!raw || ahead(0) != '"') return quoted(ahead(0)), true;
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return at_ = text_.size(), true;
    const std::string closing = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t end = text_.find(closing, open);
    at_ = end == std::string_view::npos ? text_.size() : end + closing.size();
    return true;
  }

  std::string_view text_;
  RawTokens out_;
  std::size_t at_ = 0;
  int directive_ = -1;
  bool line_start_ = true;
};

}  // namespace

RawTokens lex_source(std::string_view text) {
  return Lexer(text).run();
}

std::vector<std::string> macros_defined(std::string_view text) {
  const RawTokens raw = lex_source(text);
  std::vector<std::string> names;
  int last = -1;  // the directive of the token before
  for (std::size_t i = 0; i + 1 < raw.tokens.size(); ++i) {
    const int line = raw.tokens[i].line_directive;
    const bool keyword = line >= 0 && line != std::exchange(last, line);
    const RawToken &next = raw.tokens[i + 1];
    if (!keyword || next.line_directive != line || !next.identifier) continue;
    if (raw.directives[static_cast<std::size_t>(line)].keyword != "define") continue;
    std::string name(text.substr(next.begin, next.end - next.begin));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

LineIndex::LineIndex(std::string_view text) {
  starts_.push_back(0);
  for (unsigned i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts_.push_back(i + 1);
}

int LineIndex::line(unsigned offset) const {
  return static_cast<int>(std::ranges::upper_bound(starts_, offset) - starts_.begin());
}

}  // namespace cupilot::directive
