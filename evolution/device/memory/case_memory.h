// SPDX-License-Identifier: Apache-2.0
//
// Device memory of one setting: generates inputs, poisons outputs and scratch buffers, puts guards around the
// buffers, and checks after a launch. One arena is kept and grows, so that consecutive settings get the same
// addresses with new content. Internal to evolution/device.

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

namespace cupilot::device::memory {

class CaseMemory {
public:
  explicit CaseMemory(cudaStream_t stream) : stream_(stream), scratch_(stream) {}
  ~CaseMemory();
  CaseMemory(const CaseMemory &) = delete;
  CaseMemory &operator=(const CaseMemory &) = delete;

  /// Prepares everything that a launch needs; returns when it is ready.
  Result<> prepare(const std::vector<spec::Parameter> &parameters, const judge::launches::Setting &setting);
  judge::launches::Arguments &arguments() { return arguments_; }
  const judge::cases::CaseLayout &layout() const { return layout_; }
  /// The address of a buffer of the layout.
  char *address(const judge::cases::PlacedBuffer &buffer) const { return arena_ + buffer.offset; }

  /// Makes the arguments point to the inputs of another memory of the same case. Outputs stay in this memory.
  Result<> borrow_inputs(const std::vector<spec::Parameter> &parameters, const model::Case &which,
                         const CaseMemory &owner);

  /// All buffers of the case that are not inputs: the host side of a launch may clear these.
  std::vector<judge::launches::MemoryRange> writable() const;
  bool has_outputs() const;  ///< whether there are outputs that are not empty
  /// Maximum memory that one launch may get from l.scratch(), and its placement with the setting's poison and
  /// with guards that inspect() checks.
  Result<std::uint64_t> scratch_most() { return scratch_.most(); }
  Result<std::vector<judge::launches::MemoryRange>> place_scratch(const std::vector<std::uint64_t> &sizes) {
    return exact_ ? scratch_.place_exactly(sizes) : scratch_.place(sizes, {poison_, guard_});
  }

  Result<> hash_inputs();                          ///< call before the launch
  Result<> inspect(judge::launches::RunReport &);  ///< call after it: checks guards and input hashes
  Result<> dump(std::span<std::byte> to);

  /// For repeated launches: restore() gives inout buffers the content at keep_inouts() again, and poisons
  /// outputs and scratch.
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
  Result<> fill_buffer(const judge::cases::PlacedBuffer &buffer, const judge::launches::Setting &setting,
                       const std::string &name);
  Result<std::vector<unsigned long long>> input_hashes();

  cudaStream_t stream_;
  char *arena_ = nullptr;
  std::uint64_t capacity_ = 0;
  bool exact_ = false;                      ///< Manner::exact: no guards, no poison
  std::vector<void *> pieces_;              ///< with `exact_`: each buffer's own allocation
  unsigned long long *counters_ = nullptr;  ///< device memory for checks
  char *kept_ = nullptr;                    ///< first content of inout buffers
  std::uint64_t kept_capacity_ = 0;
  ScratchMemory scratch_;
  judge::cases::CaseLayout layout_;
  std::uint16_t poison_ = 0, guard_ = 0;  ///< of the setting
  judge::launches::Arguments arguments_;
  std::vector<std::string> names_;
  std::vector<unsigned long long> hashes_;
};

}  // namespace cupilot::device::memory
