// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/code_statements.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cupilot {
namespace {

constexpr std::array<std::string_view, 17> kLongSymbols{"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++",
                                                        "--", "->", "::", "==", "<=", ">=", "!=", "&&"};

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}
bool in_name(char c) {
  return starts_name(c) || is_digit(c);
}

class StatementReader {
public:
  explicit StatementReader(std::string_view text) : text_(text) {}

  std::vector<CodeWord> read() {
    while (at_ < text_.size()) step();
    return std::move(words_);
  }

private:
  void step() {
    const char c = text_[at_];
    if (c == '\n') is_line_start_ = true;
    if (std::isspace(static_cast<unsigned char>(c)) || c == '\\')
      ++at_;
    else if (starts("//"))
      skip_line();
    else if (starts("/*"))
      skip_past("*/");
    else if (c == '#' && is_line_start_)
      directive();
    else if (c == '"' || c == '\'')
      literal(c);
    else
      word();
  }

  bool starts(std::string_view text) const { return text_.substr(at_).starts_with(text); }

  void skip_past(std::string_view end) {
    const auto found = text_.find(end, at_ + 2);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  /// Up to the line break; one behind a backslash does not count.
  void skip_line() {
    do at_ = std::min(text_.find('\n', at_ + 1), text_.size());
    while (at_ < text_.size() && text_[at_ - 1] == '\\');
  }

  void directive() {
    for (++at_; at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t');) ++at_;
    if (!starts("define")) return skip_line();
    at_ += std::string_view("define").size();
    is_line_start_ = false;
  }

  void literal(char quote) {
    if (quote == '"' && !words_.empty() && words_.back().text.ends_with('R') &&
        words_.back().kind == CodeWord::Kind::name) {
      const auto open = text_.find('(', at_);
      if (open == std::string_view::npos) return void(at_ = text_.size());
      const auto end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
      words_.pop_back();
      return skip_past(end);
    }
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }

  void word() {
    is_line_start_ = false;
    const auto from = at_;
    CodeWord::Kind kind = CodeWord::Kind::symbol;
    if (starts_name(text_[at_])) {
      kind = CodeWord::Kind::name;
      while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    } else if (is_digit(text_[at_]) ||
               (text_[at_] == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      kind = CodeWord::Kind::number;
      number();
    } else {
      const auto two = text_.substr(at_, 2);
      at_ += std::ranges::find(kLongSymbols, two) != kLongSymbols.end() ? 2 : 1;
    }
    words_.push_back({kind, std::string(text_.substr(from, at_ - from))});
  }

  /// 1e-5f, 0x1p-3, 1'000.
  void number() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_], before = text_[at_ - (at_ > 0)];
      const bool exponent = (c == '+' || c == '-') && std::string_view("eEpP").contains(before);
      if (!in_name(c) && c != '.' && c != '\'' && !exponent) break;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_line_start_ = true;
  std::vector<CodeWord> words_;
};

class Statements {
public:
  explicit Statements(CodeWords words) : words_(words) {}

  std::vector<CodeStatement> read() {
    while (at_ < words_.size()) step();
    end_statement(words_.size());
    return std::move(statements_);
  }

private:
  void step() {
    const CodeWord &word = words_[at_];
    if (is(word, "for") || is(word, "while") || is(word, "do"))
      loop();
    else if (is(word, "{"))
      open_scope();
    else if (is(word, "}"))
      close_scope();
    else if (is(word, ";"))
      end_statement(at_), waiting_.clear(), from_ = ++at_;
    else
      ++at_;
  }

  /// Loops whose body has not begun wait: it is the next brace, or the next statement.
  void loop() {
    end_statement(at_);
    waiting_.push_back(++loops_);
    const bool has_header = !is(words_[at_], "do");
    ++at_;
    if (has_header && at_ < words_.size() && is(words_[at_], "(")) header();
    from_ = at_;
  }

  void header() {
    const auto close = closing_bracket(words_, at_);
    for (auto from = at_ + 1; from < close;) {
      const auto end =
          static_cast<std::size_t>(std::find_if(words_.begin() + static_cast<std::ptrdiff_t>(from),
                                                words_.begin() + static_cast<std::ptrdiff_t>(close),
                                                [](const CodeWord &word) { return is(word, ";"); }) -
                                   words_.begin());
      if (end > from) add(from, end, true);
      from = end + 1;
    }
    at_ = std::min(close + 1, words_.size());
  }

  void open_scope() {
    end_statement(at_);
    scopes_.push_back(waiting_.size());
    around_.insert(around_.end(), waiting_.begin(), waiting_.end());
    waiting_.clear();
    from_ = ++at_;
  }

  void close_scope() {
    end_statement(at_);
    waiting_.clear();
    if (!scopes_.empty()) {
      around_.resize(around_.size() - scopes_.back());
      scopes_.pop_back();
    }
    from_ = ++at_;
  }

  void end_statement(std::size_t end) {
    if (end > from_) add(from_, end, false);
    from_ = end;
  }

  void add(std::size_t from, std::size_t end, bool is_header) {
    const auto &innermost = waiting_.empty() ? around_ : waiting_;
    statements_.push_back({words_.subspan(from, end - from), innermost.empty() ? 0 : innermost.back(),
                           around_.size() + waiting_.size(), is_header});
  }

  CodeWords words_;
  std::size_t at_ = 0, from_ = 0, loops_ = 0;
  std::vector<std::size_t> around_, waiting_;  ///< numbers of loops
  std::vector<std::size_t> scopes_;            ///< how many loops each open brace began
  std::vector<CodeStatement> statements_;
};

}  // namespace

std::vector<CodeWord> words_of_code(std::string_view source) {
  return StatementReader(source).read();
}

std::vector<CodeStatement> statements_of(const std::vector<CodeWord> &words) {
  return Statements(words).read();
}

std::size_t closing_bracket(CodeWords words, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < words.size(); ++i) {
    depth += is(words[i], "(") || is(words[i], "[") || is(words[i], "{");
    depth -= is(words[i], ")") || is(words[i], "]") || is(words[i], "}");
    if (depth == 0) return i;
  }
  return words.empty() ? 0 : words.size() - 1;
}

}  // namespace cupilot
