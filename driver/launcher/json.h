// SPDX-License-Identifier: Apache-2.0
//
// The launcher's one wrapper around the JSON library: its exceptions end here. Members that are not there
// read as null, so record_reader.h decides what a record with more or fewer members than expected is worth.

#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "annotate/support/result.h"

namespace cupilot::launcher {

using Json = nlohmann::ordered_json;

/// The whole document. Nesting deeper than 64 levels and an object that has a member twice are errors.
Result<Json> parse_json(std::string_view text);

/// The member `name` of an object; null when there is none, or when `json` is something else.
const Json &member(const Json &json, std::string_view name);

/// `json` when it is an array, else an empty array.
const Json &elements(const Json &json);

}  // namespace cupilot::launcher
