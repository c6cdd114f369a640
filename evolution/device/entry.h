// SPDX-License-Identifier: Apache-2.0
//
// One loaded entry.so and the arguments of a call. The layout of CupilotCall is a contract with the entry
// files: evolution/model/bundle.h. Internal to evolution/device.

#pragma once

#include <cuda_runtime_api.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/device/case_layout.h"

namespace cupilot {

struct CupilotCall {
  unsigned grid[3], block[3];
  unsigned long long shared_bytes;
  void *stream;
  void **args;
  unsigned long long scratch_bytes;  ///< set by the entry
};

/// The values behind CupilotCall::args for one case at one place in memory.
class Arguments {
public:
  static Result<Arguments> make(const std::vector<Parameter> &parameters, const Case &which,
                                const CaseLayout &layout, char *arena);
  void **pointers() { return pointers_.data(); }

private:
  std::vector<std::vector<std::byte>> values_;
  std::vector<void *> pointers_;
};

class Entry {
public:
  static Result<std::shared_ptr<Entry>> load(const std::filesystem::path &library);
  ~Entry();
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;

  enum class Answer { launched, declined };
  /// Queues the launch; an error is what the entry or its launch reported.
  Result<Answer> call(const Case &which, Arguments &arguments, cudaStream_t stream);
  unsigned long long scratch_bytes() const { return scratch_bytes_; }

private:
  explicit Entry(void *handle) : handle_(handle) {}
  void *handle_;
  int (*function_)(CupilotCall *) = nullptr;
  unsigned long long scratch_bytes_ = 0;
};

}  // namespace cupilot
