// SPDX-License-Identifier: Apache-2.0
//
// Reads a JSON object of a model strictly: each member has a type, a range and a maximal length, each name
// occurs once, and members that were not asked for are errors. Private to the *_json.cpp files of this
// folder.

#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/role/answer_parts.h"

namespace cupilot::role {

inline constexpr std::size_t kMostTitle = 120, kMostSentence = 600, kMostItems = 12;
inline constexpr double kLeastGain = 0.01, kMostGain = 1000;

/// One object of an answer. `where` is its name in error messages: "strategy 2: ".
class AnswerObject {
public:
  using Value = nlohmann::ordered_json;
  /// `value` must outlive the AnswerObject.
  static Result<AnswerObject> of(const Value &value, std::string where);

  bool has(const char *name) const { return value_->contains(name); }
  /// An error if there is a member that `names` does not list.
  Result<void> only(std::initializer_list<std::string_view> names) const;

  /// A text on one line, not empty, at most `most` characters; line breaks become blanks.
  Result<std::string> words(const char *name, std::size_t most) const;
  /// The same; "" if the member is absent or empty.
  Result<std::string> optional_words(const char *name, std::size_t most) const;
  /// A list of `least` to `most_items` such texts; an absent list is an empty one.
  Result<std::vector<std::string>> list(const char *name, std::size_t least, std::size_t most_items,
                                        std::size_t most) const;
  /// A text of any number of lines, not empty, at most `most` characters.
  Result<std::string> prose(const char *name, std::size_t most) const;
  /// A text of any number of lines, unchanged except for the line endings.
  Result<std::string> text(const char *name, std::size_t most_bytes) const;
  Result<double> number(const char *name, double low, double high) const;
  Result<int> integer(const char *name, int low, int high) const;
  /// `least` to `most` objects; in error messages they are called "<noun> <number>".
  Result<std::vector<AnswerObject>> objects(const char *name, const std::string &noun, std::size_t least,
                                            std::size_t most) const;

private:
  AnswerObject(const Value &value, std::string where) : value_(&value), where_(std::move(where)) {}
  std::unexpected<Error> bad(const std::string &what) const { return fail(where_ + what); }
  Result<std::string> one_line(const Value &value, const std::string &name, std::size_t most) const;

  const Value *value_;
  std::string where_;
};

/// Parses the text as an object that starts with {"cupilot_answer":1,...}.
Result<nlohmann::ordered_json> parse_answer_json(std::string_view text);

/// Parses an answer and returns `read(object, parts)`; an error also states the shape that was expected.
template <class T, class Read>
Result<T> read_answer(std::string_view answer, std::string_view shape, Read read) {
  const auto expecting = [&](Error error) {
    error.message += "; expected " + std::string(shape);
    return std::unexpected(std::move(error));
  };
  auto parts = answer_parts(answer);
  if (!parts) return expecting(parts.error());
  const auto json = parse_answer_json(parts->json);
  if (!json) return expecting(json.error());
  auto object = AnswerObject::of(*json, "");
  if (!object) return expecting(object.error());
  Result<T> result = read(*object, *parts);
  if (!result) return expecting(result.error());
  return result;
}

/// An error if an answer that should have no code contains a block of code.
inline Result<void> no_code(const AnswerParts &parts) {
  if (parts.code) return fail("there is a block ```cuda, and no code was asked for");
  return {};
}

}  // namespace cupilot::role
