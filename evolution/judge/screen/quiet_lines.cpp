// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/quiet_lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evolution/judge/screen/lexer.h"

namespace cupilot::judge::screen {

namespace {

/// Tokens [begin, end).
struct Range {
  std::size_t begin = 0, end = 0;
  bool contains(std::size_t at) const { return at >= begin && at < end; }
};

struct Function {
  std::string name;
  std::size_t name_at = 0;
  Range body;                  ///< without its braces
  std::vector<Range> lambdas;  ///< bodies in it: what they return is not what it returns
};

class TextReader {
public:
  explicit TextReader(std::string_view text) {
    for (CodeToken &token : tokenize(text).tokens)
      if (!token.preprocessor) tokens_.push_back(std::move(token));
    match_brackets();
    find_functions();
  }

  QuietLines read() {
    QuietLines lines;
    find_operators(lines);
    quiet_.assign(tokens_.size(), false);
    for (const std::size_t index : decliners()) mark_declines(functions_[index]);
    list_declines(lines);
    find_status(lines);
    return lines;
  }

private:
  bool at(std::size_t i, std::string_view text) const { return i < tokens_.size() && is(tokens_[i], text); }
  bool pair_at(std::size_t i, char first, char second) const {
    return at(i, {&first, 1}) && at(i + 1, {&second, 1}) && tokens_[i + 1].adjacent;
  }
  bool is_name(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == CodeTokenKind::name; }

  void match_brackets() {
    partner_.assign(tokens_.size(), 0);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (at(i, "(") || at(i, "{") || at(i, "[")) open.push_back(i);
      if (!(at(i, ")") || at(i, "}") || at(i, "]")) || open.empty()) continue;
      partner_[i] = open.back(), partner_[open.back()] = i;
      open.pop_back();
    }
  }

  /// `name(...) {`, outside of other functions' bodies.
  void find_functions() {
    static constexpr std::array<std::string_view, 5> kStatements{"if", "for", "while", "switch", "catch"};
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (!is_name(i) || !at(i + 1, "(") || !partner_[i + 1]) continue;
      if (std::ranges::find(kStatements, tokens_[i].text) != kStatements.end()) continue;
      std::size_t open = partner_[i + 1] + 1;
      while (at(open, "const") || at(open, "noexcept")) ++open;
      if (!at(open, "{") || !partner_[open]) continue;
      functions_.push_back({tokens_[i].text, i, {open + 1, partner_[open]}, {}});
      find_lambdas(functions_.back());
      i = partner_[open];
    }
  }

