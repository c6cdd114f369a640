// SPDX-License-Identifier: Apache-2.0
//
// What the functions of the stand-in runtime work on: the kernels a library has registered, what is known of
// them and of the device, and the list that is being recorded. One a process, and one thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "evolution/judge/launches/launch_list.h"
#include "evolution/judge/launches/recorder_protocol.h"

namespace cupilot::launches {

/// What goes into a launch besides kernel and arguments.
struct Configuration {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  const void *stream = nullptr;
};

class Recording {
public:
  void know(LoadQuestion question);
  void register_kernel(const void *host, const char *symbol);

  /// From here to take() calls are recorded.
  void begin(const RecordQuestion &question);
  LaunchList take();

  /// All of these answer with a cudaError_t.
  int launch(const void *function, const Configuration &configuration, void **arguments,
             const QueuedWork &attributes);
  int fill(void *to, int value, std::size_t bytes, const void *stream);
  int allocate(void **to, std::size_t bytes, const void *stream);
  int set_attribute(const void *function, int attribute, int value);

  /// nullptr: no kernel of the library.
  const LoadedKernel *facts(const void *function) const;
  std::optional<int> device_attribute(int attribute) const;
  /// Value of a cudaFuncAttribute that this launch has set.
  std::optional<int> function_attribute(const void *function, int attribute) const;
  void complain(const std::string &text);

  /// l.stream: it stands for the session's.
  static void *stream();
  int remember(int code);  ///< for cudaGetLastError; returns it
  int last_error = 0;

private:
  bool is_ours(const void *stream);

  std::map<std::string, LoadedKernel> kernels_;
  std::map<int, int> device_;
  std::map<const void *, const LoadedKernel *> registered_;
  std::optional<RecordQuestion> question_;
  LaunchList list_;
  std::uint64_t nowhere_ = 0;  ///< the next address for scratch memory that has no place
};

Recording &recording();

}  // namespace cupilot::launches
