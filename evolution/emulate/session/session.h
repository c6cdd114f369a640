// SPDX-License-Identifier: Apache-2.0
//
// The emulated device as a DeviceSession: the engine of the workers judges on it as it judges on a GPU.
// Only the kernels of an entry are loaded into this process (evolution/judge/launches/recorder.h).

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/machine/finding.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::emulate::session {

/// `architecture`: the architecture that the device reports and that estimates are made for.
Result<std::unique_ptr<judge::launches::DeviceSession>> open_emulated_session(
    const std::string &architecture);

/// Beside the DeviceSession's own: the findings of one run as they are, for `cupilot check`. `entry` comes
/// from the same session.
struct CheckedRun {
  std::vector<machine::Finding> findings;
  std::optional<judge::launches::Fault> host;  ///< a fault of the host side: nothing was launched
  bool declined = false;
};
Result<CheckedRun> check_run(judge::launches::DeviceSession &session, judge::launches::Entry &entry,
                             const std::vector<spec::Parameter> &parameters,
                             const judge::launches::Setting &setting);

}  // namespace cupilot::emulate::session
