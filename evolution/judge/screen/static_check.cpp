// SPDX-License-Identifier: Apache-2.0
//
// The rules are checked in order of cost: size, characters, directives and names; then those that need the
// outline: state outside functions, host assembly, the single launch() and its kernel launches.

#include "evolution/judge/screen/static_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "annotate/support/text.h"
#include "evolution/judge/screen/attribute_check.h"
#include "evolution/judge/screen/declarations.h"
#include "evolution/judge/screen/hidden_text_check.h"
#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/lexical_check.h"
#include "evolution/judge/screen/macro_check.h"
#include "evolution/judge/screen/preprocessor_check.h"
#include "evolution/judge/screen/probed_names.h"
#include "evolution/judge/screen/static_rules.h"
#include "evolution/judge/screen/version_check.h"
#include "evolution/model/limits.h"

namespace cupilot::judge::screen {
namespace {

using Tokens = std::vector<CodeToken>;

/// A type inside of a type or of its functions is looked through for assembly down to this depth.
constexpr int kMostNestedTypes = 16;

bool is_assembly(const CodeToken &token) {
  return is(token, "asm") || is(token, "__asm__") || is(token, "__asm");
}

class Screen {
public:
  Screen(std::string_view variant, const spec::KernelSpec &spec) : spec_(spec), text_(variant) {}

  std::vector<StaticFinding> run() {
    if (text_.size() > model::kMostVariantBytes)
      add(0, fmt::format("the variant has {} bytes, at most {} are allowed", text_.size(),
                         model::kMostVariantBytes));
    if (text_.find('\0') != std::string_view::npos) add(0, "the variant contains a zero byte");
    if (!findings_.empty()) return std::move(findings_);
    const auto list = tokenize(text_);
    findings_ = lexical_findings(text_, list.tokens);
    if (!list.error.empty()) {
      add(list.error_line, list.error);
      return std::move(findings_);
    }
    std::ranges::move(preprocessor_findings(list.tokens), std::back_inserter(findings_));
    const auto in_slice = [this](const std::string &name) { return used_by_kernel(name); };
    std::ranges::move(macro_findings(list.tokens, spec_.parameters, in_slice), std::back_inserter(findings_));
    std::ranges::move(version_findings(list.tokens), std::back_inserter(findings_));
    std::ranges::move(hidden_text_findings(list.tokens), std::back_inserter(findings_));
    std::ranges::move(probed_name_findings(list.tokens, in_slice), std::back_inserter(findings_));
    std::ranges::move(attribute_findings(list.tokens), std::back_inserter(findings_));
    names(list.tokens);
    Tokens code;
    std::ranges::copy_if(list.tokens, std::back_inserter(code),
                         [](const CodeToken &t) { return !t.preprocessor; });
    const auto assembly = assembly_macros(list.tokens);
    for (CodeToken &token : code)
      if (token.kind == CodeTokenKind::name && assembly.contains(token.text)) token.text = "__asm__";
    structure(code);
    std::ranges::sort(findings_, {}, [](const StaticFinding &f) { return std::pair(f.line, f.reason); });
    return std::move(findings_);
  }

private:
  void add(int line, std::string reason) { findings_.push_back({line, std::move(reason)}); }

  /// A variant may use everything its kernel uses, for example types of parameters and device-side calls.
  bool used_by_kernel(const std::string &name) {
    if (!slice_names_) {
      slice_names_.emplace();
      for (const auto &token : tokenize(spec_.slice).tokens)
        if (token.kind == CodeTokenKind::name) slice_names_->insert(token.text);
    }
    return slice_names_->contains(name);
  }

