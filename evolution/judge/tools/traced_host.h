// SPDX-License-Identifier: Apache-2.0
//
// Builds the host side of a candidate a second time, from what the first build has made of it: nvcc's host
// code behind its preprocessor and front end, so that nothing of the text can see which of the two it is in.
// This library is compiled without optimisation and calls the recorder (evolution/judge/recorder/tracing.h).
// It is only run to see what the host side executes; what is judged, screened and timed is the first one.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "evolution/judge/tools/build.h"

namespace cupilot::judge::tools {

/// Whether a folder of a bundle holds a variant.
bool is_candidate(const std::filesystem::path &folder);

/// Makes a compiler command leave its host code in `folder`.
void keep_host_code(std::vector<std::string> &command, const std::filesystem::path &folder);

/// After that command: builds the library and reads its code. `ok`: the command has succeeded.
Built::TracedHost traced_host(const Recipe &recipe, const std::filesystem::path &folder, bool ok);

/// The command that builds it. An error says why it cannot be built with these options.
Result<std::vector<std::string>> traced_command(const Recipe &recipe, const std::filesystem::path &folder);

}  // namespace cupilot::judge::tools
