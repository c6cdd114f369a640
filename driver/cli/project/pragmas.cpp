// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/pragmas.h"

#include <algorithm>
#include <set>

#include "annotate/support/files.h"
#include "annotate/support/text.h"

namespace cupilot::cli::project {
namespace {

namespace fs = std::filesystem;

constexpr const char *kPragma = "#pragma cupilot optimize";

Result<std::string> with_pragmas(const std::string &text, const std::string &file, std::set<int> lines) {
  std::string made;
  int line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const auto newline = text.find('\n', at);
    const auto end = newline == std::string::npos ? text.size() : newline + 1;
    if (lines.erase(line)) {
      const auto indent = text.find_first_not_of(" \t", at) - at;
      const bool returns = newline != std::string::npos && newline > at && text[newline - 1] == '\r';
      made += text.substr(at, indent) + kPragma + (returns ? "\r\n" : "\n");
    }
    made += text.substr(at, end - at);
    at = end;
  }
  if (!lines.empty()) return fail("'" + file + "' has changed while it was read");
  return made;
}

/// Of what is in front of a declaration on its line.
bool is_blank_before(const std::string &text, const SourcePlace &place) {
  std::size_t begin = 0;
  for (int line = 1; line < place.line; ++line) begin = text.find('\n', begin) + 1;
  return trim(text.substr(begin, static_cast<std::size_t>(place.column - 1))).empty();
}

Result<void> write(const fs::path &file, const std::string &text) {
  std::error_code failed;
  const auto real = fs::canonical(file, failed);
  if (failed) return fail("cannot write '" + file.string() + "': " + failed.message());
  const auto permissions = fs::status(real, failed).permissions();
  CUPILOT_CHECKED(write_file_atomic(real, text));
  fs::permissions(real, permissions, failed);
  return {};
}

}  // namespace

Result<std::vector<SourceEdit>> add_pragmas(const std::vector<spec::Definition> &definitions) {
  std::map<std::string, std::vector<const spec::Definition *>> files;
  for (const auto &definition : definitions) files[definition.beginning.file].push_back(&definition);
  std::vector<SourceEdit> edits;
  for (const auto &[file, inside] : files) {
    CUPILOT_TRY(text, read_file(file));
    std::set<int> lines;
    for (const auto *definition : inside) {
      if (!is_blank_before(text, definition->beginning))
        return user_error(file + ":" + std::to_string(definition->beginning.line) + ": the definition of '" +
                          definition->name + "' does not begin its line; give it a line of its own");
      lines.insert(definition->beginning.line);
    }
    CUPILOT_TRY(after, with_pragmas(text, file, lines));
    edits.push_back({file, std::move(text), std::move(after)});
  }
  return edits;
}

Result<void> write_edits(const std::vector<SourceEdit> &edits) {
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const auto written = write(edits[i].file, edits[i].after);
    if (written) continue;
    for (std::size_t before = 0; before < i; ++before) (void)write(edits[before].file, edits[before].before);
    return std::unexpected(written.error());
  }
  return {};
}

}  // namespace cupilot::cli::project
