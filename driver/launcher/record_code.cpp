// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/record_code.h"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "annotate/directive/expression.h"
#include "annotate/directive/literal.h"
#include "annotate/directive/operators.h"

namespace cupilot::launcher {
namespace {

using Parameters = std::vector<std::string>;

std::size_t index_of(std::string_view name, const Parameters &parameters) {
  return static_cast<std::size_t>(std::ranges::find(parameters, name) - parameters.begin());
}

/// What constants, names and functions are called in the code that an expression becomes.
struct CodeWords {
  std::function<std::string(const directive::Value &)> constant;
  std::function<std::string(const std::string &)> name;
  const char *least, *greatest;  ///< functions of two arguments
};

std::string code_of(const directive::Expression &expression, const CodeWords &words) {
  using Kind = directive::Expression::Kind;
  std::vector<std::string> parts;
  for (const directive::Expression &operand : expression.operands) parts.push_back(code_of(operand, words));
  switch (expression.kind) {
    case Kind::constant:
      return words.constant(expression.value);
    case Kind::name:
      return words.name(expression.name);
    case Kind::group:
      return "(" + parts[0] + ")";
    case Kind::unary:  // `- -n` must not become `--n`
      return expression.sign + std::string(parts[0].starts_with(expression.sign) ? " " : "") + parts[0];
    case Kind::conditional:
      return parts[0] + " ? " + parts[1] + " : " + parts[2];
    case Kind::chain:
      for (std::size_t i = 0; i < expression.operators.size(); ++i)
        parts[0] += " " + std::string(expression.operators[i].kind->spelling) + " " + parts[i + 1];
      return parts[0];
    case Kind::least:
    case Kind::greatest:
      for (std::size_t i = 1; i < parts.size(); ++i)
        parts[0] = std::string(expression.kind == Kind::least ? words.least : words.greatest) + "(" +
                   parts[0] + ", " + parts[i] + ")";
      return parts[0];
  }
  return {};
}

Result<directive::Expression> expression_over(std::string_view text, const Parameters &parameters) {
  const std::string quoted = "'" + std::string(text) + "'";
  auto expression = directive::parse_expression(text);
  if (!expression) return fail(quoted + ": " + expression.error().message);
  for (const std::string &name : names_of(*expression))
    if (index_of(name, parameters) == parameters.size())
      return fail(quoted + " names '" + name + "', which is not a parameter");
  return std::move(*expression);
}

/// A constant of the type that it has in an expression. As an int of C++ it would make 1 << 40 undefined.
std::string number_constant(const directive::Value &value) {
  char text[64];
  if (const auto *integer = std::get_if<std::int64_t>(&value))
    std::snprintf(text, sizeof text, "%lldLL", static_cast<long long>(*integer));
  else
    std::snprintf(text, sizeof text, "double(%.17g)", std::get<double>(value));
  return "::cupilot::detail::number_of(" + std::string(text) + ")";
}

bool has_fraction(const directive::Expression &expression) {
  return std::holds_alternative<double>(expression.value) ||
         std::ranges::any_of(expression.operands, has_fraction);
}

/// Reads the names of C++ that Clang prints for the specialization of a kernel: qualified names with template
/// arguments, each of them a type or a constant. The code is printed from what was read.
class InstantiationParser {
public:
  explicit InstantiationParser(std::string_view text) : text_(text) {}

  Result<std::string> run() {
    if (name(0) && at_ == text_.size()) return std::move(code_);
    return fail("'" + std::string(text_) + "' is not a kernel's name with template arguments");
  }

private:
  static constexpr int kDeepest = 32;

