// SPDX-License-Identifier: Apache-2.0
//
// The parent's handle of one child process. It starts the child with limits and in a process group of its
// own, sends it orders, watches it while it works (time, processes it started, memory), and ends it together
// with all processes it started.

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
#include "evolution/judge/launches/device_turn.h"

namespace cupilot::judge::engine {

/// Maximum private host memory of a child. Preparing and launching kernels needs far less.
inline constexpr std::size_t kMostChildMemoryBytes = 16ull << 30;

/// A deadline for the calls below, counted from now.
inline std::chrono::steady_clock::time_point in_seconds(double seconds) {
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

/// Time limit of context creation and of every order without a limit of its own.
inline constexpr double kStartSeconds = 60;

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class ChildProcess {
public:
  /// Starts this executable again, or Engine::executable, with kChildVerb. `dump_bytes` is the space for the
  /// outputs of one run; the child gets two such slots.
  static Result<std::unique_ptr<ChildProcess>> start(const Engine &engine, const std::string &architecture,
                                                     std::uint64_t dump_bytes);
  ~ChildProcess();
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  using Deadline = std::chrono::steady_clock::time_point;

  Result<> send(const Order &order) { return channel_.send(to_line(order)); }
  /// For several orders that are sent ahead of their answers.
  launches::DeviceTurn turn_beside() const {
    return launches::DeviceTurn::take(device_, launches::DeviceTurn::Use::beside);
  }
  /// Waits for the child's first line, which it sends when its context exists. receive() still returns that
  /// line.
  void wait_until_ready(Deadline deadline);
  /// Returns the child's next line. On an error the child has been ended, and ending() says why.
  Result<std::string> receive(Deadline deadline);
  /// Sends the order in its turn on the device, and waits for the answer. Waiting for the turn takes nothing
  /// off the time until `deadline`.
  Result<std::string> ask(const Order &order, Deadline deadline);
  /// An order that is only done: it makes cases, loads a library.
  Result<> ask_done(const Order &order);

  enum class Ending { alive, ended, timed_out, forbidden };
  /// Why receive() failed last. `ended`: the child crashed or exited. `forbidden`: it had processes or memory
  /// that it may not have.
  Ending ending() const { return ending_; }

  /// Checks now whether the child has processes or memory that it may not have. Returns what was found, or an
  /// empty string.
  std::string forbidden_now() const;
  /// For a fault that says that the host side has ended: a fault that says how. Other faults are returned
  /// unchanged.
  launches::Fault explain(launches::Fault fault);
  /// True once the child has reported its device. Failures after that are attributed to the candidate.
  bool began() const { return began_; }
  /// From this call on the child may have no processes. Before it the driver may start one while it creates
  /// the context.
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
  Recorders recorders_;  ///< indexed by EntryRole
  std::span<std::byte> dump_;
  std::optional<std::string> first_line_;
  std::string device_;  ///< its PCI bus id; empty until it has told, and for an emulated one
  Ending ending_ = Ending::alive;
  bool watching_ = false, began_ = false;
  int status_ = 0;
};

/// Describes a status of waitpid(): "exit code 0", "signal 11 (Segmentation fault)".
std::string describe_status(int status);

}  // namespace cupilot::judge::engine
