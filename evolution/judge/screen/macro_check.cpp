// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/screen/macro_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "evolution/judge/screen/static_rules.h"

namespace cupilot::judge::screen {
namespace {

class MacroCheck {
public:
  MacroCheck(std::span<const CodeToken> tokens, std::span<const spec::Parameter> parameters,
             const std::function<bool(const std::string &)> &in_slice)
      : tokens_(tokens), parameters_(parameters), in_slice_(in_slice) {}

  std::vector<StaticFinding> run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_)
      if (tokens_[at_].kind == CodeTokenKind::directive && tokens_[at_].text == "define")
        own_.insert(operand().text);
    for (at_ = 0; at_ < tokens_.size(); ++at_)
      if (tokens_[at_].kind == CodeTokenKind::directive) directive(tokens_[at_].text);
    for (const auto &[name, line] : alive_)
      add(line, fmt::format("the macro '{}' outlives the variant; use constexpr, or #undef it at the end{}",
                            name, undefined_under_condition_.contains(name) ? ", outside of any #if" : ""));
    return std::move(findings_);
  }

private:
  void add(int line, std::string reason) { findings_.push_back({line, std::move(reason)}); }

  bool on_line(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].preprocessor && tokens_[i].kind != CodeTokenKind::directive;
  }
  CodeToken operand() const { return on_line(at_ + 1) ? tokens_[at_ + 1] : CodeToken{}; }

  void directive(const std::string &name) {
    if (name == "define") define(operand());
    if (name == "undef") undefine(operand());
    if (name.starts_with("if") || name.starts_with("elif")) condition(name);
    depth_ += name.starts_with("if");
    depth_ -= name == "endif";
  }

  void define(const CodeToken &macro) {
    if (const auto why = why_no_macro(macro.text))
      add(macro.line,
          fmt::format("the macro '{}' may not be defined: {}; give it a name of its own", macro.text, *why));
    else if (std::ranges::any_of(parameters_, [&](const auto &one) { return one.name == macro.text; }))
      add(macro.line,
          fmt::format("the macro '{}' may not be defined: it is a parameter of the kernel, which the "
                      "domain test names; give it a name of its own",
                      macro.text));
    alive_[macro.text] = macro.line;
  }

  void undefine(const CodeToken &macro) {
    if (!own_.contains(macro.text))
      add(macro.line,
          fmt::format("#undef of '{}', which is no macro of the variant; leave it defined", macro.text));
    if (depth_ > 0)
      undefined_under_condition_.insert(macro.text);
    else
      alive_.erase(macro.text);
  }

  void condition(const std::string &name) {
    for (auto i = at_ + 1; on_line(i); ++i) {
      const auto &token = tokens_[i];
      if (token.kind != CodeTokenKind::name || own_.contains(token.text) || may_be_in_condition(token.text) ||
          why_forbidden(token.text, false) || in_slice_(token.text))
        continue;
      add(token.line,
          fmt::format("#{} asks for '{}', which may differ between judge and build; ask for __CUDA_ARCH__, "
                      "a macro of the variant or one of the kernel's source",
                      name, token.text));
    }
  }

  std::span<const CodeToken> tokens_;
  std::span<const spec::Parameter> parameters_;
  const std::function<bool(const std::string &)> &in_slice_;
  std::size_t at_ = 0;
  int depth_ = 0;                                    ///< of #if
  std::set<std::string> own_;                        ///< what the variant defines anywhere
  std::map<std::string, int> alive_;                 ///< defined here and not yet undefined, with its line
  std::set<std::string> undefined_under_condition_;  ///< the compiler may not see this #undef
  std::vector<StaticFinding> findings_;
};

}  // namespace

std::vector<StaticFinding> macro_findings(std::span<const CodeToken> tokens,
                                          std::span<const spec::Parameter> parameters,
                                          const std::function<bool(const std::string &)> &in_slice) {
  return MacroCheck(tokens, parameters, in_slice).run();
}

std::set<std::string> assembly_macros(std::span<const CodeToken> tokens) {
  std::map<std::string, std::set<std::string>> words;  // by macro
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != CodeTokenKind::directive || tokens[i].text != "define") continue;
    auto &body = words[tokens[i + 1].text];
    for (auto at = i + 2; at < tokens.size() && tokens[at].preprocessor; ++at) {
      if (tokens[at].kind == CodeTokenKind::directive) break;
      if (tokens[at].kind == CodeTokenKind::name) body.insert(tokens[at].text);
    }
  }
  std::set<std::string> found{"asm", "__asm__", "__asm"};
  const auto brings = [&](const auto &macro) {
    return !found.contains(macro.first) &&
           std::ranges::any_of(macro.second, [&](const std::string &word) { return found.contains(word); });
  };
  for (auto next = words.begin(); (next = std::ranges::find_if(words, brings)) != words.end();)
    found.insert(next->first);
  return found;
}

}  // namespace cupilot::judge::screen
