// SPDX-License-Identifier: Apache-2.0
//
// The verbs of cupilot-annotate that read source. `scan` prints specs and diagnostics as JSON lines;
// `identify` prints kernel ids as plain lines, for the launcher. Both write to stdout and return the exit
// code.

#pragma once

#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::annotate {

/// The command line of both verbs.
struct CommandLine {
  std::string root;                  ///< --root, absolute
  std::string records;               ///< --records, absolute: workloads in files are read from it
  std::string build;                 ///< --build, empty when a compiler command is given
  unsigned jobs = 0;                 ///< --jobs, 0: as many as the machine has cores
  std::vector<std::string> kernels;  ///< --kernel: only these are analysed; none: all
  bool analyse = true;               ///< --no-analysis: no twin and no lifted form, which take a parse each
  bool every = false;                ///< --every-kernel: those without a directive, too
  std::vector<std::string> files;    ///< absolute
  std::vector<std::string> command;  ///< after --
};

Result<int> scan(const CommandLine &arguments);
Result<int> identify(const CommandLine &arguments);

}  // namespace cupilot::annotate
