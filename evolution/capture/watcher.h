// SPDX-License-Identifier: Apache-2.0
//
// The part of `cupilot capture` that runs inside of the program that is watched. What it stands on (the
// emulated runtime, CUPTI) calls it around each launch. It writes into the folder of the capture:
// `launches.<process>` has a line for each launch that was looked at, written when the launch has ended, and
// `counts.<process>` is a memory mapping with the number of launches of each shape, so that nothing is lost
// when the program dies. All functions may be called from any thread.

#pragma once

#include <deque>
#include <map>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/capture/seen.h"

namespace cupilot::capture {

inline constexpr const char *kFolderVariable = "CUPILOT_CAPTURE";
inline constexpr const char *kWatchFile = "watch.json";
inline constexpr const char *kLaunchesPrefix = "launches.", *kCountsPrefix = "counts.";
/// Shapes that are told apart in one process; the last counter has the launches of all others.
inline constexpr std::size_t kMostShapes = 4096;

/// The device's memory.
class WatchedMemory {
public:
  struct Allocation {
    std::uint64_t begin = 0, bytes = 0;
  };
  virtual ~WatchedMemory() = default;
  virtual std::optional<Allocation> allocation(std::uint64_t address) = 0;
  virtual bool read(std::uint64_t address, std::span<std::byte> into) = 0;
};

struct Call {
  const WatchedKernel *kernel = nullptr;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::vector<std::span<const std::byte>> arguments;  ///< one for each of the kernel's parameters
};

/// A launch that is being looked at.
struct Look {
  SeenLaunch seen;
  std::vector<std::uint64_t> addresses;  ///< one for each of seen.buffers
};

class Watcher {
public:
  /// Of the folder that the environment names; nullptr: nothing is to be watched, or an error was printed.
  static std::unique_ptr<Watcher> from_environment();
  static Result<std::unique_ptr<Watcher>> of_folder(const std::string &folder);

  /// nullptr: the kernel is not watched. Kernels without external linkage have other symbols in each file
  /// that nvcc compiles; they are found by their readable names. With Watch::others, a kernel that is not
  /// listed has its readable name and no parameters.
  const WatchedKernel *find(std::string_view symbol);
  /// Counts a launch. Gives the number of its shape if it is to be looked at.
  std::optional<std::uint64_t> count(const Call &call);
  Look before(const Call &call, std::uint64_t shape, WatchedMemory &memory) const;
  /// The launch has ended: writes the line.
  void after(SeenLaunch &seen, double work);

private:
  struct Shape {
    std::uint64_t number = 0, launches = 0, looked_at = 0;
  };
  Watcher(std::string folder, Watch watch);
  void open_process();

  std::string folder_;
  Watch watch_;
  std::map<std::string, const WatchedKernel *, std::less<>> by_symbol_, by_readable_name_;
  std::deque<WatchedKernel> others_;
  std::shared_mutex mutex_;
  std::int64_t process_ = 0;
  std::uint64_t *counts_ = nullptr;  ///< mapped, kMostShapes; nullptr: could not be made
  std::map<std::vector<std::uint64_t>, Shape> shapes_;
};

}  // namespace cupilot::capture
