// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/code_assignments.h"

#include <algorithm>
#include <array>
#include <utility>

namespace cupilot {
namespace {

using Kind = CodeWord::Kind;

/// Up to the comma that ends it: in `a = f(x, y), b = 2` that is `f(x, y)`.
CodeWords first_value(CodeWords words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is(words[i], ",")) return words.first(i);
    if (is(words[i], "(") || is(words[i], "[") || is(words[i], "{")) i = closing_bracket(words, i);
  }
  return words;
}

/// Where the `]` at `close` opens.
std::optional<std::size_t> opening_bracket(CodeWords words, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    depth += is(words[i], "]");
    depth -= is(words[i], "[");
    if (depth == 0) return i;
  }
  return std::nullopt;
}

}  // namespace

bool has(CodeWords words, std::string_view text) {
  return std::ranges::any_of(words, [&](const CodeWord &word) { return is(word, text); });
}

std::vector<CodeSubscript> subscripts_of(CodeWords words) {
  std::vector<CodeSubscript> found;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i].kind != Kind::name || !is(words[i + 1], "[")) continue;
    CodeSubscript one{words[i].text, {}, {}};
    auto end = i;
    for (auto open = i + 1; open < words.size() && is(words[open], "["); open = end + 1) {
      end = closing_bracket(words, open);
      one.dimensions.push_back(words.subspan(open + 1, end - open - 1));
    }
    one.index = words.subspan(i + 2, end - i - 2);
    found.push_back(std::move(one));
  }
  return found;
}

std::optional<CodeAssignment> assignment_of(CodeWords words) {
  constexpr std::array<std::string_view, 3> kOperators{"=", "+=", "*="};
  const auto found = std::ranges::find_if(words, [&](const CodeWord &word) {
    return word.kind == Kind::symbol && std::ranges::find(kOperators, word.text) != kOperators.end();
  });
  const auto at = static_cast<std::size_t>(found - words.begin());
  if (at == 0 || at == words.size()) return std::nullopt;
  auto name = at - 1;
  while (is(words[name], "]")) {
    const auto open = opening_bracket(words, name);
    if (!open || *open == 0) return std::nullopt;
    name = *open - 1;
  }
  if (words[name].kind != Kind::name) return std::nullopt;
  return CodeAssignment{words[name].text, found->text, name + 1 < at, words.first(name),
                        first_value(words.subspan(at + 1))};
}

std::vector<CodeAssignment> assignments_of(CodeWords words) {
  std::vector<CodeAssignment> found;
  while (auto one = assignment_of(words)) {
    const auto used = static_cast<std::size_t>(one->value.data() + one->value.size() - words.data());
    words = words.subspan(std::min(used + 1, words.size()));
    found.push_back(std::move(*one));
  }
  return found;
}

}  // namespace cupilot
