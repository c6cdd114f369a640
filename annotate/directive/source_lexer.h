// SPDX-License-Identifier: Apache-2.0
//
// C++ text as raw tokens and preprocessor lines. Nothing is expanded, and only comments are left out. Slices
// are cut from these tokens, a kernel's identity is the hash of them, and the launcher finds the kernels of a
// variant in them. It is for text that compiles; evolution/judge/screen has a lexer for untrusted text.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupilot::directive {

struct RawToken {
  unsigned begin = 0, end = 0;  ///< byte offsets
  bool identifier = false;
  int line_directive = -1;  ///< index of the preprocessor line that has it; -1 in ordinary code
};

struct PreprocessorLine {
  unsigned begin = 0, end = 0;  ///< from '#' to the end of the logical line, without its newline
  std::string keyword;          ///< "include", "if", ...
};

struct RawTokens {
  std::vector<RawToken> tokens;
  std::vector<PreprocessorLine> directives;
};

RawTokens lex_source(std::string_view text);

/// The names that `#define` lines of the text define, each once, in the order of the text.
std::vector<std::string> macros_defined(std::string_view text);

/// Finds the line of an offset; the first line is 1.
class LineIndex {
public:
  explicit LineIndex(std::string_view text);
  int line(unsigned offset) const;
  unsigned line_begin(int line) const { return starts_[static_cast<std::size_t>(line) - 1]; }

private:
  std::vector<unsigned> starts_;
};

}  // namespace cupilot::directive
