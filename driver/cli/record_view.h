// SPDX-License-Identifier: Apache-2.0
//
// How the records of a kernel stand against the source as it is now, one view for each architecture: what
// `scan` and `status` print.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/project.h"
#include "evolution/record/record.h"

namespace cupilot::cli {

struct RecordView {
  std::string architecture;
  bool compiled = true;          ///< false: a record for an architecture the build does not compile for
  std::filesystem::path folder;  ///< tuned/<kernel>/<arch>
  RecordState state = RecordState::missing;
  bool slower = false;           ///< the record itself says that it lost against the original
  std::string detail;            ///< one line for people, empty when it fits
  std::optional<Record> record;  ///< when it could be read
  /// The state's word: "fits", "stale", "missing", "damaged", "slower", ...
  std::string word() const;
  /// What `status --check` fails on.
  bool needs_tuning() const;
};

/// Architectures the kernel is compiled for, then those that only have a record.
std::vector<RecordView> view_records(const ProjectKernel &kernel);

/// Names of the architectures a kernel is compiled for, as records call them: "sm_90" for sm_90 and
/// compute_90.
std::vector<std::string> compiled_architectures(const KernelSpec &spec);

}  // namespace cupilot::cli
