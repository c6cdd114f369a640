// SPDX-License-Identifier: Apache-2.0
//
// Publishes a judged winner as a record in `tuned/`. A better record that is already there is kept.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/cli/project/project.h"
#include "evolution/record/record.h"

namespace cupilot::cli::records {

struct Publication {
  enum class Kind { published, unchanged, kept_better, kept_measured } kind = Kind::published;
  std::filesystem::path folder;  ///< the folder of the record that is there now
  double kept_speedup = 0;       ///< the speed-up of a better record that is kept
  bool estimate = false;         ///< the published record was made from an estimate
  model::FinalistCheck swap;     ///< the swap check of the published record
};

struct Winner {
  const model::Individual &individual;
  const model::Verdict &verdict;
  const std::vector<model::Case> &cases;  ///< the cases it was judged on
};

/// A record with the same content is not rewritten, so there is no needless change to review. A record that
/// fits and was measured clearly faster is kept. An estimate never replaces a measurement: a measured record
/// is kept whether it fits or not.
Result<Publication> publish_winner(const project::ProjectKernel &kernel, const Winner &winner,
                                   const record::Provenance &provenance);

/// The path as written in a record's `command`: relative to the record root, so that it is valid in any
/// checkout.
std::string path_from_root(const project::ProjectKernel &kernel, const std::filesystem::path &path);

/// The text for users: "published /…/tuned/rms_norm/sm_90".
std::string describe(const Publication &publication);
const char *to_string(Publication::Kind kind);

}  // namespace cupilot::cli::records
