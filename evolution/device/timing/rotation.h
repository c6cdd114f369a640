// SPDX-License-Identifier: Apache-2.0
//
// The sets of buffers that timed launches take in turn: other addresses, and other content as far as there
// are seeds (then the contents repeat). A launch can so neither be answered from what an earlier one left
// behind, nor find its data in the cache. Every launch's outputs are compared on the device with those of the
// first launch on the same content. Internal to evolution/device.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "evolution/device/kernels/kernels.h"
#include "evolution/device/memory/case_memory.h"

namespace cupilot {

class Rotation {
public:
  /// `first` is the session's own memory: the first set.
  Rotation(cudaStream_t stream, CaseMemory &first) : stream_(stream), first_(first) {}
  ~Rotation();
  Rotation(const Rotation &) = delete;
  Rotation &operator=(const Rotation &) = delete;

  /// `setting` with one seed a content.
  Result<> prepare(const std::vector<Parameter> &parameters, const Setting &setting,
                   const std::vector<std::uint64_t> &seeds);
  /// More sets, up to `size`; fewer where the device's memory does not take them.
  Result<> grow(std::size_t size);

  std::size_t size() const { return sets_.size(); }
  std::size_t contents() const { return seeds_.size(); }
  std::size_t content_of(std::size_t set) const { return content_[set]; }
  CaseMemory &memory(std::size_t set) { return *sets_[set]; }

  /// Other content in the same buffers: the sets of the first contents get the next one's, in a ring.
  Result<> exchange();
  /// The outputs that the last launch on a content left.
  Result<> dump(std::size_t content, std::span<std::byte> to);

  /// First content into buffers that are read and written, poison into outputs; queued.
  Result<> restore(std::size_t set) { return sets_[set]->restore(); }
  /// The outputs a set holds now are what later ones of its content are compared with.
  Result<> keep(std::size_t set);
  /// Compares a set's outputs; queued. The answer is difference number `record`.
  Result<> check(std::size_t set, std::size_t record);
  /// Waits for the stream.
  Result<std::vector<kernels::OutputDifference>> differences(std::size_t records);

  /// How many records there may be.
  static constexpr std::size_t kMostRecords = 1 << 16;

private:
  struct Kept {
    char *data = nullptr;
    double *squares = nullptr;  ///< one a buffer
  };
  Result<> add_set(CaseMemory &memory);
  Result<> fill(CaseMemory &memory, std::size_t content);
  std::uint64_t set_bytes() const;

  cudaStream_t stream_;
  CaseMemory &first_;
  const std::vector<Parameter> *parameters_ = nullptr;
  Setting setting_;
  std::vector<std::uint64_t> seeds_;
  std::vector<std::unique_ptr<CaseMemory>> owned_;
  std::vector<CaseMemory *> sets_;
  std::vector<std::size_t> content_;  ///< by set
  std::vector<Kept> kept_;            ///< by content
  kernels::OutputDifference *records_ = nullptr;
};

}  // namespace cupilot
