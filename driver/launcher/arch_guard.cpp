// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/arch_guard.h"

#include <algorithm>
#include <vector>

#include "annotate/directive/source_lexer.h"
#include "driver/launcher/record_code.h"

namespace cupilot::launcher {
namespace {

struct Body {
  std::size_t open = 0, close = 0;  ///< places of the braces; equal when there is no body
};

std::string_view text_of(std::string_view text, const directive::RawToken &token) {
  return text.substr(token.begin, token.end - token.begin);
}

/// The braces of the function that begins with token number `i`; none when a ';' comes first.
Body find_body(std::string_view text, const std::vector<directive::RawToken> &tokens, std::size_t i) {
  int parentheses = 0, braces = 0;
  Body body;
  for (; i < tokens.size(); ++i) {
    const auto token = text_of(text, tokens[i]);
    parentheses += (token == "(") - (token == ")");
    if (parentheses) continue;
    if (token == ";" && !braces) return {};
    if (token == "{" && braces++ == 0) body.open = tokens[i].begin;
    if (token == "}" && --braces == 0) {
      body.close = tokens[i].begin;
      return body;
    }
  }
  return {};
}

}  // namespace

std::string arch_condition(std::string_view arch) {
  const auto [number, feature] = parse_architecture(arch).value_or(Architecture());
  const std::string same = "__CUDA_ARCH__ == " + number + "0";
  if (!feature) return "!defined(__CUDA_ARCH__) || " + same;
  const std::string needed = feature == 'a' ? "defined(__CUDA_ARCH_FEAT_SM" + number + "_ALL)"
                                            : "defined(__CUDA_ARCH_FAMILY_SPECIFIC__)";
  return "!defined(__CUDA_ARCH__) || (" + same + " && " + needed + ")";
}

std::string guard_kernel_bodies(std::string_view variant, std::string_view arch) {
  const std::string begin = "\n#if " + arch_condition(arch) + "\n";
  // messages about the variant keep the lines of its file
  const auto line_mark = [&](std::size_t at) {
    return "#line " + std::to_string(1 + std::ranges::count(variant.substr(0, at), '\n')) + "\n";
  };
  const auto tokens = directive::lex_source(variant).tokens;
  std::string out;
  std::size_t copied = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].begin < copied || text_of(variant, tokens[i]) != "__global__") continue;
    const auto body = find_body(variant, tokens, i);
    if (body.open == body.close) continue;
    out.append(variant.substr(copied, body.open + 1 - copied)).append(begin).append(line_mark(body.open));
    out.append(variant.substr(body.open + 1, body.close - body.open - 1));
    out.append("\n#endif\n").append(line_mark(body.close));
    copied = body.close;
  }
  return out.append(variant.substr(copied));
}

}  // namespace cupilot::launcher
