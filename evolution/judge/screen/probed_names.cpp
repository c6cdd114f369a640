// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/probed_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "evolution/judge/screen/declarations.h"

namespace cupilot::judge::screen {
namespace {

/// Functions of the mathematical library, without the suffix of float.
constexpr std::array<std::string_view, 38> kKnown{
    "abs",  "acos",  "asin",  "atan",  "atan2", "cbrt", "ceil",  "copysign", "cos", "cosh",
    "erf",  "erfc",  "exp",   "exp2",  "expm1", "fabs", "fdim",  "floor",    "fma", "fmax",
    "fmin", "fmod",  "hypot", "isnan", "log",   "log2", "log10", "log1p",    "max", "min",
    "pow",  "rsqrt", "rint",  "round", "sin",   "sqrt", "tanh",  "trunc"};

class Reader {
public:
  Reader(std::span<const CodeToken> tokens, const std::function<bool(const std::string &)> &in_slice)
      : in_slice_(in_slice) {
    for (const CodeToken &token : tokens) {
      if (!token.preprocessor) tokens_.push_back(token);
      // What a macro is defined as may be a declaration.
      if (token.preprocessor && token.kind == CodeTokenKind::name) declared_.insert(token.text);
    }
  }

  std::vector<StaticFinding> read() {
    find_declared();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is_key(i)) look_at_type(i);
      if (at(i, "decltype") || at(i, "sizeof") || at(i, "noexcept")) look_at_calls(i + 1);
    }
    return std::move(findings_);
  }

private:
  bool at(std::size_t i, std::string_view text) const { return i < tokens_.size() && is(tokens_[i], text); }
  bool is_name(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == CodeTokenKind::name; }

  /// `class` in `template <class T` and behind `enum` is none.
  bool is_key(std::size_t i) const {
    if (at(i, "struct") || at(i, "union") || at(i, "enum")) return true;
    return at(i, "class") && i > 0 && !at(i - 1, "<") && !at(i - 1, ",") && !at(i - 1, "enum");
  }

  std::size_t behind_brackets(std::size_t open) const { return closing(tokens_, open) + 1; }

  /// The name behind a key, past attributes; the end if there is none.
  std::size_t named_by(std::size_t key) const {
    std::size_t i = key + 1;
    for (;;) {
      if (at(i, "class") || at(i, "struct"))
        ++i;
      else if (at(i, "["))
        i = behind_brackets(i);
      else if (is_name(i) && at(i + 1, "(") && (at(i, "alignas") || tokens_[i].text.starts_with("__")))
        i = behind_brackets(i + 1);
      else
        break;
    }
    return is_name(i) ? i : tokens_.size();
  }

  /// A name that is followed by a body, or by its bases, is defined; one that something stands in front of
  /// which may be a type is declared.
  void find_declared() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is_key(i) || at(i, "class")) {
        const std::size_t name = named_by(i);
        std::size_t next = name + 1;
        if (at(next, "<")) next = behind_angles(next);  // a specialization
        if (at(next, "final")) ++next;
        if (name < tokens_.size() && (at(next, "{") || (at(next, ":") && !at(next + 1, ":"))))
          defined_.insert(tokens_[name].text);
      }
      if (i == 0 || !is_name(i)) continue;
      const bool behind_type = is_name(i - 1) ? !at(i - 1, "return") && !at(i - 1, "sizeof")
                                              : at(i - 1, "*") || at(i - 1, "&") || at(i - 1, ">");
      if (behind_type || at(i + 1, "=")) declared_.insert(tokens_[i].text);
    }
  }

  std::size_t behind_angles(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size() && !at(i, ";") && !at(i, "{"); ++i) {
      depth += at(i, "<");
      depth -= at(i, ">") ? 1 : at(i, ">>") ? 2 : 0;
      if (depth <= 0) return i + 1;
    }
    return open;
  }

  void look_at_type(std::size_t key) {
    const std::size_t name = named_by(key);
    if (name >= tokens_.size() || at(name + 1, "::") || at(name + 1, "<")) return;
    const std::string &text = tokens_[name].text;
    const bool sized_enum = at(key, "enum") && at(name + 1, ":");
    if (sized_enum || defined_.contains(text) || in_slice_(text) || text.starts_with("cuda") ||
        text.starts_with("__"))
      return;
    findings_.push_back(
        {tokens_[name].line,
         fmt::format("'{}' is a type that the variant does not define: what a program around it has must not "
                     "matter; define it, or write its name without '{}'",
                     text, tokens_[key].text)});
  }

  static bool is_known(std::string_view name) {
    const auto has = [](std::string_view one) { return std::ranges::find(kKnown, one) != kKnown.end(); };
    if (name.starts_with("__") || name.starts_with("make_") || has(name)) return true;
    return name.ends_with('f') && has(name.substr(0, name.size() - 1));
  }

  void look_at_calls(std::size_t open) {
    if (!at(open, "(")) return;
    const std::size_t end = behind_brackets(open);
    for (std::size_t i = open + 1; i + 1 < end; ++i) {
      if (!is_name(i) || !at(i + 1, "(")) continue;
      const bool qualified = at(i - 1, "::") || at(i - 1, ".") || at(i - 1, "->");
      const std::string &text = tokens_[i].text;
      static const std::set<std::string_view> kWords{"decltype", "sizeof", "alignof", "noexcept", "typeid",
                                                     "int",      "float",  "double",  "char",     "unsigned",
                                                     "long",     "short",  "bool",    "void"};
      if (qualified || kWords.contains(text) || is_known(text) || declared_.contains(text) ||
          defined_.contains(text) || in_slice_(text))
        continue;
      findings_.push_back(
          {tokens_[i].line,
           fmt::format("asks whether '{}' can be called, which nothing in the variant declares: "
                       "what a program around it has must not matter",
                       text)});
    }
  }

  const std::function<bool(const std::string &)> &in_slice_;
  std::vector<CodeToken> tokens_;
  std::set<std::string> defined_, declared_;
  std::vector<StaticFinding> findings_;
};

}  // namespace

std::vector<StaticFinding> probed_name_findings(std::span<const CodeToken> tokens,
                                                const std::function<bool(const std::string &)> &in_slice) {
  return Reader(tokens, in_slice).read();
}

}  // namespace cupilot::judge::screen
