// SPDX-License-Identifier: Apache-2.0
//
// Prints a verb's output on stdout, and defines the JSON forms that several verbs share.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "annotate/support/diagnostic.h"
#include "driver/cli/project/project.h"
#include "driver/cli/records/record_view.h"

namespace cupilot::cli {

using Json = nlohmann::ordered_json;

/// Writes the whole text to stdout; returns an error when that fails (disk full, closed pipe).
Result<void> print(const std::string &text);
Result<void> print(const Json &json);

Json json_of(const SourcePlace &place);
Json json_of(const Diagnostic &diagnostic);
/// Name, place, ids and architectures.
Json json_of(const ProjectKernel &kernel);
Json json_of(const RecordView &view);
Json json_of(const Measurement &measurement);
Json json_of(const Estimate &estimate);

/// "norm.cu:12"; the path is relative to the record root for files below it.
std::string short_place(const ProjectKernel &kernel);

}  // namespace cupilot::cli
