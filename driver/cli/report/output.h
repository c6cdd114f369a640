// SPDX-License-Identifier: Apache-2.0
//
// Prints a verb's output on stdout. The JSON forms that several verbs share are in output_fields.h.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "annotate/support/diagnostic.h"
#include "driver/cli/project/project.h"
#include "driver/cli/records/record_view.h"

namespace cupilot::cli::report {

using Json = nlohmann::ordered_json;

/// Writes the whole text to stdout, as it may be printed on a terminal (printable() in
/// annotate/support/text.h); returns an error when that fails (disk full, closed pipe).
Result<void> print(const std::string &text);
Result<void> print(const Json &json);
/// For texts that programs read, such as JSON lines.
Result<void> print_exactly(const std::string &text);

/// "norm.cu:12"; the path is relative to the record root for files below it.
std::string short_place(const project::ProjectKernel &kernel);

}  // namespace cupilot::cli::report
