// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/variant_text.h"

#include <vector>

#include "annotate/directive/source_lexer.h"

namespace cupilot::launcher {
namespace {

class VariantReader {
public:
  explicit VariantReader(std::string_view text) : text_(text), lexed_(directive::lex_source(text)) {}

  std::string problem() {
    std::size_t next_directive = 0;
    for (std::size_t i = 0; i < lexed_.tokens.size(); ++i) {
      const auto &token = lexed_.tokens[i];
      while (next_directive < lexed_.directives.size() &&
             lexed_.directives[next_directive].begin <= token.begin)
        branch(lexed_.directives[next_directive++].keyword);
      if (token.line_directive >= 0) continue;
      const auto word = text_of(i);
      depth_ += (word == "{") - (word == "}");
      if (depth_ < 0) return at(i) + "closes a namespace that is not its own";
      if (word == "extern" && text_of(i + 1).starts_with('"')) return at(i) + "has an extern \"C\"";
      if (depth_ == 0 && (word == "asm" || word == "__asm__" || word == "__asm"))
        return at(i) + "has assembly outside of functions";
    }
    return {};
  }

private:
  std::string_view text_of(std::size_t i) const {
    if (i >= lexed_.tokens.size()) return {};
    return text_.substr(lexed_.tokens[i].begin, lexed_.tokens[i].end - lexed_.tokens[i].begin);
  }
  std::string at(std::size_t i) const {
    return "is not used: line " + std::to_string(directive::LineIndex(text_).line(lexed_.tokens[i].begin)) +
           " ";
  }
  /// Every branch of an #if begins at the depth where the #if stands.
  void branch(std::string_view keyword) {
    if (keyword.starts_with("if")) open_.push_back(depth_);
    if (keyword.starts_with("el") && !open_.empty()) depth_ = open_.back();
    if (keyword == "endif" && !open_.empty()) open_.pop_back();
  }

  std::string_view text_;
  directive::RawTokens lexed_;
  int depth_ = 0;
  std::vector<int> open_;
};

}  // namespace

std::string variant_problem(std::string_view text) {
  return VariantReader(text).problem();
}

}  // namespace cupilot::launcher
