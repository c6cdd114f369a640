// SPDX-License-Identifier: Apache-2.0
//
// Makes the files that are compiled instead of the user's source. The wrapper includes relabel.cuh, the
// source by its absolute path, and the epilogue. The epilogue has dispatch.cuh, a namespace for each variant
// and the table of variants. Each variant has a slot file of its own.

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

/// `folder` is where the files will be written.
WrapperTexts wrapper_texts(const std::filesystem::path &source, const std::vector<Swap> &swaps,
                           const std::filesystem::path &support, const std::filesystem::path &folder);

/// Writes the files that changed and returns the wrapper's path. The wrapper has the source's file name,
/// because nvcc derives default output names and the names of internal symbols from it.
Result<std::filesystem::path> write_wrapper(const std::filesystem::path &source, const WrapperTexts &texts,
                                            const std::filesystem::path &folder);

}  // namespace cupilot::launcher
