// SPDX-License-Identifier: Apache-2.0
//
// One parse by Clang: host side only, bodies of system headers skipped, its diagnostics thrown away (nvcc
// reports them anyway). Only records: pragmas, includes, macros; what they mean is decided elsewhere.

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

namespace cupilot {

/// `#pragma cupilot ...` or `_Pragma("cupilot ...")` as found by the preprocessor.
struct RecordedPragma {
  int file = 0;                 ///< index into UnitText::files
  unsigned begin = 0, end = 0;  ///< its bytes there; end is only known for the _Pragma form, else begin
  SourcePlace place;
  std::vector<Token> tokens;  ///< after `cupilot`
};

struct ParsedUnit {
  clang::ASTContext &context;
  UnitText text;                   ///< chunks not yet filled
  std::vector<unsigned> file_ids;  ///< hash of the clang::FileID of each of text.files
  std::vector<RecordedPragma> pragmas;
  std::vector<std::string> user_headers;  ///< absolute, sorted, each once

  /// The index in text.files a location expands to, -1 for system headers; `offset` is set when found.
  int file_of(clang::SourceLocation location, unsigned &offset) const;
  SourcePlace place_of(clang::SourceLocation location) const;
};

/// Calls `use` once with the parsed unit, valid during the call. False when Clang could not even start on it.
/// `text` stands in for the source's file, which need not exist.
bool parse_translation_unit(const CompileEntry &entry, const std::string &root,
                            const std::function<void(ParsedUnit &)> &use, const std::string *text = nullptr);

}  // namespace cupilot
