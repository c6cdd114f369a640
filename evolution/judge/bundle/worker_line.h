// SPDX-License-Identifier: Apache-2.0
//
// Parses one line of the worker's standard output. The caller skips unknown lines, which a newer worker may
// print, but a stream that does not begin with the version is not from a worker.

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
  std::string candidate;  ///< the verdict itself is in the verdict file
};
struct WorkerError {
  std::string message;
  /// `user`: the original kernel or its workloads cannot be used as a reference.
  Blame blame = Blame::environment;
};
struct WorkerDone {};
struct WorkerOther {};

using WorkerLine =
    std::variant<WorkerOther, WorkerHello, WorkerBuilt, WorkerVerdict, WorkerError, WorkerDone>;

/// It is an error if the line is not a JSON object or has an unsupported version.
Result<WorkerLine> read_worker_line(std::string_view line);

}  // namespace cupilot
