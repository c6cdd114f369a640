// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/preprocessor_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "evolution/judge/screen/static_rules.h"

namespace cupilot::judge::screen {
namespace {

bool is_punctuation(const CodeToken &token, std::string_view text) {
  return token.kind == CodeTokenKind::punctuation && token.text == text;
}

class Directives {
public:
  explicit Directives(std::span<const CodeToken> tokens) : tokens_(tokens) {}

  std::vector<StaticFinding> run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      if (here().kind == CodeTokenKind::directive)
        directive();
      else if (here().kind == CodeTokenKind::punctuation)
        punctuation();
    }
    for (const auto &branch : branches_) add(branch.line, "this #if has no #endif");
    return std::move(findings_);
  }

private:
  struct Branch {
    int line = 0;
    int depth = 0;
  };

  const CodeToken &here() const { return tokens_[at_]; }
  void add(int line, std::string reason) { findings_.push_back({line, std::move(reason)}); }
  std::string next() const {
    const bool same_line = at_ + 1 < tokens_.size() && tokens_[at_ + 1].preprocessor &&
                           tokens_[at_ + 1].kind != CodeTokenKind::directive;
    return same_line ? tokens_[at_ + 1].text : "";
  }

  void punctuation() {
    const bool more = at_ + 1 < tokens_.size();
    if (is_punctuation(here(), "#") && more && is_punctuation(tokens_[at_ + 1], "#"))
      add(here().line, "## makes names that cannot be checked"), ++at_;
    else if (is_punctuation(here(), "\\"))
      add(here().line, "a backslash outside of strings is not allowed");
    if (here().preprocessor) return;
    depth_ += is_punctuation(here(), "{") || is_punctuation(here(), "(") || is_punctuation(here(), "[");
    depth_ -= is_punctuation(here(), "}") || is_punctuation(here(), ")") || is_punctuation(here(), "]");
  }

  void directive() {
    const auto &name = here().text;
    const int line = here().line;
    if (const auto why = why_directive_forbidden(name)) add(line, fmt::format("#{}: {}", name, *why));
    if (name == "pragma" && !harmless_pragma(next()))
      add(line, fmt::format("#pragma {} is not allowed", next()));
    if (name.starts_with("if")) branches_.push_back({line, depth_});
    if (name.starts_with("el") || name == "endif") branch_ends(name, line);
  }

  /// The rest of the program's file stands behind the variant: a warning that becomes an error would break
  /// it.
  static bool harmless_pragma(const std::string &word) {
    static constexpr std::array<std::string_view, 6> allowed{
        "unroll", "nounroll", "once", "nv_diag_suppress", "nv_diagnostic", "nv_exec_check_disable"};
    return std::ranges::find(allowed, word) != allowed.end();
  }

  /// Otherwise brackets could match here and not in the branch that the compiler takes.
  void branch_ends(const std::string &name, int line) {
    if (branches_.empty()) return add(line, fmt::format("this #{} has no #if", name));
    if (depth_ != branches_.back().depth)
      add(branches_.back().line, "brackets must match inside each preprocessor branch");
    if (name == "endif") branches_.pop_back();
  }

  std::span<const CodeToken> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;  ///< nesting depth of brackets in code, without directives
  std::vector<Branch> branches_;
  std::vector<StaticFinding> findings_;
};

}  // namespace

std::vector<StaticFinding> preprocessor_findings(std::span<const CodeToken> tokens) {
  return Directives(tokens).run();
}

}  // namespace cupilot::judge::screen
