// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/unwrappable.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>

#include "annotate/directive/source_lexer.h"
#include "annotate/support/text.h"

namespace cupilot::launcher {
namespace {

/// In any file: the wrapper adds one level, and it is the main file.
constexpr std::string_view kAboutTheMainFile[] = {"__INCLUDE_LEVEL__", "__BASE_FILE__"};
/// In the main file, which has no place in the list of folders until a wrapper includes it.
constexpr std::string_view kInTheSource[] = {"__has_include_next"};
/// In any file, if the command names the source otherwise than the wrapper does.
constexpr std::string_view kAboutTheName[] = {"__FILE__", "__builtin_FILE", "__builtin_source_location",
                                              "source_location", "assert"};

class Search {
public:
  explicit Search(const UserFile &file) : path_(file.path.string()), text_(file.content) {
    if (text_.contains("\\\n")) text_ = replace_all(std::move(text_), "\\\n", "");
  }

  /// The place of the first of the names that stands in the text, outside of comments.
  std::string names(std::span<const std::string_view> wanted) {
    if (std::ranges::none_of(wanted, [&](auto name) { return text_.contains(name); })) return {};
    lex();
    for (const auto &token : lexed_.tokens) {
      const auto word = std::string_view(text_).substr(token.begin, token.end - token.begin);
      if (token.identifier && std::ranges::find(wanted, word) != wanted.end())
        return at(token.begin) + " asks for " + std::string(word);
    }
    return {};
  }

  /// The place of a preprocessor line that means something else in a main file.
  std::string directives() {
    lex();
    for (const auto &line : lexed_.directives) {
      auto rest = std::string_view(text_).substr(line.begin, line.end - line.begin);
      rest.remove_prefix(std::min<std::size_t>(1, rest.size()));
      rest = trim(rest);
      const bool marker = !rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0]));
      if (line.keyword == "line" || marker) return at(line.begin) + " has a #line";
      if (line.keyword == "include_next") return at(line.begin) + " has an #include_next";
      if (line.keyword == "pragma" && rest.contains("system_header"))
        return at(line.begin) + " has a #pragma system_header";
    }
    return {};
  }

private:
  void lex() {
    if (lexed_.tokens.empty() && lexed_.directives.empty()) lexed_ = directive::lex_source(text_);
  }
  std::string at(unsigned offset) const {
    return path_ + ":" + std::to_string(directive::LineIndex(text_).line(offset));
  }

  std::string path_, text_;
  directive::RawTokens lexed_;
};

std::string in_options(const CompileJob &job) {
  for (const auto &option : job.macro_options)
    for (const auto name : kAboutTheMainFile)
      if (option.contains(name)) return "option '" + option + "' asks for " + std::string(name);
  return {};
}

}  // namespace

std::string unwrappable(const CompileJob &job, const std::vector<UserFile> &files) {
  constexpr const char *kWhy = ", which is another when tuned kernels are compiled in";
  if (auto found = in_options(job); !found.empty()) return found + kWhy;
  const bool named_alike =
      job.source_at >= job.command.size() || job.command[job.source_at] == job.source.string();
  for (const auto &file : files) {
    Search search(file);
    auto found = search.names(kAboutTheMainFile);
    if (found.empty() && !named_alike) found = search.names(kAboutTheName);
    if (found.empty() && file.path == job.source) found = search.names(kInTheSource);
    if (found.empty() && file.path == job.source) found = search.directives();
    if (!found.empty()) return found + kWhy;
  }
  return {};
}

}  // namespace cupilot::launcher
