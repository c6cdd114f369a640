// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/answer_json.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

#include "annotate/support/text.h"
#include "evolution/role/characters.h"

namespace cupilot::role {
namespace {

using Value = AnswerObject::Value;
using Event = Value::parse_event_t;

constexpr int kDeepest = 8;
constexpr std::size_t kMostShown = 200;  ///< longest quotation of a message of the JSON library
constexpr std::size_t kMostJsonBytes = 256 << 10;

/// Checks each token for depth and repeated names. The library keeps the last of two members with one name;
/// here both are an error.
class Watch {
public:
  bool operator()(int depth, Event event, Value &token) {
    if (!problem_.empty()) return false;
    if (depth > kDeepest) problem_ = fmt::format("it is nested more than {} deep", kDeepest);
    if (event == Event::object_start) names_.emplace_back();
    if (event == Event::object_end && !names_.empty()) names_.pop_back();
    if (event == Event::key && !names_.empty() && !names_.back().insert(token.get<std::string>()).second)
      problem_ = fmt::format("the member '{}' comes twice", token.get<std::string>().substr(0, kMostTitle));
    return problem_.empty();
  }
  const std::string &problem() const { return problem_; }

private:
  std::vector<std::set<std::string>> names_;
  std::string problem_;
};

/// Shortens "[json.exception.parse_error.101] parse error at ..." to "parse error at line 3, column 5: ...".
std::string said_by_library(const std::string &what) {
  const auto end = what.find("] ");
  const std::string text = end == std::string::npos ? what : what.substr(end + 2);
  return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "...";
}

Result<Value> parsed(std::string_view text) {
  Watch watch;
  try {
    Value value = Value::parse(text, std::ref(watch));
    if (!watch.problem().empty()) return fail("the answer's JSON cannot be used: " + watch.problem());
    return value;
  } catch (const std::exception &problem) {
    if (!watch.problem().empty()) return fail("the answer's JSON cannot be used: " + watch.problem());
    return fail("damaged JSON: " + said_by_library(problem.what()));
  }
}

/// The parser accepts only valid UTF-8.
std::u32string characters(std::string_view text) {
  return code_points(text).value_or(U"");
}

std::string blanks_for_ends(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return std::string(trim(text));
}

std::string quoted(std::string_view name) {
  return fmt::format("'{}'", name);
}

}  // namespace

Result<Value> parse_answer_json(std::string_view text) {
  if (text.size() > kMostJsonBytes)
    return fail(
        fmt::format("the answer's JSON has {} bytes, at most {} are read", text.size(), kMostJsonBytes));
  CUPILOT_TRY(value, parsed(text));
  if (!value.is_object()) return fail("the answer's JSON is no object");
  const auto version = value.find("cupilot_answer");
  if (version == value.end()) return fail("the answer's JSON has no member 'cupilot_answer'");
  if (*version != 1) return fail("'cupilot_answer' is not 1");
  return value;
}

Result<AnswerObject> AnswerObject::of(const Value &value, std::string where) {
  if (!value.is_object()) return fail(where + "it is no object");
  return AnswerObject(value, std::move(where));
}

Result<void> AnswerObject::only(std::initializer_list<std::string_view> names) const {
  for (const auto &[name, value] : value_->items())
    if (std::ranges::find(names, std::string_view(name)) == names.end())
      return bad(fmt::format("the member '{}' was not asked for", name.substr(0, kMostTitle)));
  return {};
}

Result<std::string> AnswerObject::one_line(const Value &value, const std::string &name,
                                           std::size_t most) const {
  if (!value.is_string()) return bad(name + " is no text");
  const std::string text = blanks_for_ends(value.get<std::string>());
  const std::u32string points = characters(text);
  if (points.size() > most)
    return bad(fmt::format("{} has {} characters, at most {} are allowed", name, points.size(), most));
  if (std::ranges::any_of(points, is_control)) return bad(name + " has a control character");
  return text;
}

Result<std::string> AnswerObject::optional_words(const char *name, std::size_t most) const {
  const auto found = value_->find(name);
  if (found == value_->end()) return "";
  return one_line(*found, quoted(name), most);
}

Result<std::string> AnswerObject::words(const char *name, std::size_t most) const {
  if (!has(name)) return bad(fmt::format("the member '{}' is missing", name));
  CUPILOT_TRY(text, optional_words(name, most));
  if (text.empty()) return bad(quoted(name) + " is empty");
  return text;
}

Result<std::vector<std::string>> AnswerObject::list(const char *name, std::size_t least,
                                                    std::size_t most_items, std::size_t most) const {
  std::vector<std::string> items;
  const auto found = value_->find(name);
  if (found != value_->end() && !found->is_array()) return bad(quoted(name) + " is no list");
  const std::size_t count = found == value_->end() ? 0 : found->size();
  if (count < least || count > most_items)
    return bad(fmt::format("'{}' has {} items, expected {} to {}", name, count, least, most_items));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string called = fmt::format("item {} of '{}'", i + 1, name);
    CUPILOT_TRY(item, one_line((*found)[i], called, most));
    if (item.empty()) return bad(called + " is empty");
    items.push_back(std::move(item));
  }
  return items;
}