  void names(const Tokens &tokens) {
    std::set<std::pair<std::string, bool>> seen;  // each name is reported only once
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const std::string &text = tokens[i].text;
      if (tokens[i].kind != CodeTokenKind::name) continue;
      // A member of a user's type may have the same name as a system function; a macro is replaced there too.
      const bool arrow = i >= 2 && is(tokens[i - 1], ">") && is(tokens[i - 2], "-");
      if ((arrow || (i >= 1 && is(tokens[i - 1], "."))) && !could_be_macro(text)) continue;
      const bool qualified = i >= 2 && is(tokens[i - 1], "::") && is(tokens[i - 2], "std");
      if (!seen.insert({text, qualified}).second) continue;
      const auto why = why_forbidden(text, qualified);
      if (!why && is_unknown_reserved_name(text) && !used_by_kernel(text))
        add(tokens[i].line,
            fmt::format("'{}' is a reserved name, which may be a macro that differs between judge and "
                        "build; leave it out, or give what is yours another name",
                        text));
      if (!why || (is_unknown_runtime_name(text) && used_by_kernel(text))) continue;
      add(tokens[i].line, fmt::format("'{}' {}", text, *why));
    }
  }

  void structure(const Tokens &code) {
    const auto outline = outline_of(code);
    if (!outline.error.empty()) return add(outline.error_line, outline.error);
    std::vector<const Declaration *> launches;
    for (const auto &declaration : outline.declarations) {
      namespace_scope(declaration);
      if (declaration.kind != DeclarationKind::function) continue;
      function_body(declaration);
      if (declaration.name == "launch" && !declaration.on_device()) launches.push_back(&declaration);
    }
    if (launches.empty())
      add(0, fmt::format("there is no `bool launch(const cupilot::Launch &l, {})`", signature()));
    if (launches.size() > 1) add(launches[1]->line, "launch() is defined twice");
    if (launches.size() == 1) contract(*launches[0]);
    launch_sites(code);
    original_again(code, outline);
  }

  /// In the swapped program a launch of the original becomes a launch of the variant, so a variant may not
  /// launch it. The name may be used for something else.
  void original_again(const Tokens &code, const Outline &outline) {
    const auto end = spec_.qualified_name.rfind("::");
    const std::string name =
        end == std::string::npos ? spec_.qualified_name : spec_.qualified_name.substr(end + 2);
    const auto own = [&](const Declaration &declaration) { return declaration.name == name; };
    if (name.empty() || std::ranges::any_of(outline.declarations, own)) return;
    for (std::size_t i = 0; i + 1 < code.size(); ++i)
      if (is(code[i], name) && is(code[i + 1], "<<<"))
        add(code[i].line,
            fmt::format("launches '{}', the kernel it replaces: a variant is code of its own", name));
  }

  void namespace_scope(const Declaration &declaration) {
    const auto pointer = [](const Declaration &d) {
      const auto end = std::ranges::find_if(d.head, [](const CodeToken &t) { return is(t, "="); });
      return std::any_of(d.head.begin(), end, [](const CodeToken &t) { return is(t, "*"); });
    };
    if (declaration.mentions("extern") && !declaration.mentions("__shared__"))
      add(declaration.line, "extern reaches outside the variant");
    const bool constant = declaration.mentions("constexpr") ||
                          (declaration.mentions("const") && !pointer(declaration)) ||
                          (declaration.mentions("extern") && declaration.mentions("__shared__"));
    if (declaration.kind == DeclarationKind::variable && !constant)
      add(declaration.line,
          "a variable outside functions keeps state between launches; make it constexpr or local");
    if (declaration.kind == DeclarationKind::type || constant) static_members(declaration.head);
    if (declaration.kind == DeclarationKind::variable && constant && !declaration.mentions("constexpr") &&
        calls(declaration))
      add(declaration.line,
          "a constant that is initialised by a call runs code when it is loaded; make it constexpr");
    if (declaration.kind == DeclarationKind::type)
      member_assembly(declaration);
    else if (std::ranges::any_of(declaration.head, is_assembly))
      add(declaration.line, "assembly outside a device function");
  }

