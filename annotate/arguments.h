// SPDX-License-Identifier: Apache-2.0
//
// The command line of `cupilot-annotate scan` and `identify`.

#pragma once

#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

struct CommandLine {
  std::string root;                  ///< --root, absolute
  std::string build;                 ///< --build, empty when a compiler command is given
  unsigned jobs = 0;                 ///< --jobs, 0: as many as the machine has cores
  std::vector<std::string> files;    ///< absolute
  std::vector<std::string> command;  ///< after --
};

/// The error says what is wrong with the command line; the caller adds the usage text.
Result<CommandLine> parse_arguments(const std::vector<std::string> &words);

}  // namespace cupilot
