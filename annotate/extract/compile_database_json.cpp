// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "annotate/extract/compile_database.h"
#include "annotate/support/files.h"

namespace cupilot::extract {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string text_member(const json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> words_of(const json &object) {
  const auto arguments = object.find("arguments");
  if (arguments == object.end() || !arguments->is_array()) return split_words(text_member(object, "command"));
  std::vector<std::string> words;
  for (const json &word : *arguments)
    if (word.is_string()) words.push_back(word.get<std::string>());
  return words;
}

bool may_be_cuda(const std::string &source, const std::vector<std::string> &words) {
  if (fs::path(source).extension() == ".cu") return true;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "-x" && (words[i + 1] == "cu" || words[i + 1] == "cuda")) return true;
  return false;
}

}  // namespace

Result<std::vector<CompileEntry>> read_compile_database(const fs::path &build_folder) {
  const fs::path path = build_folder / "compile_commands.json";
  const std::string way_out = "; configure the project with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON";
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    return user_error(fmt::format("no compile_commands.json in {}{}", build_folder.string(), way_out));
  CUPILOT_TRY(text, read_file(path));
  const json commands = json::parse(text, nullptr, false);
  if (!commands.is_array())
    return user_error(fmt::format("{} is not a list of compile commands{}", path.string(), way_out));
  if (commands.empty())
    return user_error(fmt::format("{} contains no compile command{}", path.string(), way_out));
  std::vector<CompileEntry> entries;
  for (const json &command : commands) {
    const std::string folder = text_member(command, "directory"), source = text_member(command, "file");
    const auto words = words_of(command);
    if (source.empty() || words.empty())
      return user_error(
          fmt::format("{} has a command without 'file' or 'command'{}", path.string(), way_out));
    if (!may_be_cuda(source, words)) continue;
    if (!fs::exists(fs::path(folder) / source, ignored))
      return user_error(fmt::format("{} is stale: {} no longer exists; configure the build folder again",
                                    path.string(), (fs::path(folder) / source).lexically_normal().string()));
    auto entry = read_compile_command(words, folder, source);
    if (!entry) return within("reading " + path.string(), std::move(entry).error());
    if (entry->is_cuda) entries.push_back(std::move(*entry));
  }
  return entries;
}

}  // namespace cupilot::extract
