// SPDX-License-Identifier: Apache-2.0
//
// One loaded entry.so and the arguments of a call; names no CUDA type, so that whoever stands behind the
// runtime's symbols can use it. The layout of CupilotCall is a contract with the entry files:
// evolution/model/bundle.h.

#pragma once

#include <cstdint>
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

/// The values behind CupilotCall::args for one case.
class Arguments {
public:
  /// `addresses`: of the buffers, in the order of layout.buffers.
  static Result<Arguments> make(const std::vector<Parameter> &parameters, const Case &which,
                                const CaseLayout &layout, const std::vector<std::uint64_t> &addresses);
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

  /// What cupilot_entry returns beside a cudaError_t; also cudaErrorInvalidValue's number: entries never
  /// return that one.
  static constexpr int kLaunched = 0, kDeclined = 1;
  /// Queues the launch on `stream` (a cudaStream_t): kLaunched, kDeclined, else a cudaError_t.
  int call(const Case &which, Arguments &arguments, void *stream);
  unsigned long long scratch_bytes() const { return scratch_bytes_; }

private:
  explicit Entry(void *handle) : handle_(handle) {}
  void *handle_;
  int (*function_)(CupilotCall *) = nullptr;
  unsigned long long scratch_bytes_ = 0;
};

}  // namespace cupilot
