// SPDX-License-Identifier: Apache-2.0
#include "annotate/directive/data_assumption.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "annotate/directive/expression.h"
#include "annotate/directive/operators.h"
#include "annotate/support/text.h"

namespace cupilot::directive {
namespace {

bool is_identifier(std::string_view text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, fits);
}

/// The word before the parenthesis, and what stands between it and the last one.
struct Call {
  std::string_view word, inside;
};
std::optional<Call> call_in(std::string_view text) {
  const auto open = text.find('(');
  if (open == text.npos || trim(text).back() != ')') return std::nullopt;
  return Call{trim(text.substr(0, open)), text.substr(open + 1, text.rfind(')') - open - 1)};
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (text[i] != ',' || depth != 0) continue;
    parts.push_back(trim(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.push_back(trim(text.substr(begin)));
  return parts;
}

Result<double> bound(std::string_view text) {
  const auto value = evaluate_expression(text, Scope());
  if (!value) return user_error("a bound of range(...) is a constant: " + value.error().message);
  const double number = as_double(*value);
  if (!std::isfinite(number)) return user_error("a bound of range(...) is a finite number");
  return number;
}

}  // namespace

Result<std::optional<DataAssumption>> read_data_assumption(std::string_view text) {
  const auto call = call_in(text);
  if (!call || (call->word != "finite" && call->word != "range")) return std::nullopt;
  const bool ranged = call->word == "range";
  const auto parts = parts_of(call->inside);
  if (parts.size() != (ranged ? 3u : 1u) || !is_identifier(parts[0]))
    return user_error(ranged ? "write range(x, low, high) with the name of a buffer"
                             : "write finite(x) with the name of a buffer");
  DataAssumption made{std::string(parts[0]), ranged};
  made.offset = static_cast<std::size_t>(parts[0].data() - text.data());
  if (!ranged) return made;
  CUPILOT_TRY(low, bound(parts[1]));
  CUPILOT_TRY(high, bound(parts[2]));
  if (low >= high) return user_error("the range is empty: its first bound is the smaller one");
  made.low = low, made.high = high;
  return made;
}

std::optional<DataAssumption> data_assumption(std::string_view text) {
  auto read = read_data_assumption(text);
  return read ? std::move(*read) : std::nullopt;
}

}  // namespace cupilot::directive
