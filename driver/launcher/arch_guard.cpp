// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/arch_guard.h"

#include <algorithm>
#include <cctype>

#include "annotate/support/names.h"

namespace cupilot::launcher {
namespace {

/// Where what begins at `at` ends: a comment, a literal, a whole word, else one character.
std::size_t token_end(std::string_view text, std::size_t at) {
  const auto past = [&](std::string_view mark, std::size_t from) {
    const auto found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  const auto rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) return past("*/", at + 2);
  if (rest.starts_with("R\"")) {
    const auto open = text.find('(', at);
    if (open == std::string_view::npos) return text.size();
    return past(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
  }
  if (rest[0] == '"' || rest[0] == '\'') {
    std::size_t i = at + 1;
    while (i < text.size() && text[i] != rest[0]) i += text[i] == '\\' ? 2 : 1;
    return std::min(i + 1, text.size());
  }
  if (!is_name_character(rest[0])) return at + 1;
  std::size_t i = at;
  // 1'000'000 is one word
  while (i < text.size() && (is_name_character(text[i]) ||
                             (text[i] == '\'' && std::isdigit(static_cast<unsigned char>(rest[0])))))
    ++i;
  return i;
}

struct Body {
  std::size_t open = 0, close = 0;  ///< places of the braces; equal when there is no body
};

/// The braces of the function that begins at `at`; none when a ';' comes first.
Body find_body(std::string_view text, std::size_t at) {
  int parentheses = 0, braces = 0;
  Body body;
  for (std::size_t end; at < text.size(); at = end) {
    end = token_end(text, at);
    if (end != at + 1) continue;
    const char c = text[at];
    parentheses += (c == '(') - (c == ')');
    if (c == ';' && !parentheses && !braces) return {};
    if (c == '{' && !parentheses && braces++ == 0) body.open = at;
    if (c == '}' && !parentheses && --braces == 0) {
      body.close = at;
      return body;
    }
  }
  return {};
}

}  // namespace

std::string arch_condition(std::string_view arch) {
  auto number = arch.substr(arch.find('_') + 1);
  const char feature = number.empty() ? ' ' : number.back();
  const bool specific = feature == 'a' || feature == 'f';
  if (specific) number.remove_suffix(1);
  const std::string version(number);
  const std::string same = "__CUDA_ARCH__ == " + version + "0";
  if (!specific) return "!defined(__CUDA_ARCH__) || " + same;
  const std::string needed = feature == 'a' ? "defined(__CUDA_ARCH_FEAT_SM" + version + "_ALL)"
                                            : "defined(__CUDA_ARCH_FAMILY_SPECIFIC__)";
  return "!defined(__CUDA_ARCH__) || (" + same + " && " + needed + ")";
}

std::string guard_kernel_bodies(std::string_view variant, std::string_view arch) {
  const std::string begin = "\n#if " + arch_condition(arch) + "\n";
  // messages about the variant keep the lines of its file
  const auto line_mark = [&](std::size_t at) {
    return "#line " + std::to_string(1 + std::ranges::count(variant.substr(0, at), '\n')) + "\n";
  };
  std::string out;
  std::size_t copied = 0;
  for (std::size_t at = 0, end; at < variant.size(); at = end) {
    end = token_end(variant, at);
    if (variant.substr(at, end - at) != "__global__") continue;
    const auto body = find_body(variant, at);
    if (body.open == body.close) continue;
    out.append(variant.substr(copied, body.open + 1 - copied)).append(begin).append(line_mark(body.open));
    out.append(variant.substr(body.open + 1, body.close - body.open - 1));
    out.append("\n#endif\n").append(line_mark(body.close));
    copied = end = body.close;
  }
  return out.append(variant.substr(copied));
}

}  // namespace cupilot::launcher
