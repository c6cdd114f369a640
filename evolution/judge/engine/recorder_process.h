// SPDX-License-Identifier: Apache-2.0
//
// The parent's handle of one cupilot-launches process. It is started before its library is known; the near
// end of its socket is handed to whoever will send the questions. The process ends with this object.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "annotate/support/result.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::judge::engine {

class RecorderProcess {
public:
  static Result<std::unique_ptr<RecorderProcess>> start(const std::filesystem::path &program);
  ~RecorderProcess();
  RecorderProcess(const RecorderProcess &) = delete;
  RecorderProcess &operator=(const RecorderProcess &) = delete;

  /// The near end of the socket; the caller closes it.
  int take_socket() { return std::exchange(socket_, -1); }
  /// Says how the process ended, if it has ended or ends within `wait_ms`.
  std::optional<launches::Fault> end(int wait_ms);
  /// Replaces a fault that says that the process has ended (kHostEnded) by one that says how. Other faults
  /// are returned unchanged.
  launches::Fault explain(const launches::Fault &fault);

private:
  RecorderProcess(pid_t process, int socket, int notes) : process_(process), socket_(socket), notes_(notes) {}
  std::string note() const;

  pid_t process_;
  int socket_, notes_;
};

/// Finds cupilot-launches: the path in CUPILOT_LAUNCHES, else beside the running program, else in PATH.
Result<std::filesystem::path> launches_program();

}  // namespace cupilot::judge::engine
