// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/pragmas.h"

#include <functional>
#include <map>

#include "annotate/support/files.h"
#include "annotate/support/text.h"

namespace cupilot::cli::project {
namespace {

namespace fs = std::filesystem;

constexpr const char *kPragma = "#pragma cupilot optimize";

/// npos: the text has fewer lines.
std::size_t begin_of_line(const std::string &text, int line) {
  std::size_t begin = 0;
  while (--line > 0 && begin != std::string::npos) {
    begin = text.find('\n', begin);
    if (begin != std::string::npos) ++begin;
  }
  return begin;
}

Result<void> add_pragma(std::string &text, const spec::Definition &definition) {
  const auto &[file, line, column] = definition.beginning;
  const auto begin = begin_of_line(text, line);
  if (begin >= text.size()) return fail("'" + file + "' has changed while it was read");
  const auto indent = text.substr(begin, static_cast<std::size_t>(column - 1));
  if (!trim(indent).empty())
    return user_error(file + ":" + std::to_string(line) + ": the definition of '" + definition.name +
                      "' does not begin its line; give it a line of its own");
  const auto newline = text.find('\n', begin);
  const bool returns = newline != std::string::npos && newline > begin && text[newline - 1] == '\r';
  text.insert(begin, indent + kPragma + (returns ? "\r\n" : "\n"));
  return {};
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
  // From the end of each file, so that the lines before stay where they are.
  std::map<std::string, std::map<int, const spec::Definition *, std::greater<>>> files;
  for (const auto &definition : definitions)
    files[definition.beginning.file].emplace(definition.beginning.line, &definition);
  std::vector<SourceEdit> edits;
  for (const auto &[file, inside] : files) {
    CUPILOT_TRY(text, read_file(file));
    SourceEdit edit{file, text, std::move(text)};
    for (const auto &[line, definition] : inside) CUPILOT_CHECKED(add_pragma(edit.after, *definition));
    edits.push_back(std::move(edit));
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