Result<std::string> AnswerObject::text(const char *name, std::size_t most_bytes) const {
  const auto found = value_->find(name);
  if (found == value_->end()) return bad(fmt::format("the member '{}' is missing", name));
  if (!found->is_string()) return bad(quoted(name) + " is no text");
  const std::string text = replace_all(found->get<std::string>(), "\r\n", "\n");
  if (text.size() > most_bytes)
    return bad(fmt::format("'{}' has {} bytes, at most {} are allowed", name, text.size(), most_bytes));
  if (std::ranges::any_of(characters(text), is_control))
    return bad(quoted(name) + " has a control character");
  return text;
}

Result<std::string> AnswerObject::prose(const char *name, std::size_t most) const {
  CUPILOT_TRY(whole, text(name, kMostAnswerBytes));
  const std::string words(trim(whole));
  if (words.empty()) return bad(quoted(name) + " is empty");
  const std::size_t count = characters(words).size();
  if (count > most)
    return bad(fmt::format("'{}' has {} characters, at most {} are allowed", name, count, most));
  return words;
}

Result<double> AnswerObject::number(const char *name, double low, double high) const {
  const auto found = value_->find(name);
  if (found == value_->end()) return bad(fmt::format("the member '{}' is missing", name));
  if (!found->is_number()) return bad(quoted(name) + " is no number");
  const double number = found->get<double>();
  if (!std::isfinite(number) || number < low || number > high) {
    const auto shown = [](double limit) { return Value(limit).dump(); };
    return bad(fmt::format("'{}' is out of range: expected {} to {}", name, shown(low), shown(high)));
  }
  return number;
}

Result<int> AnswerObject::integer(const char *name, int low, int high) const {
  const auto found = value_->find(name);
  if (found == value_->end()) return bad(fmt::format("the member '{}' is missing", name));
  const bool fits = found->is_number_integer() && *found >= low && *found <= high;
  if (!fits) return bad(fmt::format("'{}' is no whole number from {} to {}", name, low, high));
  return found->get<int>();
}

Result<std::vector<AnswerObject>> AnswerObject::objects(const char *name, const std::string &noun,
                                                        std::size_t least, std::size_t most) const {
  const auto found = value_->find(name);
  if (found == value_->end()) return bad(fmt::format("the member '{}' is missing", name));
  if (!found->is_array()) return bad(quoted(name) + " is no list");
  if (found->size() < least || found->size() > most)
    return bad(fmt::format("'{}' has {} items, expected {} to {}", name, found->size(), least, most));
  std::vector<AnswerObject> objects;
  for (std::size_t i = 0; i < found->size(); ++i) {
    CUPILOT_TRY(object, of((*found)[i], fmt::format("{}{} {}: ", where_, noun, i + 1)));
    objects.push_back(std::move(object));
  }
  return objects;
}

}  // namespace cupilot::role
