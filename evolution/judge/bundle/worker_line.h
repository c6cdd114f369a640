// SPDX-License-Identifier: Apache-2.0
//
// Parses one line of the worker's standard output. The caller skips unknown lines, which a newer worker may
// print, but a stream that does not begin with the version is not from a worker.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::bundle {

struct WorkerHello {
  std::optional<model::DeviceReport> device;
};
struct WorkerBuilt {
  std::string candidate;
  double seconds = 0;
};
struct WorkerVerdict {
  std::string candidate;  ///< the verdict itself is in the verdict file
};
struct WorkerError {
  std::string message = "the worker gave no reason";
  bool input = false;  ///< the original kernel or its workloads cannot be used as a reference
};
struct WorkerDone {};
struct WorkerOther {};

using WorkerLine =
    std::variant<WorkerOther, WorkerHello, WorkerBuilt, WorkerVerdict, WorkerError, WorkerDone>;

/// It is an error if the line is not a JSON object or has an unsupported version.
Result<WorkerLine> read_worker_line(std::string_view line);

}  // namespace cupilot::judge::bundle