  char here(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void skip_blanks() {
    while (here() == ' ') ++at_;
  }
  /// Leaves the blanks before a token that is not the wanted one.
  bool take(std::string_view token) {
    const std::size_t begin = at_;
    skip_blanks();
    if (text_.substr(at_).starts_with(token)) return put(token.size()), true;
    at_ = begin;
    return false;
  }
  void put(std::size_t length) {
    code_ += text_.substr(at_, length);
    at_ += length;
  }

  /// `a::b<int>::c`; template arguments belong to the name before them.
  bool name(int depth) {
    do {
      if (!directive::is_name_start(here())) return false;
      const auto rest = text_.substr(at_);
      put(static_cast<std::size_t>(std::ranges::find_if_not(rest, directive::is_name_part) - rest.begin()));
      if (take("<") && !list(">", depth + 1)) return false;
    } while (take("::"));
    return true;
  }

  bool list(std::string_view closing, int depth) {
    if (depth > kDeepest) return false;
    if (take(closing)) return true;
    do {
      if (!argument(depth)) return false;
      if (take(closing)) return true;
      if (!take(",")) return false;
      code_ += ' ';
    } while (true);
  }

  /// `const float *`, `(int)128`, `int (&)[4]`, `-1`, `'a'`, `&ns::f`.
  bool argument(int depth) {
    bool any = false;
    for (;; any = true) {
      const bool blank = here() == ' ';
      skip_blanks();
      if (here() == '\0' || std::string_view(",>)]").contains(here())) return any;
      if (blank && any) code_ += ' ';
      if (!piece(depth)) return false;
    }
  }

  bool piece(int depth) {
    if (take("::")) return name(depth);
    if (take("*") || take("&")) return true;
    if (take("(")) return list(")", depth + 1);
    if (take("[")) return list("]", depth + 1);
    if (take("-")) return number();
    if (here() == '\'') return character();
    return directive::is_digit(here()) ? number() : name(depth);
  }

  bool number() {
    const std::size_t length = directive::literal_length(text_.substr(at_));
    if (!directive::literal_value(text_.substr(at_, length))) return false;
    put(length);
    return true;
  }

  bool character() {
    const bool plain = here(1) >= ' ' && here(1) <= '~' && here(1) != '\'' && here(1) != '\\';
    if (!plain || here(2) != '\'') return false;
    put(3);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string code_;
};

}  // namespace

std::string condition_parameter(std::size_t index) {
  return "cupilot_p" + std::to_string(index);
}

Result<std::string> condition_code(std::string_view expression, const Parameters &parameters) {
  CUPILOT_TRY(tree, expression_over(expression, parameters));
  return code_of(tree, {.constant = number_constant,
                        .name = [&](const auto &n) { return condition_parameter(index_of(n, parameters)); },
                        .least = "::cupilot::detail::least",
                        .greatest = "::cupilot::detail::greatest"});
}

std::vector<std::size_t> condition_parameters(std::string_view expression, const Parameters &parameters) {
  std::vector<std::size_t> indices;
  for (const std::string &name : directive::names_in_expression(expression))
    indices.push_back(index_of(name, parameters));
  return indices;
}

Result<std::string> launch_code(std::string_view expression, const Parameters &parameters) {
  CUPILOT_TRY(tree, expression_over(expression, parameters));
  if (has_fraction(tree))
    return fail("'" + std::string(expression) + "' has a constant that is not an integer");
  const auto constant = [](const directive::Value &value) {
    return std::to_string(std::get<std::int64_t>(value));
  };
  return code_of(tree, {.constant = constant,
                        .name = [](const auto &name) { return name; },
                        .least = "min",
                        .greatest = "max"});
}

Result<std::string> instantiation_code(std::string_view instantiation) {
  return InstantiationParser(instantiation).run();
}

bool is_identifier(std::string_view text) {
  return !text.empty() && directive::is_name_start(text[0]) &&
         std::ranges::all_of(text, directive::is_name_part);
}

std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    if (c == '\n')
      literal += "\\n";
    else
      literal += c;
  }
  return literal + "\"";
}

std::optional<Architecture> parse_architecture(std::string_view text) {
  if (!text.starts_with("sm_")) return {};
  text.remove_prefix(3);
  Architecture architecture;
  if (text.ends_with('a') || text.ends_with('f')) {
    architecture.feature = text.back();
    text.remove_suffix(1);
  }
  architecture.number = text;
  if (text.size() < 2 || text.size() > 3 || !std::ranges::all_of(text, directive::is_digit)) return {};
  return architecture;
}

}  // namespace cupilot::launcher
