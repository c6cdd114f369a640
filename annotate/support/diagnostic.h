// SPDX-License-Identifier: Apache-2.0
//
// What cupilot says about a user's source: a place, a sentence, the line with a caret, a way out.
// A diagnostic is data; `render` is the only place that knows how it looks.

#pragma once

#include <string>
#include <vector>

namespace cupilot {

/// Lines and columns count from 1; line 0 means "the whole file".
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
  std::string remedy;       ///< "did you mean 'precision'?", empty when there is none
  friend bool operator==(const Diagnostic &, const Diagnostic &) = default;
};

/// `file:line:col: error: message; remedy`, then the line and a caret under the column.
std::string render(const Diagnostic &diagnostic);

const char *to_string(Severity severity);

bool has_errors(const std::vector<Diagnostic> &diagnostics);

}  // namespace cupilot
