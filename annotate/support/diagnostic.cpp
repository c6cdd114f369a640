// SPDX-License-Identifier: Apache-2.0
#include "annotate/support/diagnostic.h"

#include <algorithm>
#include <array>

namespace cupilot {
namespace {

constexpr std::array<std::pair<Severity, const char *>, 3> kSeverities{
    {{Severity::error, "error"}, {Severity::warning, "warning"}, {Severity::note, "note"}}};

}  // namespace

EnumNames<Severity> names_of(const Severity *) {
  return kSeverities;
}

const char *to_string(Severity severity) {
  return enum_name(severity);
}

std::string render(const Diagnostic &d) {
  std::string text = d.place.file;
  if (d.place.line > 0) text += ":" + std::to_string(d.place.line) + ":" + std::to_string(d.place.column);
  text += std::string(": ") + to_string(d.severity) + ": " + d.message;
  if (!d.remedy.empty()) text += "; " + d.remedy;
  text += "\n";
  if (d.source_line.empty() || d.place.column < 1) return text;
  text += "  " + d.source_line + "\n  ";
  // Tabs are kept, so the caret is under the right column for any tab width of the terminal.
  const auto before = std::min<std::size_t>(d.place.column - 1, d.source_line.size());
  for (std::size_t i = 0; i < before; ++i) text += d.source_line[i] == '\t' ? '\t' : ' ';
  return text + "^\n";
}

bool has_errors(const std::vector<Diagnostic> &diagnostics) {
  return std::ranges::any_of(diagnostics, [](const auto &d) { return d.severity == Severity::error; });
}

}  // namespace cupilot
