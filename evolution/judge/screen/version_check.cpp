// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/version_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "evolution/judge/screen/static_rules.h"

namespace cupilot::judge::screen {
namespace {

/// What a compiler may ignore without another result.
constexpr std::array<std::string_view, 6> kHints{"inline",       "__inline__",   "__forceinline__",
                                                 "__noinline__", "__restrict__", "__restrict"};

/// One way through an #if, to the next #elif, #else or #endif of its own.
struct Branch {
  bool code = false;              ///< something else than #error, #pragma and hints
  bool stops = false;             ///< ends with an #error
  std::set<std::string> hinting;  ///< macros that are hints here
};

struct Condition {
  int line = 0;
  std::string directive, version;  ///< the first name of a version that it asks for; empty: none
  std::vector<Branch> branches;
  bool has_else = false;
};

class VersionCheck {
public:
  explicit VersionCheck(std::span<const CodeToken> tokens) : tokens_(tokens) {
    makes_strings_ = std::ranges::any_of(
        tokens, [](const CodeToken &token) { return token.preprocessor && is(token, "#"); });
  }

  std::vector<StaticFinding> run() {
    for (at_ = 0; at_ < tokens_.size();) {
      if (tokens_[at_].kind == CodeTokenKind::directive)
        directive();
      else
        code(tokens_[at_]), ++at_;
    }
    return std::move(findings_);
  }

private:
  bool on_line(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].preprocessor && tokens_[i].kind != CodeTokenKind::directive;
  }

  /// Leaves at_ behind the line.
  void directive() {
    const CodeToken &name = tokens_[at_];
    auto end = at_ + 1;
    while (on_line(end)) ++end;
    const auto operands = tokens_.subspan(at_ + 1, end - at_ - 1);
    at_ = end;
    if (name.text.starts_with("if")) return open_.push_back({}), condition(name, operands);
    if (name.text.starts_with("el") && !open_.empty()) return condition(name, operands);
    if (name.text == "endif" && !open_.empty()) return close();
    if (name.text == "error") return stop();
    if (name.text == "pragma") return;
    const bool hint = name.text == "define" && is_hint(operands);
    for (Condition &each : open_)
      hint ? void(each.branches.back().hinting.insert(operands[0].text))
           : void(each.branches.back().code = true);
    for (const CodeToken &token : operands) refuse_in_code(token);
  }

  /// A macro without parameters that only hints; what makes strings of macros would tell them apart.
  bool is_hint(std::span<const CodeToken> operands) const {
    const auto known = [](const CodeToken &token) {
      return std::ranges::any_of(kHints, [&](std::string_view hint) { return is(token, hint); });
    };
    return !makes_strings_ && operands.size() > 1 && std::ranges::all_of(operands.subspan(1), known);
  }

  void condition(const CodeToken &name, std::span<const CodeToken> operands) {
    Condition &mine = open_.back();
    mine.branches.emplace_back();
    mine.has_else = mine.has_else || name.text == "else";
    for (const CodeToken &token : operands)
      if (mine.version.empty() && token.kind == CodeTokenKind::name && is_version(token.text))
        mine.line = token.line, mine.directive = name.text, mine.version = token.text;
  }

  void close() {
    const Condition mine = std::move(open_.back());
    open_.pop_back();
    if (!mine.version.empty() && !is_harmless(mine))
      findings_.push_back(
          {mine.line,
           fmt::format("#{} asks for '{}', which is another in later builds, where nobody has judged what "
                       "follows; write one text for all, with an #error where it must not be built",
                       mine.directive, mine.version)});
    if (open_.empty()) return;
    Branch &outer = open_.back().branches.back();
    for (const Branch &branch : mine.branches) {
      outer.code = outer.code || branch.code;
      // Whether a macro is there depends on this condition, so it is no hint of the outer one.
      outer.code = outer.code || !branch.hinting.empty();
    }
  }

  /// Every way but one ends the build, or all of them differ in hints only.
  static bool is_harmless(Condition condition) {
    auto &branches = condition.branches;
    if (!condition.has_else) branches.emplace_back();
    std::erase_if(branches, [](const Branch &branch) { return branch.stops; });
    const bool same = std::ranges::all_of(branches, [&](const Branch &branch) {
      return !branch.code && branch.hinting == branches.front().hinting;
    });
    return branches.size() <= 1 || same;
  }

  /// An #error under a further condition need not be reached.
  void stop() {
    if (!open_.empty()) open_.back().branches.back().stops = true;
  }

  void code(const CodeToken &token) {
    for (Condition &each : open_) each.branches.back().code = true;
    refuse_in_code(token);
  }

  void refuse_in_code(const CodeToken &token) {
    if (token.kind == CodeTokenKind::name && is_version(token.text) && told_.insert(token.text).second)
      findings_.push_back({token.line, fmt::format("'{}' is another in later builds than where it is judged; "
                                                   "leave it out",
                                                   token.text)});
  }

  std::span<const CodeToken> tokens_;
  std::size_t at_ = 0;
  bool makes_strings_ = false;
  std::vector<Condition> open_;
  std::set<std::string> told_;
  std::vector<StaticFinding> findings_;
};

}  // namespace

std::vector<StaticFinding> version_findings(std::span<const CodeToken> tokens) {
  return VersionCheck(tokens).run();
}

}  // namespace cupilot::judge::screen
