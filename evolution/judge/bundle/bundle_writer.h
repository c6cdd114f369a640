// SPDX-License-Identifier: Apache-2.0
//
// Writes a bundle folder (layout and entry ABI: evolution/model/bundle.h). `bundle.json` is written last, so
// a folder whose writing was interrupted is not a bundle.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"
#include "evolution/model/individual.h"

namespace cupilot::judge::bundle {

struct BundleContent {
  std::string id;            ///< unique in a run
  std::string architecture;  ///< "sm_90"
  spec::KernelSpec spec;
  std::vector<model::Case> cases;  ///< from make_cases
  std::vector<model::Individual> individuals{};
  model::JudgeRequest request;
  std::vector<std::string> waived;  ///< Bundle::waived
};

/// Writes into `folder`, which may exist. Files are replaced. Verdicts stay if the candidate's variant and
/// what the bundle asks are unchanged.
Result<model::Bundle> write_bundle(const std::filesystem::path &folder, const BundleContent &content);

Result<model::Bundle> read_bundle(const std::filesystem::path &folder);

/// The user's options as the worker passes them to nvcc: include paths become absolute, and options that turn
/// warnings into errors are removed, since the user did not write the entry's code.
std::vector<std::string> bundle_flags(const spec::CompileCommand &command);

std::filesystem::path verdict_path(const std::filesystem::path &bundle, const std::string &candidate);

}  // namespace cupilot::judge::bundle
