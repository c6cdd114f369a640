// SPDX-License-Identifier: Apache-2.0
//
// entry.cu to entry.so with nvcc, and what ptxas said of registers and spills.

#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot {

struct KernelResources {
  std::string symbol;
  int registers = 0, spill_bytes = 0, shared_bytes = 0;
};
/// From `-Xptxas -v`; ignores every other line.
std::vector<KernelResources> parse_ptxas(const std::string &log);

/// What is left for a person: warnings and errors, without ptxas' information.
std::string compiler_talk(const std::string &log);

struct Built {
  bool ok = false;
  bool timed_out = false;
  std::filesystem::path library;
  BuildReport report;  ///< of the kernels not in `ignore`; of all when that leaves none
  std::set<std::string> symbols;
};

/// `folder` has entry.cu and gets entry.so. `ignore`: symbols of the original's kernels, which a candidate's
/// entry contains too. An error only when nvcc cannot be started.
Result<Built> build_entry(const Bundle &bundle, const std::filesystem::path &bundle_folder,
                          const std::filesystem::path &folder, const std::set<std::string> &ignore);

std::vector<std::string> build_command(const Bundle &bundle, const std::filesystem::path &bundle_folder,
                                       const std::filesystem::path &folder);

}  // namespace cupilot
