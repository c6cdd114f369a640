// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/attribute_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace cupilot::judge::screen {
namespace {

/// Layout, hints for the optimiser and for warnings.
constexpr std::array<std::string_view, 21> kAllowed{
    "aligned", "packed",   "may_alias", "vector_size",  "always_inline", "noinline",   "flatten",
    "hot",     "cold",     "const",     "pure",         "nothrow",       "nodiscard",  "fallthrough",
    "likely",  "unlikely", "unused",    "maybe_unused", "deprecated",    "artificial", "warn_unused_result"};

/// `__packed__` is `packed`.
std::string_view plain(std::string_view name) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) {
    name.remove_prefix(2);
    name.remove_suffix(2);
  }
  return name;
}

class Attributes {
public:
  explicit Attributes(std::span<const CodeToken> tokens) : tokens_(tokens) {}

  std::vector<StaticFinding> run() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (is(tokens_[i], "__attribute__") || is(tokens_[i], "__attribute"))
        list(i + 1, "(", ")");
      else if (is(tokens_[i], "[") && is(tokens_[i + 1], "[") && !subscript(i))
        list(i, "[", "]");
    }
    return std::move(findings_);
  }

private:
  /// `a[[&] { return 1; }()]`: a lambda computes the place. No attribute begins so.
  bool subscript(std::size_t open) const {
    static constexpr std::array<std::string_view, 4> kLambda{"&", "=", "]", "this"};
    return open + 2 < tokens_.size() &&
           std::ranges::any_of(kLambda, [&](std::string_view text) { return is(tokens_[open + 2], text); });
  }

  /// Two brackets open at `open`, and between them stand names with arguments, parted by commas.
  void list(std::size_t open, std::string_view opens, std::string_view closes) {
    int depth = 0;
    bool begins = true;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      const CodeToken &token = tokens_[i];
      const bool inner = is(token, "(") || is(token, opens), outer = is(token, ")") || is(token, closes);
      depth += inner - outer;
      if (depth == 0) return;
      if (depth != 2) continue;
      if (is(token, ",") || is(token, "::") || is(token, ":") || is(token, "using")) {
        begins = true;
      } else if (begins && !inner && !outer) {
        begins = false;
        if (i + 1 < tokens_.size() && (is(tokens_[i + 1], "::") || is(tokens_[i + 1], ":"))) continue;
        look_at(token);
      }
    }
  }

  void look_at(const CodeToken &name) {
    const std::string_view known = plain(name.text);
    if (std::ranges::find(kAllowed, known) == kAllowed.end())
      findings_.push_back({name.line, fmt::format("the attribute '{}' is not allowed", known)});
  }

  std::span<const CodeToken> tokens_;
  std::vector<StaticFinding> findings_;
};

}  // namespace

std::vector<StaticFinding> attribute_findings(std::span<const CodeToken> tokens) {
  return Attributes(tokens).run();
}

}  // namespace cupilot::judge::screen