  /// The head of a type holds its members: assembly may stand in those that are functions of the device only.
  void member_assembly(const Declaration &type, int depth = 0) {
    if (depth > kMostNestedTypes) return add(type.line, "types are nested too deeply");
    const auto open = std::ranges::find_if(type.head, [](const CodeToken &t) { return is(t, "{"); });
    const auto close =
        std::find_if(type.head.rbegin(), type.head.rend(), [](const CodeToken &t) { return is(t, "}"); });
    const auto refuse = [&](std::span<const CodeToken> tokens) {
      if (const auto found = std::ranges::find_if(tokens, is_assembly); found != tokens.end())
        add(found->line, "assembly outside a device function");
    };
    if (open == type.head.end() || close == type.head.rend()) return refuse(type.head);
    refuse({type.head.begin(), open});
    refuse({close.base(), type.head.end()});
    for (const Declaration &member : outline_of(std::span(open + 1, close.base() - 1)).declarations) {
      if (member.kind == DeclarationKind::type)
        member_assembly(member, depth + 1);
      else
        refuse(member.head);
      if (!member.on_device() || member.mentions("__host__"))
        refuse(member.body);
      else
        local_types(member.body, depth + 1);
    }
  }

  /// The brace that opens the type whose keyword is at `at`; the end where the keyword defines no type.
  static Tokens::const_iterator brace_of_type(const Tokens &body, Tokens::const_iterator at) {
    int parentheses = 0;
    for (; at != body.end() && !is(*at, ";"); ++at) {
      if (is(*at, "{") && parentheses == 0) return at;
      parentheses += is(*at, "(") - is(*at, ")");
      if (parentheses < 0) break;
    }
    return body.end();
  }

  /// Members of a type inside of a device function are host code where they do not say otherwise.
  void local_types(const Tokens &body, int depth = 0) {
    for (auto at = body.begin(); at != body.end(); ++at) {
      if (!is(*at, "struct") && !is(*at, "class") && !is(*at, "union")) continue;
      auto end = brace_of_type(body, at);
      if (end == body.end()) continue;
      int braces = 0;
      do braces += is(*end, "{") - is(*end, "}");
      while (++end != body.end() && braces > 0);
      Declaration type;
      type.kind = DeclarationKind::type;
      type.line = at->line;
      type.head.assign(at, end);
      member_assembly(type, depth + 1);
      at = end - 1;
    }
  }

  /// A call after the `=`: a name before a parenthesis, or a lambda that is called immediately.
  static bool calls(const Declaration &declaration) {
    const auto &head = declaration.head;
    auto i = static_cast<std::size_t>(
        std::ranges::find_if(head, [](const CodeToken &t) { return is(t, "="); }) - head.begin());
    const bool lambda = i + 1 < head.size() && is(head[i + 1], "[");
    if (lambda) return head.size() >= 2 && is(head.back(), ")");
    for (++i; i + 1 < head.size(); ++i) {
      const bool name =
          head[i].kind == CodeTokenKind::name && head[i].text != "sizeof" && head[i].text != "alignof";
      if (name && is(head[i + 1], "(")) return true;
    }
    return false;
  }

  /// Rejects state in the data members and lambdas of a type or constant. A static member function is
  /// allowed; its parenthesis comes first.
  void static_members(const Tokens &tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (is(tokens[i], "mutable")) add(tokens[i].line, "a mutable member keeps state between launches");
      if (!is(tokens[i], "static")) continue;
      bool constant = false;
      while (++i < tokens.size() && !is(tokens[i], "(") && !is(tokens[i], ";") && !is(tokens[i], "=") &&
             !is(tokens[i], "{"))
        constant = constant || is(tokens[i], "constexpr") || is(tokens[i], "const");
      if (!constant && i < tokens.size() && !is(tokens[i], "("))
        add(tokens[i].line, "a static variable keeps state between launches");
    }
  }

  /// `static const float *p` is a variable, since the const belongs to the pointee.
  static bool pointer_from(const Tokens &tokens, std::size_t at) {
    for (; at < tokens.size() && !is(tokens[at], ";") && !is(tokens[at], "=") && !is(tokens[at], "{"); ++at)
      if (is(tokens[at], "*")) return true;
    return false;
  }

