// SPDX-License-Identifier: Apache-2.0
//
// The launcher's one wrapper around the JSON library: its exceptions end here. Members that are not there
// read as null, so record_reader.h decides what a record with more or fewer members than expected is worth.

#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "annotate/support/result.h"

namespace cupilot::launcher {

using Json = nlohmann::json;

/// Only the members of the outermost object that are in `needed` are kept; all of them when it is empty.
/// Nesting deeper than 64 levels is an error, and so is a kept object that has a member twice.
Result<Json> parse_json(std::string_view text, std::span<const std::string_view> needed = {});

/// The member `name` of an object; null when there is none, or when `json` is something else.
const Json &member(const Json &json, std::string_view name);

/// `json` when it is an array, else an empty array.
const Json &elements(const Json &json);

}  // namespace cupilot::launcher
