// SPDX-License-Identifier: Apache-2.0

#include "annotate/arguments.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace cupilot {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string &path) {
  std::error_code ignored;
  std::string text = fs::absolute(path, ignored).lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Result<void> set_option(const std::string &name, const std::string &value, CommandLine &arguments) {
  if (name == "--root") arguments.root = absolute(value);
  if (name == "--build") arguments.build = absolute(value);
  if (name != "--jobs") return {};
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), arguments.jobs);
  if (code != std::errc{} || end != value.data() + value.size() || arguments.jobs == 0)
    return user_error("--jobs needs a positive number, not '" + value + "'");
  return {};
}

}  // namespace

Result<CommandLine> parse_arguments(const std::vector<std::string> &words) {
  CommandLine arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word == "--") {
      arguments.command.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    const bool option = word == "--root" || word == "--build" || word == "--jobs";
    if (option && i + 1 == words.size()) return user_error("option '" + word + "' requires a value");
    if (option) {
      CUPILOT_CHECKED(set_option(word, words[++i], arguments));
    } else if (word.starts_with('-')) {
      return user_error("unknown option '" + word + "'");
    } else {
      arguments.files.push_back(absolute(word));
    }
  }
  if (arguments.root.empty()) return user_error("--root DIR is missing");
  if (arguments.build.empty() == arguments.command.empty())
    return user_error("give either --build BUILD_DIR or files and '-- COMPILER ARGS...'");
  if (arguments.build.empty() && arguments.files.empty()) return user_error("no source file before '--'");
  return arguments;
}

}  // namespace cupilot
