// SPDX-License-Identifier: Apache-2.0
//
// Follows `#include` lines through the user's folders without a preprocessor. Most sources have no directive
// and then need no parse.

#include <filesystem>
#include <set>

#include "annotate/extract/extract.h"
#include "annotate/support/files.h"
#include "annotate/support/text.h"

namespace cupilot::extract {
namespace {

namespace fs = std::filesystem;

bool mentions_directive(std::string_view text, Purpose purpose) {
  if (purpose == Purpose::every_kernel && text.find("__global__") != std::string_view::npos) return true;
  if (text.find("CUPILOT_PRAGMA") != std::string_view::npos) return true;
  for (std::size_t at = text.find("cupilot"); at != std::string_view::npos;
       at = text.find("cupilot", at + 1)) {
    const std::string_view before = trim(text.substr(0, at));
    // `#pragma cupilot` or `_Pragma("cupilot`, which may contain a line continuation
    if (before.ends_with("pragma") || before.ends_with("pragma \\") || before.ends_with("(\"") ||
        before.ends_with("\\"))
      return true;
  }
  return false;
}

std::vector<std::string> included_names(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find("include"); at != std::string_view::npos;
       at = text.find("include", at + 1)) {
    const std::string_view rest = trim(text.substr(at + 7, 512));
    if (rest.empty() || (rest[0] != '"' && rest[0] != '<')) continue;
    const std::size_t end = rest.find(rest[0] == '<' ? '>' : '"', 1);
    if (end != std::string_view::npos) names.emplace_back(rest.substr(1, end - 1));
  }
  return names;
}

class Search {
public:
  Search(const CompileEntry &entry, Purpose purpose)
      : folders_(user_include_folders(entry)), cuda_(cuda_root(entry) + "/"), purpose_(purpose) {}

  bool follow(const fs::path &path) {
    const fs::path normal = path.lexically_normal();
    if (normal.string().starts_with(cuda_) || !seen_.insert(normal).second) return false;
    const auto text = read_file(normal);
    if (!text) return false;
    if (mentions_directive(*text, purpose_)) return true;
    for (const std::string &name : included_names(*text))
      if (includes(normal.parent_path(), name)) return true;
    return false;
  }

private:
  bool includes(const fs::path &folder, const std::string &name) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / name, ignored)) return follow(folder / name);
    for (const std::string &other : folders_)
      if (fs::is_regular_file(fs::path(other) / name, ignored)) return follow(fs::path(other) / name);
    return false;
  }

  std::vector<std::string> folders_;
  std::string cuda_;
  Purpose purpose_;
  std::set<fs::path> seen_;
};

}  // namespace

Result<bool> may_have_directives(const CompileEntry &entry, Purpose purpose) {
  if (const auto source = read_file(entry.command.source); !source) return std::unexpected(source.error());
  Search search(entry, purpose);
  if (search.follow(entry.command.source)) return true;
  for (const std::string &header : entry.effective.values(cupilot::OptionRole::pre_include))
    if (search.follow(fs::path(entry.command.folder) / header)) return true;
  return false;
}

}  // namespace cupilot::extract
