// SPDX-License-Identifier: Apache-2.0
//
// Compares the records of a kernel with the current source, one view for each architecture. `scan` and
// `status` print the views.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/cli/project/project.h"
#include "evolution/record/record.h"

namespace cupilot::cli::records {

struct RecordView {
  std::string architecture;
  bool compiled = true;          ///< false: a record for an architecture the build does not compile for
  std::filesystem::path folder;  ///< tuned/<kernel>/<arch>
  record::RecordState state = record::RecordState::missing;
  bool slower = false;    ///< the record itself states that the variant is slower than the original
  bool estimate = false;  ///< made from estimates, which this target does not accept
  std::string detail;     ///< one line of explanation; empty when the record fits
  std::optional<model::Record> record;  ///< set when the record could be read
  /// The state's word: "fits", "stale", "missing", "damaged", "slower", "estimate", ...
  std::string word() const;
  /// True for the states that make `status --check` fail.
  bool needs_tuning() const;
};

/// The wanted architectures, then others that have a record. `toolchain` is the text that records contain;
/// empty: not compared.
std::vector<RecordView> view_records(const project::ProjectKernel &kernel, const std::string &toolchain = {});

/// The architectures that should have a record, by the names that records use: those with machine code in the
/// object. An architecture with PTX only counts when there is no machine code at all.
std::vector<std::string> wanted_architectures(const spec::KernelSpec &spec);

/// True when the launcher would use a record of this architecture in the object. What `-arch=native` or a
/// missing -arch stands for is known to the compiler only.
bool is_compiled_for(const spec::KernelSpec &spec, const std::string &architecture);

}  // namespace cupilot::cli::records
