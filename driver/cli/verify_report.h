// SPDX-License-Identifier: Apache-2.0
//
// What `cupilot verify` found, record by record: a table for people, everything as JSON, and whether a CI may
// go on.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/cli/output.h"

namespace cupilot::cli {

struct VerifiedRecord {
  std::string kernel;
  Precision precision;
  RecordView view;
  std::optional<Verdict> verdict;     ///< none: not judged
  std::optional<Diagnostic> refused;  ///< the user's own harness or kernel is no base to judge on
  std::string error;                  ///< why else it could not be judged
  /// The variant is wrong, crashes, ... here. What could not be looked at says nothing against a record.
  bool wrong() const;
  /// Correct and timed, its record says faster, and it is not any more.
  bool no_longer_faster() const;
};

/// The record's own figure, of the workloads it is for; 0 when it was not measured.
double recorded_speedup(const Record &record);

std::string verify_text(const std::vector<VerifiedRecord> &rows);
Json verify_json(const std::vector<VerifiedRecord> &rows, bool ok);

}  // namespace cupilot::cli
