// SPDX-License-Identifier: Apache-2.0
//
// Device memory of one setting: inputs made, outputs and scratch poisoned, guards around, and what is checked
// after a launch. One arena is kept and grown, so that consecutive settings stand at the same addresses with
// new content. Internal to evolution/device.

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/device/memory/scratch_memory.h"
#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/launches/entry.h"
#include "evolution/judge/launches/session.h"

namespace cupilot {

class CaseMemory {
public:
  explicit CaseMemory(cudaStream_t stream) : stream_(stream), scratch_(stream) {}
  ~CaseMemory();
  CaseMemory(const CaseMemory &) = delete;
  CaseMemory &operator=(const CaseMemory &) = delete;

  /// Everything a launch needs, queued on the stream.
  Result<> prepare(const std::vector<Parameter> &parameters, const Setting &setting);
  Arguments &arguments() { return arguments_; }
  const CaseLayout &layout() const { return layout_; }
  /// Of a buffer of the layout.
  char *address(const PlacedBuffer &buffer) const { return arena_ + buffer.offset; }

  /// Arguments with the inputs of another memory of the same case; outputs stay.
  Result<> borrow_inputs(const std::vector<Parameter> &parameters, const Case &which,
                         const CaseMemory &owner);

  /// Outputs and scratch buffers of the case: where the host side of a launch may clear memory.
  std::vector<MemoryRange> writable() const;
  bool has_outputs() const;  ///< that are not empty
  /// Memory behind l.scratch(), with the setting's poison and guards that inspect() looks at.
  Result<std::uint64_t> scratch_most() { return scratch_.most(); }
  Result<std::vector<MemoryRange>> place_scratch(const std::vector<std::uint64_t> &sizes) {
    return exact_ ? scratch_.place_exactly(sizes) : scratch_.place(sizes, {poison_, guard_});
  }

  Result<> hash_inputs();         ///< before the launch
  Result<> inspect(RunReport &);  ///< after it: guards and input hashes
  Result<> dump(std::span<std::byte> to);

  /// For repeated launches: inout buffers get their first content again, outputs and scratch their poison.
  Result<> keep_inouts();
  Result<> restore();
  bool has_inouts() const;

private:
  struct Guard {
    std::size_t buffer;
    bool before;
    std::uint64_t offset, bytes;
  };
  std::vector<Guard> guards() const;
  Result<> reserve(std::uint64_t bytes);
  Result<> place_exactly();
  void free_pieces();
  Result<> fill_buffer(const PlacedBuffer &buffer, const Setting &setting, const std::string &name);
  Result<std::vector<unsigned long long>> input_hashes();

  cudaStream_t stream_;
  char *arena_ = nullptr;
  std::uint64_t capacity_ = 0;
  bool exact_ = false;                      ///< Manner::exact: no guards, no poison
  std::vector<void *> pieces_;              ///< then each buffer's own allocation
  unsigned long long *counters_ = nullptr;  ///< device memory for checks
  char *kept_ = nullptr;                    ///< first content of inout buffers
  std::uint64_t kept_capacity_ = 0;
  ScratchMemory scratch_;
  CaseLayout layout_;
  std::uint16_t poison_ = 0, guard_ = 0;  ///< of the setting
  Arguments arguments_;
  std::vector<std::string> names_;
  std::vector<unsigned long long> hashes_;
};

}  // namespace cupilot
