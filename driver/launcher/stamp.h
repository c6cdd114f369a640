// SPDX-License-Identifier: Apache-2.0
//
// One stamp a translation unit with a pragma, in the depfile of its object: it lists the records that concern
// the unit. A record that lands where none was cannot be in any depfile; cupilot_tune() therefore has CMake
// look for new record files at every build, and `cupilot-cc --refresh` then rewrites the stamps whose list
// changed, and only those.

#pragma once

#include <filesystem>
#include <string>

#include "driver/launcher/plan.h"

namespace cupilot::launcher {

/// The folder of a translation unit's files below the cache, one for each object.
std::filesystem::path unit_folder(const CompileJob &job, const Settings &settings);
std::filesystem::path stamp_path(const std::filesystem::path &unit_folder);

std::string stamp_text(const Unit &unit, const std::vector<std::filesystem::path> &records);

/// Brings every stamp below the cache up to date.
Result<void> refresh_stamps(const Settings &settings);

}  // namespace cupilot::launcher