  void function_body(const Declaration &function) {
    if (function.on_device()) local_types(function.body);
    for (std::size_t i = 0; i < function.body.size(); ++i) {
      const auto &token = function.body[i];
      const auto next = [&](std::string_view word) {
        return i + 1 < function.body.size() && is(function.body[i + 1], word);
      };
      const bool constant = next("constexpr") || next("__shared__") ||
                            (function.on_device() && next("const") && !pointer_from(function.body, i));
      if (is(token, "static") && !constant)
        add(token.line, "a static variable keeps state between launches; make it constexpr");
      const bool on_host = !function.on_device() || function.mentions("__host__");
      if (is_assembly(token) && on_host) add(token.line, "assembly in host code");
    }
  }

  void contract(const Declaration &launch) {
    for (const auto &token : launch.head) {
      if (&token - launch.head.data() >= std::ranges::find_if(launch.head, [](const CodeToken &t) {
                                           return is(t, "launch");
                                         }) - launch.head.begin())
        break;
      if (!is(token, "bool") && !is(token, "static") && !is(token, "inline"))
        return add(
            launch.line,
            fmt::format("launch() must be a plain function: `bool launch(const cupilot::Launch &l, {})`",
                        signature()));
    }
    if (!launch.mentions("bool")) add(launch.line, "launch() must return bool");
    const auto parameters = split_arguments(launch.parameters);
    const auto is_launch = [](const CodeToken &t) { return is(t, "Launch"); };
    if (parameters.empty() || std::ranges::none_of(parameters[0], is_launch))
      return add(launch.line, "the first parameter of launch() must be `const cupilot::Launch &l`");
    if (parameters.size() != spec_.parameters.size() + 1)
      return add(launch.line,
                 fmt::format("launch() has {} parameters after the Launch, the kernel '{}' has {}: ({})",
                             parameters.size() - 1, spec_.name, spec_.parameters.size(), signature()));
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i) {
      const bool pointer =
          std::ranges::any_of(parameters[i + 1], [](const CodeToken &t) { return is(t, "*") || is(t, "["); });
      if (pointer != spec_.parameters[i].pointer)
        add(launch.line,
            fmt::format("parameter {} of launch() must be `{}`", i + 1, spec_.parameters[i].type));
    }
  }

  /// Every launch must name its stream as fourth argument; otherwise the work goes to another stream.
  void launch_sites(const Tokens &code) {
    bool any = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
      any = any || (code[i].kind == CodeTokenKind::name && code[i].text.starts_with("cudaLaunchKernel"));
      if (!is(code[i], "<<<")) continue;
      any = true;
      auto end = i + 1;
      while (end < code.size() && !is(code[end], ">>>") && !is(code[end], ";")) ++end;
      if (split_arguments(std::span(code).subspan(i + 1, end - i - 1)).size() != 4)
        add(code[i].line, "a launch without its stream; write <<<grid, block, shared_bytes, l.stream>>>");
      i = end;
    }
    if (!any) add(0, "the variant launches no kernel");
  }

  std::string signature() const {
    std::vector<std::string> parts;
    for (const auto &parameter : spec_.parameters) {
      const bool touching = parameter.type.ends_with('*') || parameter.type.ends_with('&');
      parts.push_back(parameter.type + (touching ? "" : " ") + parameter.name);
    }
    return join(parts, ", ");
  }

  const spec::KernelSpec &spec_;
  std::string_view text_;
  std::optional<std::set<std::string>> slice_names_;  ///< filled on first use
  std::vector<StaticFinding> findings_;
};

}  // namespace

std::vector<StaticFinding> static_findings(std::string_view variant, const spec::KernelSpec &spec) {
  return Screen(variant, spec).run();
}

std::optional<model::Verdict> static_check(const model::Individual &individual,
                                           const spec::KernelSpec &spec) {
  const auto findings = static_findings(individual.variant, spec);
  if (findings.empty()) return std::nullopt;
  std::vector<std::string> reasons;
  for (const auto &finding : findings)
    reasons.push_back(finding.line ? fmt::format("line {}: {}", finding.line, finding.reason)
                                   : finding.reason);
  model::Verdict verdict;
  verdict.candidate = individual.id;
  verdict.kind = model::VerdictKind::rejected;
  verdict.stage = "static";
  verdict.reason = join(reasons, "; ");
  return verdict;
}

}  // namespace cupilot::judge::screen
