// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "annotate/directive/line_splice.h"
#include "annotate/directive/source_lexer.h"

namespace cupilot::judge::screen {
namespace {

constexpr std::size_t kLongestDelimiter = 16;  // of a raw string, [lex.string]

bool name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80);
}
bool digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}
bool name_part(char c) {
  return name_start(c) || digit(c);
}

/// Places (`at_`) are those of the text with joined lines.
class Lexer {
public:
  explicit Lexer(std::string_view original)
      : original_(original),
        spliced_(directive::splice_lines(original)),
        text_(spliced_.text),
        lines_(original) {}

  TokenList run() {
    std::size_t end = 0;
    while (true) {
      skip_blanks();
      if (at_ >= text_.size() || !list_.error.empty()) return std::move(list_);
      const std::size_t begin = at_, before = list_.tokens.size();
      token();
      if (list_.tokens.size() > before) place(list_.tokens.back(), begin, begin == end && before);
      end = at_;
    }
  }

private:
  char here(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  std::size_t origin(std::size_t at) const {
    return at < spliced_.origin.size() ? spliced_.origin[at] : original_.size();
  }
  int line_of(std::size_t at) const { return lines_.line(static_cast<unsigned>(origin(at))); }

  void place(CodeToken &token, std::size_t begin, bool adjacent) {
    token.begin = origin(begin);
    token.end = origin(at_ - 1) + 1;
    token.adjacent = adjacent;
    if (!token.raw) token.spliced = token.end - token.begin != at_ - begin;
  }

  void unterminated(std::string_view what) { failed(fmt::format("unterminated {}", what)); }
  void failed(std::string error) {
    list_.error = std::move(error);
    list_.error_line = line_of(std::min(at_, text_.empty() ? 0 : text_.size() - 1));
    at_ = text_.size();
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (here() == '\n')
        fresh_line_ = true, preprocessor_ = false, ++at_;
      else if (std::isspace(static_cast<unsigned char>(here())))
        ++at_;
      else if (starts("//"))
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (starts("/*"))
        block_comment();
      else
        return;
    }
  }
  /// It counts as one blank ([lex.phases]): a directive goes on after it.
  void block_comment() {
    const auto end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) return unterminated("comment");
    at_ = end + 2;
  }

  void add(CodeTokenKind kind, std::string text, std::size_t begin) {
    preprocessor_ = preprocessor_ || kind == CodeTokenKind::directive;
    list_.tokens.push_back({kind, std::move(text), line_of(begin), preprocessor_});
    fresh_line_ = false;
  }

  void token() {
    if (here() == '#' && fresh_line_) return directive();
    if (name_start(here())) return name();
    if (digit(here()) || (here() == '.' && digit(here(1)))) return number();
    if (here() == '"' || here() == '\'') return quoted();
    static constexpr std::array<std::string_view, 3> kLong{"<<<", ">>>", "::"};
    const auto begin = at_;
    for (const auto punctuation : kLong)
      if (starts(punctuation)) {
        at_ += punctuation.size();
        return add(CodeTokenKind::punctuation, std::string(punctuation), begin);
      }
    add(CodeTokenKind::punctuation, std::string(1, text_[at_++]), begin);
  }

  std::string word() {
    const auto begin = at_;
    while (name_part(here())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  void directive() {
    const auto begin = at_++;
    while (here() == ' ' || here() == '\t') ++at_;
    add(CodeTokenKind::directive, word(), begin);
  }

  void name() {
    const auto begin = at_;
    std::string text = word();
    if (here() == '"' && directive::raw_string_prefix(text)) return raw_string(begin);
    add(CodeTokenKind::name, std::move(text), begin);
  }

  void number() {
    const auto begin = at_;
    while (name_part(here()) || here() == '.' || (here() == '\'' && name_part(here(1))) ||
           ((here() == '+' || here() == '-') && exponent()))
      ++at_;
    add(CodeTokenKind::number, std::string(text_.substr(begin, at_ - begin)), begin);
  }
  bool exponent() const {
    const char before = text_[at_ - 1];
    return before == 'e' || before == 'E' || before == 'p' || before == 'P';
  }

  void quoted() {
    const auto begin = at_++;
    while (at_ < text_.size() && here() != text_[begin]) {
      if (here() == '\n') return unterminated("string or character");
      at_ += here() == '\\' && here(1) != '\n' ? 2 : 1;
    }
    if (at_ >= text_.size()) return unterminated("string or character");
    ++at_;
    add(CodeTokenKind::literal, std::string(text_.substr(begin, at_ - begin)), begin);
  }

  /// Line continuations are text here ([lex.pptoken]), so the end is looked for in the original text.
  void raw_string(std::size_t begin) {
    const auto quote = origin(at_);
    const bool spliced = quote - origin(begin) != at_ - begin;
    const auto open = original_.find('(', quote);
    if (open == std::string_view::npos) return unterminated("raw string");
    const auto delimiter = original_.substr(quote + 1, open - quote - 1);
    if (delimiter.size() > kLongestDelimiter || delimiter.find_first_of(" )\\\"\t\v\f\r\n") != delimiter.npos)
      return failed(
          "the delimiter of a raw string has a blank, a quote, a bracket or a backslash, or more than 16 "
          "characters; write R\"(...)\"");
    const auto closing = fmt::format("){}\"", delimiter);
    const auto found = original_.find(closing, open);
    if (found == std::string_view::npos) return unterminated("raw string");
    const auto end = found + closing.size();
    if (preprocessor_ && original_.substr(quote, end - quote).contains('\n'))
      return failed("a raw string goes over a line end in a directive; write it on one line");
    at_ = static_cast<std::size_t>(std::ranges::lower_bound(spliced_.origin, end) - spliced_.origin.begin());
    add(CodeTokenKind::literal, std::string(original_.substr(quote, end - quote)), begin);
    list_.tokens.back().raw = true;
    list_.tokens.back().spliced = spliced;
  }

  std::string_view original_;
  directive::SplicedText spliced_;
  std::string_view text_;
  directive::LineIndex lines_;
  TokenList list_;
  std::size_t at_ = 0;
  bool preprocessor_ = false;
  bool fresh_line_ = true;  ///< only blanks so far in the line, so a # starts a directive
};

}  // namespace

TokenList tokenize(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace cupilot::judge::screen
