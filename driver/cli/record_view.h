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
  bool estimate = false;         ///< made from estimates, and this target does not accept those
  std::string detail;            ///< one line for people, empty when it fits
  std::optional<Record> record;  ///< when it could be read
  /// The state's word: "fits", "stale", "missing", "damaged", "slower", "estimate", ...
  std::string word() const;
  /// What `status --check` fails on.
  bool needs_tuning() const;
};

/// Wanted architectures, then others that have a record. `toolchain` as records carry it; empty: not
/// compared.
std::vector<RecordView> view_records(const ProjectKernel &kernel, const std::string &toolchain = {});

/// The architectures a record should be there for, as records call them: those with machine code in the
/// object. PTX is for GPUs nobody tuned for, and counts only when there is nothing else.
std::vector<std::string> wanted_architectures(const KernelSpec &spec);

/// True when the launcher uses a record of this architecture in the object: what `-arch=native` or no -arch
/// means is known to the compiler only.
bool is_compiled_for(const KernelSpec &spec, const std::string &architecture);

}  // namespace cupilot::cli
