// SPDX-License-Identifier: Apache-2.0
//
// The files compiled instead of the user's source: the wrapper (relabel.cuh, the source by its absolute path,
// the epilogue), the epilogue (dispatch.cuh, one namespace per variant, the table) and one slot file per
// variant.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/launcher/plan.h"

namespace cupilot::launcher {

struct WrapperTexts {
  std::string wrapper, epilogue;
  std::vector<std::string> slots;
};

/// `folder` is where the files will lie.
WrapperTexts wrapper_texts(const std::filesystem::path &source, const std::vector<Swap> &swaps,
                           const std::filesystem::path &support, const std::filesystem::path &folder);

/// Writes what changed. The wrapper keeps the source's name, for default output names and the names of
/// internal symbols follow it; its path is returned.
Result<std::filesystem::path> write_wrapper(const std::filesystem::path &source, const WrapperTexts &texts,
                                            const std::filesystem::path &folder);

}  // namespace cupilot::launcher
