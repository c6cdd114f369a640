// SPDX-License-Identifier: Apache-2.0
//
// The parent's handle of one child: started with limits in a process group of its own, given orders, watched
// while it works (time, processes it started, memory), and ended with everything it started.

#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "annotate/support/result.h"
#include "evolution/judge/engine/channel.h"
#include "evolution/judge/engine/engine.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/judge/engine/recorder_process.h"

namespace cupilot {

/// A kernel's host side needs no processes at all, and little memory of its own.
inline constexpr std::size_t kMostChildMemoryBytes = 16ull << 30;

/// A deadline for the calls below.
inline std::chrono::steady_clock::time_point in_seconds(double seconds) {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

/// Context creation, and everything that is not the kernel.
inline constexpr double kStartSeconds = 60;

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class ChildProcess {
public:
  /// Starts this executable again with kChildVerb. `dump_bytes` is for one run; the child gets two slots.
  static Result<std::unique_ptr<ChildProcess>> start(const Engine &engine, const std::string &architecture,
                                                     std::uint64_t dump_bytes);
  ~ChildProcess();
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  using Deadline = std::chrono::steady_clock::time_point;

  Result<> send(const Order &order) { return channel_.send(to_line(order)); }
  /// Waits for the line a child says first, when its context is there; receive() still returns that line.
  void wait_until_ready(Deadline deadline);
  /// The child's next line. Without one, `ending` says why, and the child is ended.
  Result<std::string> receive(Deadline deadline);
  Result<std::string> ask(const Order &order, Deadline deadline);

  enum class Ending { alive, ended, timed_out, forbidden };
  /// Why receive() failed last: `ended` is a crash or an exit, `forbidden` processes or memory it may not
  /// have.
  Ending ending() const { return ending_; }

  /// What the child may not do, checked now; empty when all is well.
  std::string forbidden_now() const;
  /// What became of the host side that a fault says has ended; other faults as they are.
  Fault explain(Fault fault);
  /// It has told that its device is there: what goes wrong after that has to do with the candidate.
  bool began() const { return began_; }
  /// Processes count only from here on: creating a context may start one of the driver's.
  void watch_processes() { watching_ = true; }

  std::span<const std::byte> slot(int which) const;

private:
  using Recorders = std::array<std::unique_ptr<RecorderProcess>, kEntryRoles>;
  ChildProcess(pid_t pid, Channel channel, Recorders recorders)
      : pid_(pid), channel_(std::move(channel)), recorders_(std::move(recorders)) {}
  static Result<Recorders> start_recorders();
  std::string heard(std::string line);
  Result<std::string> give_up(Ending ending, const std::string &reason);
  void end();

  pid_t pid_;
  Channel channel_;
  Recorders recorders_;  ///< by EntryRole
  std::span<std::byte> dump_;
  std::optional<std::string> first_line_;
  Ending ending_ = Ending::alive;
  bool watching_ = false, began_ = false;
  int status_ = 0;
};

/// "exit code 0", "signal 11 (Segmentation fault)", from waitpid's status.
std::string describe_status(int status);

}  // namespace cupilot