  void find_lambdas(Function &function) const {
    for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
      if (!at(i, "]")) continue;
      std::size_t open = i + 1;
      if (at(open, "(") && partner_[open]) open = partner_[open] + 1;
      while (open < function.body.end && (is_name(open) || at(open, "-") || at(open, ">") || at(open, "::")))
        ++open;
      if (at(open, "{") && partner_[open]) function.lambdas.push_back({open + 1, partner_[open]});
    }
  }

  static bool in_lambda(const Function &function, std::size_t i) {
    return std::ranges::any_of(function.lambdas, [&](const Range &one) { return one.contains(i); });
  }

  /// launch(), and functions that are only called to return their results from one of these.
  std::vector<std::size_t> decliners() const {
    std::vector<std::size_t> found;
    std::set<std::string> names;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < functions_.size(); ++i) {
        const std::string &name = functions_[i].name;
        if (std::ranges::find(found, i) != found.end()) continue;
        if (name != "launch" && !is_only_returned(name, found)) continue;
        found.push_back(i);
        more = true;
      }
    }
    return found;
  }

  bool is_only_returned(const std::string &name, const std::vector<std::size_t> &decliners) const {
    bool called = false;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!is_name(i) || tokens_[i].text != name) continue;
      if (std::ranges::any_of(functions_, [&](const Function &one) { return one.name_at == i; })) continue;
      const bool in_decliner = std::ranges::any_of(decliners, [&](std::size_t index) {
        return functions_[index].body.contains(i) && !in_lambda(functions_[index], i);
      });
      if (!in_decliner || !is_returned(i)) return false;
      called = true;
    }
    return called;
  }

  /// The call whose name is at `i` is the result of a return statement, or one of two.
  bool is_returned(std::size_t i) const {
    if (i == 0 || !(at(i - 1, "return") || at(i - 1, "?") || at(i - 1, ":"))) return false;
    std::size_t begin = i;
    while (begin > 0 && !at(begin - 1, ";") && !at(begin - 1, "{") && !at(begin - 1, "}") &&
           !at(begin, "return"))
      --begin;
    if (!at(begin, "return")) return false;
    while (i < tokens_.size() && !at(i, "(") && !at(i, ";")) ++i;  // template arguments
    if (!at(i, "(") || !partner_[i]) return false;
    const std::size_t after = partner_[i] + 1;
    return at(after, ";") || at(after, ":");
  }

  /// The condition from its opening bracket on changes nothing.
  bool is_pure(Range range) const {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (pair_at(i, '+', '+') || pair_at(i, '-', '-') || at(i, "{")) return false;
      if (!at(i, "=")) continue;
      const bool after = i + 1 < range.end && at(i + 1, "=") && tokens_[i + 1].adjacent;
      const bool before =
          tokens_[i].adjacent && (at(i - 1, "=") || at(i - 1, "!") || at(i - 1, "<") || at(i - 1, ">"));
      if (!after && !before) return false;
    }
    return true;
  }

  /// The end of a statement that only declines; nullopt: it is none.
  std::optional<std::size_t> decline_at(std::size_t i) const {
    if (at(i, "return") && at(i + 1, "false") && at(i + 2, ";")) return i + 3;
    if (at(i, "{") && partner_[i]) {
      std::size_t next = i + 1;
      while (next < partner_[i]) {
        const auto end = decline_at(next);
        if (!end) return std::nullopt;
        next = *end;
      }
      return next == i + 1 ? std::nullopt : std::optional(next + 1);
    }
    if (!at(i, "if") || !at(i + 1, "(") || !partner_[i + 1]) return std::nullopt;
    if (!is_pure({i + 2, partner_[i + 1]})) return std::nullopt;
    return decline_at(partner_[i + 1] + 1);
  }

  void mark_declines(const Function &function) {
    for (std::size_t i = function.body.begin; i < function.body.end; ++i) {
      if (in_lambda(function, i) || !(at(i, "if") || at(i, "return"))) continue;
      const auto end = decline_at(i);
      if (!end) continue;
      std::fill(quiet_.begin() + static_cast<std::ptrdiff_t>(i),
                quiet_.begin() + static_cast<std::ptrdiff_t>(*end), true);
      i = *end - 1;
    }
  }

  void list_declines(QuietLines &lines) const {
    std::set<int> others;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (quiet_[i]) {
        lines.declines.insert(tokens_[i].line);
        continue;
      }
      if (at(i, "case"))
        while (i < tokens_.size() && !at(i, ":")) ++i;
      const bool neutral = at(i, "{") || at(i, "}") || at(i, "else") || at(i, "default") || at(i, ":");
      if (!neutral && i < tokens_.size()) others.insert(tokens_[i].line);
    }
    std::erase_if(lines.declines, [&](int line) { return others.contains(line); });
  }

  void find_operators(QuietLines &lines) const {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      auto &all = lines.operators[tokens_[i].line];
      for (const char first : {'=', '!', '<', '>'})
        if (pair_at(i, first, '='))
          all.insert(first == '=' ? "==" : first == '!' ? "!=" : first == '<' ? "<=" : ">=");
      const bool paired = at(i + 1, "=") && tokens_[i + 1].adjacent;
      if (at(i, "<") && !paired) all.insert("<");
      if (at(i, ">") && !paired && !(i > 0 && pair_at(i - 1, '-', '>'))) all.insert(">");
      if (at(i, "!") && !paired) all.insert("!");
    }
  }

  static bool is_runtime_name(const std::string &name) {
    return name.starts_with("cuda") && name != "cudaSuccess";
  }

  bool is_runtime_call(std::size_t i) const {
    return is_name(i) && is_runtime_name(tokens_[i].text) && at(i + 1, "(") && partner_[i + 1];
  }

  /// A name that only ever gets results of runtime calls.
  bool holds_status(const std::string &name) const {
    bool any = false;
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (!is_name(i) || tokens_[i].text != name) continue;
      const bool compared = pair_at(i + 1, '=', '=') || (i > 0 && at(i - 1, "=") && tokens_[i - 1].adjacent);
      if (!at(i + 1, "=") || compared) {
        // Declared without a value, passed or changed in another way: not followed further.
        const bool read = compared || pair_at(i + 1, '!', '=') || at(i + 1, ";") || at(i + 1, ")");
        if (!read) return false;
        continue;
      }
      if (!is_runtime_call(i + 2)) return false;
      any = true;
    }
    return any;
  }

  /// `f(...) == cudaSuccess`, `status != cudaSuccess` and both the other way round.
  void find_status(QuietLines &lines) const {
    for (std::size_t i = 2; i < tokens_.size(); ++i) {
      if (!at(i, "cudaSuccess")) continue;
      std::optional<std::size_t> other;
      if (pair_at(i - 2, '=', '=') || pair_at(i - 2, '!', '=')) {
        if (i < 3) continue;
        if (at(i - 3, ")") && partner_[i - 3] && is_runtime_call(partner_[i - 3] - 1))
          other = partner_[i - 3] - 1;
        else if (is_name(i - 3) && holds_status(tokens_[i - 3].text))
          other = i - 3;
      } else if (pair_at(i + 1, '=', '=') || pair_at(i + 1, '!', '=')) {
        if (is_runtime_call(i + 3) || (is_name(i + 3) && holds_status(tokens_[i + 3].text))) other = i + 3;
      }
      if (!other) continue;
      const auto [first, last] = std::minmax(tokens_[*other].line, tokens_[i].line);
      for (int line = first; line <= last; ++line) ++lines.status[line];
    }
  }

  std::vector<CodeToken> tokens_;
  std::vector<std::size_t> partner_;  ///< of each bracket; 0: none
  std::vector<Function> functions_;
  std::vector<bool> quiet_;
};

}  // namespace

QuietLines quiet_lines(std::string_view text) {
  return TextReader(text).read();
}

}  // namespace cupilot::judge::screen
