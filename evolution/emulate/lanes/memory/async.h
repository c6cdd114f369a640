// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous copies. A copy reads its source when it is issued and writes its destination when a thread
// waits for it. A kernel that forgets to wait therefore reads old data, as it may on a GPU, and the checks
// report it.

#pragma once

#include <array>
#include <vector>

#include "evolution/emulate/lanes/instruction_words.h"
#include "evolution/emulate/machine/warp.h"

namespace cupilot::emulate::lanes::async {

/// cp.async of 4, 8 or 16 bytes; Step::detail.
struct CopyForm {
  static constexpr std::uint8_t kNone = 0xff;
  AddressOperand to, from;
  std::uint8_t bytes = 4;
  std::uint8_t source_bytes = kNone;  ///< operand index: fewer bytes are read, the rest is zero
  std::uint8_t ignore = kNone;        ///< operand index of a predicate: nothing is read, all zero
};
void copy(machine::Warp &warp, const program::Step &step, program::Mask mask);
void commit_group(machine::Warp &warp, const program::Step &step, program::Mask mask);
/// Step::data: how many of the newest groups may still be pending.
void wait_group(machine::Warp &warp, const program::Step &step, program::Mask mask);
void wait_all(machine::Warp &warp, const program::Step &step, program::Mask mask);

/// Completes all copies that these lanes issued (cp.async.mbarrier.arrive).
void arrive_all(machine::Warp &warp, program::Mask lanes);

/// cp.async.bulk; Step::detail.
struct BulkForm {
  AddressOperand to, from, barrier;
  std::uint8_t size = 0;   ///< flattened place
  bool to_global = false;  ///< completion is by bulk groups, else by an mbarrier
  bool from_shared = false;
};
void bulk_copy(machine::Warp &warp, const program::Step &step, program::Mask mask);
/// Completes the copies that belong to this mbarrier; returns their bytes.
std::uint64_t bulk_arrive(machine::Warp &warp, const std::byte *barrier);

/// For prefetches and fences that have no effect here.
void nothing(machine::Warp &warp, const program::Step &step, program::Mask mask);

std::optional<program::Binding> bind_copy(const program::BindRequest &request, InstructionWords &words,
                                          std::string &why);
std::optional<program::Binding> bind_bulk(const program::BindRequest &request, InstructionWords &words,
                                          std::string &why);
std::optional<program::Binding> bind_barrier(const program::BindRequest &request, InstructionWords &words,
                                             std::string &why);
/// cp.async.mbarrier.arrive
std::optional<program::Binding> bind_copy_arrival(const program::BindRequest &request,
                                                  InstructionWords &words, std::string &why);

}  // namespace cupilot::emulate::lanes::async
