// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/answer_parts.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>

#include "annotate/support/text.h"
#include "evolution/role/characters.h"

namespace cupilot::role {
namespace {

constexpr std::array<std::string_view, 4> kCodeWords{"cuda", "cpp", "c++", "cu"};
constexpr std::size_t kShortestFence = 3;

/// Number of backticks at the start of a line, after blanks; 0: the line is not a fence.
std::size_t fence_of(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return 0;
  const auto end = std::min(line.find_first_not_of('`', begin), line.size());
  return end - begin >= kShortestFence ? end - begin : 0;
}

/// The language of a fence: "cuda" for "```CUDA title=x".
std::string language_of(std::string_view line) {
  line = trim(line);
  line.remove_prefix(std::min(line.find_first_not_of('`'), line.size()));
  line = trim(line);
  std::string word(line.substr(0, line.find_first_of(" \t")));
  std::ranges::transform(word, word.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

class Lines {
public:
  explicit Lines(std::string_view text) : text_(text) {}
  bool next(std::string_view &line) {
    if (at_ >= text_.size()) return false;
    const auto end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = end + 1;
    ++number_;
    return true;
  }
  int number() const { return number_; }  ///< number of the last line read, from 1

private:
  std::string_view text_;
  std::size_t at_ = 0;
  int number_ = 0;
};

/// The text up to the fence that ends the block; the first line was read already.
Result<std::string> block(Lines &lines, std::size_t fence, const std::string &name) {
  const int begin = lines.number();
  std::string content;
  for (std::string_view line; lines.next(line);) {
    if (fence_of(line) >= fence && language_of(line).empty()) return content;
    content += line;
    content += '\n';
  }
  return fail(fmt::format(
      "the block {} that begins in line {} of the answer does not end: was the answer cut off? End "
      "it with a line of ```",
      name, begin));
}

Result<AnswerParts> fenced_parts(std::string_view answer) {
  AnswerParts parts;
  bool has_json = false;
  Lines lines(answer);
  for (std::string_view line; lines.next(line);) {
    const std::size_t fence = fence_of(line);
    if (fence == 0) continue;
    const auto language = language_of(line);
    const bool json = language == "json";
    const bool code = std::ranges::find(kCodeWords, language) != kCodeWords.end();
    CUPILOT_TRY(content, block(lines, fence, json ? "```json" : code ? "```cuda" : "```"));
    if (json && has_json) return fail("there are two blocks ```json where one is asked for");
    if (code && parts.code)
      return fail("there are two blocks ```cuda where one is asked for, with the whole variant");
    if (json)
      parts.json = std::move(content), has_json = true;
    else if (code)
      parts.code = std::move(content);
  }
  if (!has_json) return fail("there is no block ```json with the object that was asked for");
  return parts;
}

/// A variant is plain text; any other character in it could only serve to hide something.
Result<void> check_code(std::string_view code) {
  if (trim(code).empty()) return fail("the block ```cuda is empty");
  if (code.size() > model::kMostVariantBytes)
    return fail(fmt::format("the block ```cuda has {} bytes, at most {} are allowed", code.size(),
                            model::kMostVariantBytes));
  int number = 0;
  for (const std::string &line : split_lines(code)) {
    const std::string where = fmt::format("line {} of the block ```cuda ", ++number);
    const auto points = code_points(line);
    if (!points) return fail(where + "is not UTF-8");
    if (std::ranges::any_of(*points, is_control)) return fail(where + "has a control character");
  }
  return {};
}

}  // namespace

Result<AnswerParts> answer_parts(std::string_view answer) {
  if (answer.size() > kMostAnswerBytes)
    return fail(fmt::format("the answer has {} bytes, at most {} are read", answer.size(), kMostAnswerBytes));
  const auto text = trim(answer);
  if (text.empty()) return fail("the answer is empty where a block ```json is asked for");
  if (text.starts_with('{') && text.ends_with('}')) return AnswerParts{std::string(text), std::nullopt};
  CUPILOT_TRY(parts, fenced_parts(text));
  if (parts.code) CUPILOT_CHECKED(check_code(*parts.code));
  return parts;
}

}  // namespace cupilot::role
