// SPDX-License-Identifier: Apache-2.0
//
// From a judged winner to a record in `tuned/`, without harm to a record that is there already.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/cli/project.h"
#include "evolution/record/record.h"

namespace cupilot::cli {

struct Publication {
  enum class Kind { published, unchanged, kept_better, kept_measured } kind = Kind::published;
  std::filesystem::path folder;  ///< of the record that is there now
  double kept_speedup = 0;       ///< of a better record that stays
  bool estimate = false;         ///< what was published is one
  FinalistCheck swap;            ///< of what was published
};

struct Winner {
  const Individual &individual;
  const Verdict &verdict;
  const std::vector<Case> &cases;  ///< it was judged on
};

/// A record that says the same already stays as it is (no needless change to review); one that fits and was
/// measured clearly faster stays too. And whatever an estimate says, it never replaces a measurement: a
/// measured record stays, fitting or not.
Result<Publication> publish_winner(const ProjectKernel &kernel, const Winner &winner,
                                   const Provenance &provenance);

/// A path as a record's `command` has it: relative to the record root, so that it is right in any checkout.
std::string path_from_root(const ProjectKernel &kernel, const std::filesystem::path &path);

/// For people: "published /…/tuned/rms_norm/sm_90".
std::string describe(const Publication &publication);
const char *to_string(Publication::Kind kind);

}  // namespace cupilot::cli
