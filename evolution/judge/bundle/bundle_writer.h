// SPDX-License-Identifier: Apache-2.0
//
// Writes a bundle folder (layout and entry ABI: evolution/model/bundle.h). `bundle.json` is written last: a
// folder without it is not a bundle, whatever interrupted the writing.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"
#include "evolution/model/individual.h"

namespace cupilot {

struct BundleContent {
  std::string id;            ///< unique in a run
  std::string architecture;  ///< "sm_90"
  KernelSpec spec;
  std::vector<Case> cases;  ///< from make_cases
  std::vector<Individual> individuals;
  JudgeRequest request;
  std::vector<std::string> waived;  ///< Bundle::waived
};

/// Writes into `folder`, which may exist: files are replaced, verdicts of candidates whose variant is
/// unchanged stay.
Result<Bundle> write_bundle(const std::filesystem::path &folder, const BundleContent &content);

Result<Bundle> read_bundle(const std::filesystem::path &folder);

/// The user's options as the worker passes them to nvcc: include paths absolute, nothing that turns warnings
/// into errors (the entry's own code is not the user's).
std::vector<std::string> bundle_flags(const CompileCommand &command);

std::filesystem::path verdict_path(const std::filesystem::path &bundle, const std::string &candidate);

}  // namespace cupilot
