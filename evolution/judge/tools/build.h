// SPDX-License-Identifier: Apache-2.0
//
// Compiles entry.cu to entry.so with nvcc and reads ptxas' report of registers and spills.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/launches/host_code.h"
#include "evolution/judge/launches/session.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::tools {

/// Parses the output of `-Xptxas -v`; ignores all other lines.
std::vector<launches::KernelResources> parse_ptxas(const std::string &log);

/// The log's warnings and errors, without ptxas' information lines.
std::string compiler_talk(const std::string &log);

struct Built {
  bool ok = false;
  bool timed_out = false;
  std::filesystem::path library;
  model::BuildReport report;  ///< log and seconds; add_resources() fills in the rest
  std::vector<launches::KernelResources> kernels;
  /// Of a candidate: its host side, built once more so that the recorder sees what it executes.
  struct TracedHost {
    std::filesystem::path library;  ///< empty: there is none, and code.unknown says why
    launches::HostCode code;
  } host;
  std::string code;  ///< PTX of its kernels, else SASS; empty: not available on this machine
};

/// How the entries of one bundle are built.
struct Recipe {
  const model::Bundle &bundle;
  std::filesystem::path bundle_folder;
  std::vector<std::string> options;  ///< Engine::build_options for the bundle's architecture
  bool traced = false;               ///< candidates get a second library, see traced_host.h
};

/// Compiles `folder`/entry.cu to `folder`/entry.so. It is an error only if nvcc cannot be started.
Result<Built> build_entry(const Recipe &recipe, const std::filesystem::path &folder);

/// Adds the largest resource use of one of `kernels` to the report. The original's kernels, which a
/// candidate's entry contains too, are left out, unless there are no others.
void add_resources(model::BuildReport &report, const std::vector<launches::KernelResources> &kernels,
                   const std::vector<launches::KernelResources> &originals);

/// The compiler that builds entries.
std::string nvcc_program();

std::vector<std::string> build_command(const Recipe &recipe, const std::filesystem::path &folder);

}  // namespace cupilot::judge::tools
