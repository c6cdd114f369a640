// SPDX-License-Identifier: Apache-2.0
//
// The sets of buffers that timed launches use in turn. They differ in address and, as far as there are seeds,
// in content (then the contents repeat). So a launch can neither reuse the results of an earlier one nor find
// its data in the cache. The outputs of every launch are compared on the device with those of the first
// launch on the same content. Internal to evolution/device.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "evolution/device/kernels/kernels.h"
#include "evolution/device/memory/case_memory.h"

namespace cupilot::device::timing {

class Rotation {
public:
  /// `first` is the session's own memory; it becomes the first set.
  Rotation(cudaStream_t stream, memory::CaseMemory &first) : stream_(stream), first_(first) {}
  ~Rotation();
  Rotation(const Rotation &) = delete;
  Rotation &operator=(const Rotation &) = delete;

  /// Makes one set of `setting` for each seed; each seed is one content.
  Result<> prepare(const std::vector<spec::Parameter> &parameters, const judge::launches::Setting &setting,
                   const std::vector<std::uint64_t> &seeds);
  /// Adds sets up to `size`, or fewer if the device's memory is too small.
  Result<> grow(std::size_t size);

  std::size_t size() const { return sets_.size(); }
  std::size_t contents() const { return seeds_.size(); }
  std::size_t content_of(std::size_t set) const { return content_[set]; }
  memory::CaseMemory &memory(std::size_t set) { return *sets_[set]; }

  /// Exchanges contents in the same buffers: the first set of each content gets the next content, in a ring.
  Result<> exchange();
  /// Copies the outputs that the last launch on a content left.
  Result<> dump(std::size_t content, std::span<std::byte> to);

  /// Gives buffers that are read and written their first content and poisons outputs; queued.
  Result<> restore(std::size_t set) { return sets_[set]->restore(); }
  /// Keeps the outputs of a set; later outputs on its content are compared with them.
  Result<> keep(std::size_t set);
  /// Compares a set's outputs; queued. The result is added to difference number `record`.
  Result<> check(std::size_t set, std::size_t record);
  /// Returns the first `records` differences; waits for the stream.
  Result<std::vector<kernels::OutputDifference>> differences(std::size_t records);

  /// Maximum number of records.
  static constexpr std::size_t kMostRecords = 1 << 16;

private:
  struct Kept {
    char *data = nullptr;
    double *squares = nullptr;  ///< one for each buffer
  };
  Result<> add_set(memory::CaseMemory &memory);
  Result<> fill(memory::CaseMemory &memory, std::size_t content);
  std::uint64_t set_bytes() const;

  cudaStream_t stream_;
  memory::CaseMemory &first_;
  const std::vector<spec::Parameter> *parameters_ = nullptr;
  judge::launches::Setting setting_;
  std::vector<std::uint64_t> seeds_;
  std::vector<std::unique_ptr<memory::CaseMemory>> owned_;
  std::vector<memory::CaseMemory *> sets_;
  std::vector<std::size_t> content_;  ///< indexed by set
  std::vector<Kept> kept_;            ///< indexed by content
  kernels::OutputDifference *records_ = nullptr;
};

}  // namespace cupilot::device::timing
