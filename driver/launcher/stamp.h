// SPDX-License-Identifier: Apache-2.0
//
// Every translation unit with a pragma has a stamp: a file that lists the records that concern the unit. The
// depfile of the unit's object names the stamp. A new record cannot be in any depfile, so cupilot_tune() has
// CMake look for new record files at every build; `cupilot-cc --refresh` then rewrites only the stamps whose
// list changed.

#pragma once

#include <filesystem>
#include <string>

#include "driver/launcher/plan.h"

namespace cupilot::launcher {

/// The folder for the files of one translation unit: below the cache, one for each object.
std::filesystem::path unit_folder(const CompileJob &job, const Settings &settings);
std::filesystem::path stamp_path(const std::filesystem::path &unit_folder);

std::string stamp_text(const Unit &unit, const std::vector<std::filesystem::path> &records);

/// Brings every stamp below the cache up to date.
Result<void> refresh_stamps(const Settings &settings);

}  // namespace cupilot::launcher
