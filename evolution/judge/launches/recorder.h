// SPDX-License-Identifier: Apache-2.0
//
// The near end of a socket to one cupilot-launches: the process in which the host code of one entry runs,
// without a device. Whoever holds this may be locked up: it can only ask and wait. What became of a process
// that does not answer, its parent knows.

#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "evolution/judge/launches/launch_list.h"
#include "evolution/judge/launches/recorder_protocol.h"
#include "evolution/judge/launches/session.h"

namespace cupilot {

/// A list, or what the host code did instead of answering.
using Recorded = std::expected<LaunchList, Fault>;

/// Fault::rule when the process is gone: its parent knows how it ended.
inline constexpr std::string_view kHostEnded = "host-ended";

class Recorder {
public:
  /// Takes the descriptor over. An answer takes microseconds; the limit is for loaded machines.
  explicit Recorder(int socket, long answer_ms = 10'000) : socket_(socket), answer_ms_(answer_ms) {}
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// The library is loaded there, locked up. Once.
  std::optional<Fault> load(const LoadQuestion &question);
  /// After a fault the same fault answers every later call.
  Recorded record(const RecordQuestion &question);

private:
  std::expected<RecorderAnswer, Fault> ask(std::span<const std::byte> question);
  std::unexpected<Fault> lost(Fault fault);

  int socket_;
  long answer_ms_;
  std::optional<Fault> fault_;
};

}  // namespace cupilot
