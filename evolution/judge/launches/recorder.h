// SPDX-License-Identifier: Apache-2.0
//
// A client of one cupilot-launches process, in which the host code of one entry runs without a device. It
// needs only its end of a socket, so the process that holds it can be sandboxed. If the other process does
// not answer, only that process's parent knows how it ended.

#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "evolution/judge/launches/launch_list.h"
#include "evolution/judge/launches/recorder_protocol.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::judge::launches {

/// A list, or the reason why the host code gave none.
using Recorded = std::expected<LaunchList, Fault>;

/// Fault::rule when the process is gone; its parent knows how it ended.
inline constexpr std::string_view kHostEnded = "host-ended";

class Recorder {
public:
  /// Takes ownership of the descriptor. An answer usually takes microseconds; the long limit allows for
  /// loaded machines.
  explicit Recorder(int socket, long answer_ms = 10'000) : socket_(socket), answer_ms_(answer_ms) {}
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// Loads the library in the sandboxed process. May be called once.
  std::optional<Fault> load(const LoadQuestion &question);
  /// After a fault every later call returns the same fault.
  Recorded record(const RecordQuestion &question);
  /// What the calls of all record() so far have executed in LoadQuestion::traced.
  std::expected<HostTrace, Fault> trace();
  /// What each of these calls would do, in that order. They need no good answer: nothing is launched.
  std::expected<std::vector<CallOutcomes>, Fault> outcomes(std::span<const RecordQuestion> calls);

private:
  std::expected<RecorderAnswer, Fault> ask(std::span<const std::byte> question);
  std::unexpected<Fault> lost(Fault fault);

  int socket_;
  long answer_ms_;
  std::optional<Fault> fault_;
};

}  // namespace cupilot::judge::launches
