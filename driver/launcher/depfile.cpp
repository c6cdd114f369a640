// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/depfile.h"

#include <unordered_set>

#include "annotate/support/text.h"

namespace cupilot::launcher {
namespace {

/// The words of the first rule, with their escapes: `a.o: b\ c.cu \<newline> d.h`.
std::vector<std::string> rule_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
      end_word();
      while (i + 1 < text.size() && (text[i + 1] == '\r' || text[i + 1] == '\n') && text[i] != '\n') ++i;
    } else if (c == '\\' && i + 1 < text.size()) {
      word += c;
      word += text[++i];
    } else if (c == '\n') {
      end_word();
      if (!words.empty()) return words;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return words;
}

std::string escape(const std::filesystem::path &path) {
  return replace_all(replace_all(replace_all(path.string(), " ", "\\ "), "#", "\\#"), "$", "$$");
}

}  // namespace

std::string edit_depfile(std::string_view depfile, const std::filesystem::path &source,
                         const std::filesystem::path &folder,
                         const std::vector<std::filesystem::path> &added) {
  auto words = rule_words(depfile);
  std::size_t first = 0;  // behind the colon, which may stand alone or end the target
  while (first < words.size() && !words[first].ends_with(':')) ++first;
  if (first == words.size()) return {};
  std::string text;
  for (std::size_t i = 0; i <= first; ++i) text += (i ? " " : "") + words[i];

  std::unordered_set<std::string> written;
  const auto add = [&](const std::string &word) {
    if (written.insert(word).second) text += " \\\n  " + word;
  };
  add(escape(source));
  const std::string dropped = escape(folder) + "/";
  for (std::size_t i = first + 1; i < words.size(); ++i)
    if (!words[i].starts_with(dropped)) add(words[i]);
  for (const auto &path : added) add(escape(path));
  return text + "\n";
}

}  // namespace cupilot::launcher
