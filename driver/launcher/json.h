// SPDX-License-Identifier: Apache-2.0
//
// JSON as far as the launcher reads records: whole documents into a tree, no third-party library. Members
// that are not there read as null, so a record with less or more than expected is judged by its reader, not
// here.

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::launcher {

class Json {
public:
  enum class Kind { null, boolean, number, string, array, object };

  static Result<Json> parse(std::string_view text);

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  /// The member `name` of an object; null for anything else.
  const Json &operator[](std::string_view name) const;
  /// Elements of an array; empty for anything else.
  const std::vector<Json> &elements() const { return elements_; }
  /// Members of an object, in the file's order.
  const std::vector<std::pair<std::string, Json>> &members() const { return members_; }
  const std::string &text() const { return text_; }  ///< of a string, or a number as written
  bool truth() const { return truth_; }

private:
  friend class JsonParser;
  Kind kind_ = Kind::null;
  bool truth_ = false;
  std::string text_;
  std::vector<Json> elements_;
  std::vector<std::pair<std::string, Json>> members_;
};

}  // namespace cupilot::launcher
