// SPDX-License-Identifier: Apache-2.0
//
// Prints the results of `cupilot verify` for each record, as a table and as JSON, and decides whether the
// check passed.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/report/output.h"

namespace cupilot::cli::report {

struct VerifiedRecord {
  std::string kernel;
  spec::Precision precision;
  records::RecordView view;
  std::optional<model::Verdict> verdict;  ///< nullopt: not judged
  std::optional<Diagnostic> refused;      ///< the user's harness or kernel cannot be used as a reference
  std::string error;                      ///< another reason why the record could not be judged
  /// The variant was judged here and is wrong, crashes, ... A record that could not be judged does not count
  /// as wrong.
  bool wrong() const;
  /// The variant is correct and was timed, the record says faster, but it is no longer faster.
  bool no_longer_faster() const;
};

/// The speed-up stored in the record, for the workloads it is used for; 0 when it was not measured.
double recorded_speedup(const model::Record &record);

std::string verify_text(const std::vector<VerifiedRecord> &rows);
Json verify_json(const std::vector<VerifiedRecord> &rows, bool ok);

}  // namespace cupilot::cli::report
