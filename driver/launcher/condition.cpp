// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/condition.h"

#include <algorithm>
#include <cstdio>

#include "annotate/directive/expression.h"
#include "annotate/directive/literal.h"
#include "annotate/directive/operators.h"

namespace cupilot::launcher {
namespace {

std::size_t index_of(std::string_view name, const std::vector<std::string> &parameters) {
  return static_cast<std::size_t>(std::ranges::find(parameters, name) - parameters.begin());
}

/// A constant with its kind: C++ would make an int of it, and 1 << 40 nothing.
std::string constant(const Value &value) {
  char text[64];
  if (const auto *integer = std::get_if<std::int64_t>(&value))
    std::snprintf(text, sizeof text, "%lldLL", static_cast<long long>(*integer));
  else
    std::snprintf(text, sizeof text, "double(%.17g)", std::get<double>(value));
  return "::cupilot::detail::number_of(" + std::string(text) + ")";
}

std::string name_code(std::string_view name, const std::vector<std::string> &parameters) {
  if (name == "true" || name == "false") return constant(std::int64_t{name == "true"});
  if (const auto index = index_of(name, parameters); index < parameters.size())
    return condition_parameter(index);
  return name == "min" ? "::cupilot::detail::least" : "::cupilot::detail::greatest";
}

/// Of an expression that parses.
std::string translated(std::string_view text, const std::vector<std::string> &parameters) {
  std::string code;
  while (!text.empty()) {
    std::size_t length = 1;
    const char first = text[0];
    if (is_digit(first) || (first == '.' && text.size() > 1 && is_digit(text[1]))) {
      length = literal_length(text);
      code += constant(literal_value(text.substr(0, length)).value_or(Value{}));
    } else if (is_name_start(first)) {
      length = static_cast<std::size_t>(std::ranges::find_if_not(text, is_name_part) - text.begin());
      code += name_code(text.substr(0, length), parameters);
    } else if (const BinaryOperator *op = binary_operator_at(text)) {
      length = op->spelling.size();
      code += " " + std::string(op->spelling) + " ";  // `- -n` must not become `--n`
    } else {
      code += std::string_view(" \t").contains(first) ? ' ' : first;
    }
    text.remove_prefix(length);
  }
  return code;
}

}  // namespace

std::string condition_parameter(std::size_t index) {
  return "cupilot_p" + std::to_string(index);
}

Result<std::string> condition_code(std::string_view expression, const std::vector<std::string> &parameters) {
  const auto names = parse_expression(expression);
  if (!names) return fail("'" + std::string(expression) + "': " + names.error().message);
  for (const std::string &name : *names)
    if (index_of(name, parameters) == parameters.size())
      return fail("'" + std::string(expression) + "' names '" + name + "', which is no parameter");
  return translated(expression, parameters);
}

std::vector<std::size_t> condition_parameters(std::string_view expression,
                                              const std::vector<std::string> &parameters) {
  std::vector<std::size_t> indices;
  for (const std::string &name : names_in_expression(expression))
    indices.push_back(index_of(name, parameters));
  return indices;
}

}  // namespace cupilot::launcher
