// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/short_paths.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cupilot::judge::tools {

namespace {

namespace fs = std::filesystem;

/// Folders that are the same for every user.
constexpr std::array<std::string_view, 9> kSameForAll{"/usr",   "/bin", "/sbin", "/lib", "/lib32",
                                                      "/lib64", "/etc", "/dev",  "/proc"};
constexpr std::string_view kEnds = " \t\r\n\"'`()[]{}<>|:;,=*?";

/// Whether a path ends after `size` bytes of `text`: "/a/b" does not begin "/a/bc".
bool ends_at(std::string_view text, std::size_t size) {
  return size == text.size() || text[size] == '/' || kEnds.contains(text[size]);
}

bool is_below(std::string_view path, std::string_view folder) {
  return folder.size() > 1 && path.starts_with(folder) && ends_at(path, folder.size());
}

/// A path may follow "-I"; "a/b" and "//" begin none.
bool begins_here(std::string_view text, std::size_t at) {
  if (text[at] != '/' || text.substr(at, 2) == "//") return false;  // a comment in a quoted line
  if (at == 0) return true;
  const auto before = static_cast<unsigned char>(text[at - 1]);
  const bool option = at >= 2 && text[at - 2] == '-' && (before == 'I' || before == 'L');
  return option ||
         !(std::isalnum(before) || before == '_' || before == '.' || before == '/' || before == '>');
}

/// What is left of a path without a name of its own.
std::string file_name(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const bool is_folder = std::ranges::count(path, '/') < 3;  // "/home/name"
  std::error_code none;
  if (is_folder && fs::is_directory(path, none)) return "<folder>";
  return std::string(path.substr(path.rfind('/') + 1));
}

bool is_real(std::string_view path) {
  const auto end = path.find('/', 1);
  std::error_code none;
  return end != std::string_view::npos && fs::is_directory(path.substr(0, end), none);
}

}  // namespace

std::string short_paths(std::string_view log, const std::vector<NamedFolder> &folders) {
  std::string text;
  for (std::size_t at = 0; at < log.size();) {
    const std::string_view rest = log.substr(at);
    if (!begins_here(log, at)) {
      text += log[at++];
      continue;
    }
    const auto named = std::ranges::find_if(
        folders, [&](const NamedFolder &one) { return is_below(rest, one.folder.native()); });
    if (named != folders.end()) {
      text += named->name;
      at += named->folder.native().size();
      // The rest of the path stays as it is.
      const auto end = std::min(log.find_first_of(kEnds, at), log.size());
      text += log.substr(at, end - at);
      at = end;
      continue;
    }
    const std::string_view path = rest.substr(0, rest.find_first_of(kEnds));
    const bool system = std::ranges::any_of(kSameForAll, [&](auto folder) { return is_below(path, folder); });
    text += system || !is_real(path) ? std::string(path) : file_name(path);
    at += path.size();
  }
  return text;
}

}  // namespace cupilot::judge::tools
