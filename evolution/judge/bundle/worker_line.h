// SPDX-License-Identifier: Apache-2.0
//
// One line of the worker's standard output, read. Lines of a newer worker that are not understood are skipped
// by the caller, but a stream that does not begin with the version is not a worker's.

#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"

namespace cupilot {

struct WorkerHello {
  DeviceReport device;
  bool has_device = false;
};
struct WorkerBuilt {
  std::string candidate;
  double seconds = 0;
};
struct WorkerVerdict {
  std::string candidate;  ///< the verdict itself is in its file
};
struct WorkerError {
  std::string message;
  Blame blame =
      Blame::environment;  ///< the user's: the harness or the original kernel is no base to judge on
};
struct WorkerDone {};
struct WorkerOther {};

using WorkerLine =
    std::variant<WorkerOther, WorkerHello, WorkerBuilt, WorkerVerdict, WorkerError, WorkerDone>;

/// An error only for what is not a JSON object, or a version that is not ours.
Result<WorkerLine> read_worker_line(std::string_view line);

}  // namespace cupilot
