// SPDX-License-Identifier: Apache-2.0
//
// State of the recording CUDA runtime: the kernels that a library has registered, what is known about them
// and about the device, and the launch list being recorded. There is one per process, used by one thread.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "evolution/judge/launches/launch_list.h"
#include "evolution/judge/launches/recorder_protocol.h"

namespace cupilot::judge::recorder {

/// What goes into a launch besides kernel and arguments.
struct Configuration {
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  const void *stream = nullptr;
};

class Recording {
public:
  void know(launches::LoadQuestion question);
  void register_kernel(const void *host, const char *symbol);

  /// Calls are recorded from here to take(). `stream`: the l.stream of the call.
  void begin(const launches::RecordQuestion &question, const void *stream);
  launches::LaunchList take();

  /// These functions return a cudaError_t.
  int launch(const void *function, const Configuration &configuration, void **arguments,
             const launches::QueuedWork &attributes);
  int fill(void *to, int value, std::size_t bytes, const void *stream);
  int allocate(void **to, std::size_t bytes, const void *stream);
  int set_attribute(const void *function, int attribute, int value);

  /// nullptr: the function is no kernel of the library.
  const launches::LoadedKernel *facts(const void *function) const;
  std::optional<int> device_attribute(int attribute) const;
  /// Value of a cudaFuncAttribute, if this call of the entry has set it.
  std::optional<int> function_attribute(const void *function, int attribute) const;
  void complain(const std::string &text);

  int remember(int code);  ///< for cudaGetLastError(); returns `code`
  int last_error = 0;

private:
  bool is_ours(const void *stream);

  std::map<std::string, launches::LoadedKernel> kernels_;
  std::map<int, int> device_;
  std::map<const void *, const launches::LoadedKernel *> registered_;
  std::optional<launches::RecordQuestion> question_;
  const void *stream_ = nullptr;
  launches::LaunchList list_;
  std::uint64_t nowhere_ = 0;  ///< next made-up address for scratch memory without a place
};

Recording &recording();

}  // namespace cupilot::judge::recorder
