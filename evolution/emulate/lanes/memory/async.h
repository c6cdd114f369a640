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

namespace cupilot::emulate::async {

/// cp.async of 4, 8 or 16 bytes; Step::detail.
struct CopyForm {
  static constexpr std::uint8_t kNone = 0xff;
  AddressOperand to, from;
  std::uint8_t bytes = 4;
  std::uint8_t source_bytes = kNone;  ///< operand index: fewer bytes are read, the rest is zero
  std::uint8_t ignore = kNone;        ///< operand index of a predicate: nothing is read, all zero
};
void copy(Warp &warp, const Step &step, Mask mask);
void commit_group(Warp &warp, const Step &step, Mask mask);
/// Step::data: how many of the newest groups may still be pending.
void wait_group(Warp &warp, const Step &step, Mask mask);
void wait_all(Warp &warp, const Step &step, Mask mask);

/// Completes all copies that these lanes issued (cp.async.mbarrier.arrive).
void arrive_all(Warp &warp, Mask lanes);

/// cp.async.bulk; Step::detail.
struct BulkForm {
  AddressOperand to, from, barrier;
  std::uint8_t size = 0;   ///< flattened place
  bool to_global = false;  ///< completion is by bulk groups, else by an mbarrier
  bool from_shared = false;
};
void bulk_copy(Warp &warp, const Step &step, Mask mask);
/// Completes the copies that belong to this mbarrier; returns their bytes.
std::uint64_t bulk_arrive(Warp &warp, const std::byte *barrier);

/// For prefetches and fences that have no effect here.
void nothing(Warp &warp, const Step &step, Mask mask);

std::optional<Binding> bind_copy(const BindRequest &request, InstructionWords &words, std::string &why);
std::optional<Binding> bind_bulk(const BindRequest &request, InstructionWords &words, std::string &why);
std::optional<Binding> bind_barrier(const BindRequest &request, InstructionWords &words, std::string &why);
/// cp.async.mbarrier.arrive
std::optional<Binding> bind_copy_arrival(const BindRequest &request, InstructionWords &words,
                                         std::string &why);

}  // namespace cupilot::emulate::async
