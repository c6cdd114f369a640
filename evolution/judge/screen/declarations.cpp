// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/declarations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace cupilot::judge::screen {
namespace {

bool opens(const CodeToken &token) {
  return is(token, "(") || is(token, "[") || is(token, "{");
}
bool closes(const CodeToken &token) {
  return is(token, ")") || is(token, "]") || is(token, "}");
}
std::string_view partner(const CodeToken &open) {
  return is(open, "(") ? ")" : is(open, "[") ? "]" : "}";
}

void check_brackets(std::span<const CodeToken> tokens, Outline &outline) {
  std::vector<const CodeToken *> open;
  const auto complain = [&](const CodeToken &token) {
    outline.error = fmt::format("unbalanced '{}'", token.text);
    outline.error_line = token.line;
  };
  for (const auto &token : tokens) {
    if (opens(token)) open.push_back(&token);
    if (!closes(token)) continue;
    if (open.empty() || partner(*open.back()) != token.text) return complain(token);
    open.pop_back();
  }
  if (!open.empty()) complain(*open.back());
}

/// Names that may precede a parenthesis without naming a function.
constexpr std::array<std::string_view, 9> kSpecifiers{"__launch_bounds__", "__attribute__", "__align__",
                                                      "alignas",           "decltype",      "noexcept",
                                                      "__cluster_dims__",  "__declspec",    "__maxnreg__"};

struct Callee {
  std::size_t name, open;
};
/// The name and parenthesis of the declared function, if the head has one before any `=`.
std::optional<Callee> callee_of(std::span<const CodeToken> head) {
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (is(head[i], "=")) return std::nullopt;
    if (is(head[i], "[") || is(head[i], "{")) i = closing(head, i);
    if (!is(head[i], "(")) continue;
    const bool named = i > 0 && head[i - 1].kind == CodeTokenKind::name;
    if (named && std::ranges::find(kSpecifiers, head[i - 1].text) == kSpecifiers.end())
      return Callee{i - 1, i};
    i = closing(head, i);
  }
  return std::nullopt;
}

/// Skips `template <...>`, since only the following tokens matter. `>>` is two tokens here, `>>>` is one.
std::size_t after_template(std::span<const CodeToken> head) {
  std::size_t i = 0;
  while (i + 1 < head.size() && is(head[i], "template") && is(head[i + 1], "<")) {
    int depth = 0;
    for (++i; i < head.size(); ++i) {
      if (is(head[i], "(")) i = closing(head, i);
      depth += is(head[i], "<") - is(head[i], ">") - 3 * is(head[i], ">>>");
      if (depth <= 0) break;
    }
    ++i;
  }
  return std::min(i, head.size());
}

bool starts_with_any(std::span<const CodeToken> head, std::initializer_list<std::string_view> words) {
  return !head.empty() && std::ranges::any_of(words, [&](auto word) { return is(head[0], word); });
}

DeclarationKind kind_without_body(std::span<const CodeToken> head) {
  if (starts_with_any(head, {"using", "typedef", "static_assert", "friend", "template"}))
    return DeclarationKind::other;
  if (starts_with_any(head, {"struct", "class", "union", "enum"}) &&
      (head.size() <= 3 || is(head.back(), "}")))
    return DeclarationKind::type;
  return callee_of(head) ? DeclarationKind::prototype : DeclarationKind::variable;
}

class Scanner {
public:
  explicit Scanner(std::span<const CodeToken> tokens) : tokens_(tokens) {}

  Outline run() {
    check_brackets(tokens_, outline_);
    if (!outline_.error.empty()) return std::move(outline_);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const auto &token = tokens_[i];
      if (is(token, ";")) {
        declare_without_body(i);
      } else if (is(token, "{")) {
        i = brace(i);
      } else if (is(token, "}")) {
        start_ = i + 1;  // start after the brace of a namespace
      } else if (opens(token)) {
        i = closing(tokens_, i);
      }
    }
    if (start_ < tokens_.size()) declare_without_body(tokens_.size());
    return std::move(outline_);
  }

private:
  std::span<const CodeToken> head(std::size_t end) const { return tokens_.subspan(start_, end - start_); }

  Declaration &declare(DeclarationKind kind, std::span<const CodeToken> head) {
    auto &declaration = outline_.declarations.emplace_back();
    declaration.kind = kind;
    declaration.head.assign(head.begin(), head.end());
    declaration.line = head.empty() ? 0 : head.front().line;
    if (kind != DeclarationKind::function && kind != DeclarationKind::prototype) return declaration;
    const auto rest = head.subspan(after_template(head));
    const auto callee = callee_of(rest);
    if (!callee) return declaration;
    declaration.name = rest[callee->name].text;
    declaration.line = rest[callee->name].line;
    const auto inside = rest.subspan(callee->open + 1, closing(rest, callee->open) - callee->open - 1);
    declaration.parameters.assign(inside.begin(), inside.end());
    return declaration;
  }

  void declare_without_body(std::size_t end) {
    const auto whole = head(end);
    if (!whole.empty()) declare(kind_without_body(whole.subspan(after_template(whole))), whole);
    start_ = end + 1;
  }

  /// Handles an opening brace and returns the index after which scanning continues.
  std::size_t brace(std::size_t open) {
    const auto whole = head(open);
    const auto rest = whole.subspan(after_template(whole));
    const auto end = closing(tokens_, open);
    const bool space = starts_with_any(rest, {"namespace"}) || (rest.size() > 1 && is(rest[1], "namespace"));
    if (space) return start_ = open + 1, open;
    if (starts_with_any(rest, {"struct", "class", "union", "enum"})) return end;  // ends at its semicolon
    if (!callee_of(rest)) return end;                                             // an initialiser
    auto &function = declare(DeclarationKind::function, whole);
    const auto body = tokens_.subspan(open + 1, end - open - 1);
    function.body.assign(body.begin(), body.end());
    start_ = end + 1;
    return end;
  }

  std::span<const CodeToken> tokens_;
  std::size_t start_ = 0;  ///< start of the current declaration
  Outline outline_;
};

}  // namespace

std::size_t closing(std::span<const CodeToken> tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += opens(tokens[i]) - closes(tokens[i]);
    if (depth == 0) return i;
  }
  return tokens.size() - 1;
}

bool Declaration::mentions(std::string_view word) const {
  return std::ranges::any_of(head, [&](const CodeToken &token) { return is(token, word); });
}

Outline outline_of(std::span<const CodeToken> tokens) {
  return Scanner(tokens).run();
}

std::vector<std::vector<CodeToken>> split_arguments(std::span<const CodeToken> tokens) {
  if (tokens.empty()) return {};
  std::vector<std::vector<CodeToken>> parts(1);
  int depth = 0;
  for (const auto &token : tokens) {
    depth += opens(token) - closes(token);
    if (depth == 0 && is(token, ","))
      parts.emplace_back();
    else
      parts.back().push_back(token);
  }
  return parts;
}

}  // namespace cupilot::judge::screen
