// SPDX-License-Identifier: Apache-2.0
//
// Parses one translation unit with Clang: host side only, without the bodies of system headers. Diagnostics
// of Clang are not shown, because nvcc reports them anyway. This file only records pragmas, includes and
// macros; other files interpret them.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "annotate/directive/token.h"
#include "annotate/extract/compile_command.h"
#include "annotate/extract/unit_text.h"

namespace clang {
class ASTContext;
class FileID;
class SourceLocation;
class SourceManager;
}  // namespace clang

namespace cupilot::extract {

/// A `#pragma cupilot ...` or `_Pragma("cupilot ...")` that the preprocessor found.
struct RecordedPragma {
  int file = 0;                 ///< index into UnitText::files
  unsigned begin = 0, end = 0;  ///< byte range in the file; only _Pragma has a known end, else end == begin
  SourcePlace place;
  std::vector<directive::Token> tokens;  ///< the tokens after `cupilot`
};

struct ParsedUnit {
  clang::ASTContext &context;
  UnitText text;                   ///< its chunks are not filled yet
  std::vector<unsigned> file_ids;  ///< the hash of the clang::FileID of each of text.files
  std::vector<RecordedPragma> pragmas;
  std::vector<std::string> user_headers;  ///< absolute, sorted, each once
  bool has_syntax_errors = false;         ///< the source itself violates the grammar of C++

  /// The index in text.files of the file that a location expands to, and the `offset` in it; -1 for system
  /// headers.
  int file_of(clang::SourceLocation location, unsigned &offset) const;
  SourcePlace place_of(clang::SourceLocation location) const;
};

/// Calls `use` once with the parsed unit, which is valid only during the call. Returns false when Clang could
/// not start. If given, `text` replaces the content of the source, which then need not exist.
bool parse_translation_unit(const CompileEntry &entry, const std::string &root,
                            const std::function<void(ParsedUnit &)> &use, const std::string *text = nullptr);

}  // namespace cupilot::extract
