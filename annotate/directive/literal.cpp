// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/literal.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cupilot::directive {
namespace {

std::string lower_without_separators(std::string_view literal) {
  std::string plain;
  for (const char c : literal)
    if (c != '\'') plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return plain;
}

std::expected<Value, std::string> floating(std::string digits, std::string_view written, bool hex) {
  if (digits.ends_with('f') || digits.ends_with('l')) digits.pop_back();
  const char *first = digits.data() + (hex ? 2 : 0), *last = digits.data() + digits.size();
  double value = 0;
  const auto [end, code] =
      std::from_chars(first, last, value, hex ? std::chars_format::hex : std::chars_format::general);
  if (code == std::errc::result_out_of_range)
    return std::unexpected("'" + std::string(written) + "' is out of range of double");
  if (code != std::errc{} || end != last)
    return std::unexpected("malformed number '" + std::string(written) + "'");
  return value;
}

std::expected<Value, std::string> integer(std::string_view digits, std::string_view written) {
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0b")) {
    base = digits[1] == 'x' ? 16 : 2;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits.starts_with('0') && is_digit(digits[1])) {
    base = 8;
  }
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (code == std::errc::result_out_of_range)
    return std::unexpected("'" + std::string(written) + "' does not fit 64 bits");
  const std::string_view suffix(end, digits.data() + digits.size());
  constexpr std::string_view kSuffixes[] = {"", "u", "l", "ll", "ul", "lu", "ull", "llu", "z", "uz", "zu"};
  if (code != std::errc{} || std::ranges::find(kSuffixes, suffix) == std::end(kSuffixes))
    return std::unexpected("malformed number '" + std::string(written) + "'");
  return value;
}

}  // namespace

std::size_t literal_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size()) {
    const char c = text[end];
    const bool sign =
        (c == '+' || c == '-') && end > 0 &&
        std::string_view("eEpP").find(text[end - 1]) != std::string_view::npos &&
        // 0x1e+2 is a sum: in a hexadecimal number only p starts an exponent
        (text[end - 1] == 'p' || text[end - 1] == 'P' || !(text.starts_with("0x") || text.starts_with("0X")));
    const bool separator = c == '\'' && end + 1 < text.size() && is_name_part(text[end + 1]);
    if (!is_name_part(c) && c != '.' && !sign && !separator) break;
    ++end;
  }
  return end;
}

std::expected<Value, std::string> literal_value(std::string_view literal) {
  const std::string plain = lower_without_separators(literal);
  const bool hex = plain.starts_with("0x");
  const bool has_exponent = plain.find(hex ? 'p' : 'e') != std::string::npos && !plain.starts_with("0b");
  if (plain.find('.') != std::string::npos || has_exponent) return floating(plain, literal, hex);
  return integer(plain, literal);
}

}  // namespace cupilot::directive
