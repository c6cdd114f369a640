// SPDX-License-Identifier: Apache-2.0
//
// One loaded entry.so and the arguments of a call; names no CUDA type. A session loads the library's kernels
// only: its host function is called in a process of its own (recorder.h). The layout of CupilotCall is a
// contract with the entry files: evolution/model/bundle.h.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/case_layout.h"

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
  const std::vector<std::vector<std::byte>> &values() const { return values_; }

private:
  std::vector<std::vector<std::byte>> values_;
};

/// Each kind of session has its own.
class Entry {
public:
  /// What cupilot_entry returns beside a cudaError_t; also cudaErrorInvalidValue's number: entries never
  /// return that one.
  static constexpr int kLaunched = 0, kDeclined = 1;

  Entry() = default;
  virtual ~Entry() = default;
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;
};

}  // namespace cupilot
