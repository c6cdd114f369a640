// SPDX-License-Identifier: Apache-2.0
//
// A message about the user's source: place, sentence, source line with a caret, and how to fix it. A
// diagnostic is plain data; only `render` defines how it is printed.

#pragma once

#include <string>
#include <vector>

#include "annotate/support/enum_names.h"

namespace cupilot {

/// Lines and columns count from 1. Line 0 refers to the whole file.
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
  friend bool operator==(const SourcePlace &, const SourcePlace &) = default;
};

enum class Severity { error, warning, note };

struct Diagnostic {
  Severity severity = Severity::error;
  SourcePlace place;
  std::string message;      ///< "unknown clause 'precison'"
  std::string source_line;  ///< text of the line, empty when unknown
  std::string remedy;       ///< how to fix it: "did you mean 'precision'?"; empty when nothing is suggested
  friend bool operator==(const Diagnostic &, const Diagnostic &) = default;
};

/// `file:line:col: error: message; remedy`, then the line and a caret under the column.
std::string render(const Diagnostic &diagnostic);

EnumNames<Severity> names_of(const Severity *);
const char *to_string(Severity severity);

bool has_errors(const std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot
