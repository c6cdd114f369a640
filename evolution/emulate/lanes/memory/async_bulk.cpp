// SPDX-License-Identifier: Apache-2.0
//
// cp.async.bulk without tensor maps. Copies into shared memory are delivered when a thread waits at their
// mbarrier. Copies out of shared memory are done at once, so a kernel that overwrites the source too early is
// not detected.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "evolution/emulate/lanes/lane_access.h"
#include "evolution/emulate/lanes/memory/async.h"

namespace cupilot::emulate::lanes::async {
namespace {

constexpr std::uint32_t kChunk = 16;  ///< sizes and addresses are multiples of it

struct Pending {
  const std::byte *barrier = nullptr;
  std::vector<std::pair<std::byte *, std::array<std::byte, kChunk>>> chunks;
};
struct BulkCopies : machine::BlockState {
  std::vector<Pending> under_way;
};

BulkCopies &copies_of(machine::Warp &warp) {
  static const char kKey = 0;
  auto *copies = static_cast<BulkCopies *>(machine::block_state(warp, &kKey));
  if (!copies) machine::set_block_state(warp, &kKey, copies = new BulkCopies);
  return *copies;
}

/// One lane's memory, chunk by chunk.
class LaneMemory {
public:
  LaneMemory(machine::Warp &warp, const program::Step &step, int lane, ptx::Space space,
             std::uint64_t address, bool writes)
      : warp_(warp),
        step_(step),
        lane_(lane),
        address_(address),
        access_{.space = space, .bytes = kChunk, .alignment = kChunk, .reads = !writes, .writes = writes} {}

  /// nullptr after a fault, which has been reported.
  std::byte *at(std::uint64_t offset) {
    std::uint64_t address[program::kLanes] = {};
    std::byte *host[program::kLanes] = {};
    address[lane_] = address_ + offset;
    return machine::resolve(warp_, step_, program::Mask{1} << lane_, access_, address, host) ? host[lane_]
                                                                                             : nullptr;
  }

private:
  machine::Warp &warp_;
  const program::Step &step_;
  int lane_;
  std::uint64_t address_;
  machine::Access access_;
};

void copy_lane(machine::Warp &warp, const program::Step &step, const BulkForm &form, int lane,
               const std::byte *barrier, LaneMemory from, LaneMemory to, std::uint32_t size) {
  if (size % kChunk != 0) {
    machine::report(warp, step, machine::FindingKind::misaligned, lane,
                    fmt::format("copies {} bytes; bulk copies move multiples of 16", size));
    return;
  }
  Pending pending{.barrier = barrier};
  for (std::uint64_t offset = 0; offset < size; offset += kChunk) {
    const std::byte *source = from.at(offset);
    std::byte *target = source ? to.at(offset) : nullptr;
    if (!target) return;
    if (form.to_global) {
      std::memcpy(target, source, kChunk);
    } else {
      pending.chunks.emplace_back(target, load_bytes<std::array<std::byte, kChunk>>(source));
    }
  }
  if (!form.to_global) copies_of(warp).under_way.push_back(std::move(pending));
}

}  // namespace

void bulk_copy(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const BulkForm &form = *static_cast<const BulkForm *>(step.detail);
  std::uint64_t to[program::kLanes], from[program::kLanes], barrier[program::kLanes] = {};
  read_addresses(warp, step, form.to, to);
  read_addresses(warp, step, form.from, from);
  if (!form.to_global) read_addresses(warp, step, form.barrier, barrier);
  const auto *size = lanes_of<std::uint32_t>(warp, step, form.size);
  const auto source = form.from_shared ? ptx::Space::shared : ptx::Space::global;
  const auto target = form.to_global ? ptx::Space::global : ptx::Space::shared;
  for_lanes(mask, [&](int lane) {
    copy_lane(warp, step, form, lane, machine::shared_memory(warp) + barrier[lane],
              LaneMemory(warp, step, lane, source, from[lane], false),
              LaneMemory(warp, step, lane, target, to[lane], true), size[lane]);
  });
  // Threads that wait at the mbarrier may then read the written data.
  if (!form.to_global) machine::sync_release(warp);
}

std::uint64_t bulk_arrive(machine::Warp &warp, const std::byte *barrier) {
  auto &under_way = copies_of(warp).under_way;
  std::uint64_t bytes = 0;
  for (const Pending &pending : under_way) {
    if (pending.barrier != barrier) continue;
    for (const auto &[to, data] : pending.chunks) std::memcpy(to, data.data(), kChunk);
    bytes += pending.chunks.size() * kChunk;
  }
  std::erase_if(under_way, [&](const Pending &pending) { return pending.barrier == barrier; });
  return bytes;
}

}  // namespace cupilot::emulate::lanes::async
