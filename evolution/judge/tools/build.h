// SPDX-License-Identifier: Apache-2.0
//
// entry.cu to entry.so with nvcc, and what ptxas said of registers and spills.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/session.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot {

/// From `-Xptxas -v`; ignores every other line.
std::vector<KernelResources> parse_ptxas(const std::string &log);

/// What is left for a person: warnings and errors, without ptxas' information.
std::string compiler_talk(const std::string &log);

struct Built {
  bool ok = false;
  bool timed_out = false;
  std::filesystem::path library;
  BuildReport report;  ///< log and seconds; the resources are add_resources()'
  std::vector<KernelResources> kernels;
  std::string code;  ///< PTX, else SASS, of its kernels; empty: this machine has no way to see it
};

/// How the entries of one bundle are built.
struct Recipe {
  const Bundle &bundle;
  std::filesystem::path bundle_folder;
  std::vector<std::string> options;  ///< Engine::build_options for the bundle's architecture
};

/// `folder` has entry.cu and gets entry.so. An error only when nvcc cannot be started.
Result<Built> build_entry(const Recipe &recipe, const std::filesystem::path &folder);

/// The most that one of `kernels` takes, without the original's, which a candidate's entry contains too; of
/// all when that leaves none.
void add_resources(BuildReport &report, const std::vector<KernelResources> &kernels,
                   const std::vector<KernelResources> &originals);

std::vector<std::string> build_command(const Recipe &recipe, const std::filesystem::path &folder);

}  // namespace cupilot
