// SPDX-License-Identifier: Apache-2.0
//
// One loaded entry.so and the arguments of a call, without any CUDA type. A session loads only the kernels of
// the library; its host function is called in a separate process (recorder.h). The entry files rely on the
// layout of CupilotCall: evolution/model/bundle.h.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/case_layout.h"

namespace cupilot::judge::launches {

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
  /// `addresses` are those of the buffers, in the order of layout.buffers.
  static Result<Arguments> make(const std::vector<spec::Parameter> &parameters, const model::Case &which,
                                const cases::CaseLayout &layout, const std::vector<std::uint64_t> &addresses);
  const std::vector<std::vector<std::byte>> &values() const { return values_; }
  const std::vector<std::uint32_t> &pointers() const { return pointers_; }  ///< indices of addresses
  const std::vector<std::uint64_t> &pointer_bytes() const { return pointer_bytes_; }
  bool moved() const { return moved_; }  ///< Placement::moved

private:
  std::vector<std::vector<std::byte>> values_;
  std::vector<std::uint32_t> pointers_;
  std::vector<std::uint64_t> pointer_bytes_;
  bool moved_ = false;
};

/// A loaded entry; each kind of session derives its own class.
class Entry {
public:
  /// Results of cupilot_entry other than a cudaError_t. 1 is also the number of cudaErrorInvalidValue, which
  /// entries therefore never return.
  static constexpr int kLaunched = 0, kDeclined = 1;

  Entry() = default;
  virtual ~Entry() = default;
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;
};

}  // namespace cupilot::judge::launches
