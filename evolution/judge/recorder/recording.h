// SPDX-License-Identifier: Apache-2.0
//
// State of the recording CUDA runtime: the kernels that a library has registered, what is known about them
// and about the device, and the launch list being recorded. There is one per process, used by one thread.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evolution/judge/launches/launch_list.h"
#include "evolution/judge/launches/recorder_protocol.h"

namespace cupilot::judge::recorder {

/// What goes into a launch besides kernel and arguments.
struct Configuration {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  const void *stream = nullptr;
};

/// What surrounds a call of an entry.
struct Around {
  const void *stream = nullptr;  ///< l.stream
  int device = 0;                ///< the current device; those below it are there, too
  bool other_device = false;     ///< another one of the same kind, with other clocks in another slot
  bool pending_error = false;    ///< the program made a mistake before, and has not asked yet
  std::optional<std::size_t> failing_piece{};  ///< of scratch memory: there is none left
  /// An earlier call has set them.
  std::vector<launches::LaunchList::FunctionAttribute> attributes{};
};

class Recording {
public:
  void know(launches::LoadQuestion question);
  void register_kernel(const void *host, const char *symbol);

  /// The library is there once more, at this distance.
  void also_at(std::uintptr_t distance);

  /// Calls are recorded from here to take().
  void begin(const launches::RecordQuestion &question, const Around &around);
  launches::LaunchList take();

  /// These functions return a cudaError_t.
  int launch(const void *function, const Configuration &configuration, void **arguments,
             const launches::QueuedWork &attributes);
  int fill(void *to, int value, std::size_t bytes, const void *stream);
  int allocate(void **to, std::size_t bytes, const void *stream);
  int set_attribute(const void *function, int attribute, int value);

  /// nullptr: the function is no kernel of the library.
  const launches::LoadedKernel *facts(const void *function) const;
  int device() const { return around_.device; }
  std::optional<int> device_attribute(int attribute) const;
  /// Value of a cudaFuncAttribute, if this call of the entry or one before it has set it.
  std::optional<int> function_attribute(const void *function, int attribute) const;
  void complain(const std::string &text);

  int remember(int code);  ///< for last_error(); returns `code`
  int last_error() const;
  /// Only the entry and l.scratch() take errors; the program's own is not theirs.
  int take_error();

private:
  bool is_ours(const void *stream);

  std::map<std::string, launches::LoadedKernel> kernels_;
  std::map<int, int> device_;
  std::map<const void *, const launches::LoadedKernel *> registered_;
  std::optional<launches::RecordQuestion> question_;
  std::vector<std::uintptr_t> distances_;
  Around around_;
  int last_error_ = 0;
  launches::LaunchList list_;
  std::uint64_t nowhere_ = 0;  ///< next made-up address for scratch memory without a place
};

Recording &recording();

}  // namespace cupilot::judge::recorder
