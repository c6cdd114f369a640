// SPDX-License-Identifier: Apache-2.0
//
// One cupilot-launches, as its parent sees it: started before anybody knows for what, with a socket whose
// near end goes to whoever asks the questions, and ended with this object.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "annotate/support/result.h"
#include "evolution/judge/launches/session.h"

namespace cupilot {

class RecorderProcess {
public:
  static Result<std::unique_ptr<RecorderProcess>> start(const std::filesystem::path &program);
  ~RecorderProcess();
  RecorderProcess(const RecorderProcess &) = delete;
  RecorderProcess &operator=(const RecorderProcess &) = delete;

  /// The near end of the socket; the caller closes it.
  int take_socket() { return std::exchange(socket_, -1); }
  /// How it ended, if it has ended or does so within `wait_ms`.
  std::optional<Fault> end(int wait_ms);
  /// The same for a fault that says so (kHostEnded); other faults as they are.
  Fault explain(const Fault &fault);

private:
  RecorderProcess(pid_t process, int socket, int notes) : process_(process), socket_(socket), notes_(notes) {}
  std::string note() const;

  pid_t process_;
  int socket_, notes_;
};

/// CUPILOT_LAUNCHES, else beside the running program, else in PATH.
Result<std::filesystem::path> launches_program();

}  // namespace cupilot
