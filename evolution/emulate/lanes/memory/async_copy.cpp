// SPDX-License-Identifier: Apache-2.0
// cp.async: copies of single lanes, in groups.

#include <algorithm>

#include "evolution/emulate/lanes/lane_access.h"
#include "evolution/emulate/lanes/memory/async.h"

namespace cupilot::emulate::lanes::async {
namespace {

constexpr int kMostBytes = 16;

/// The pending copies of one instruction of one warp.
struct Batch {
  program::Mask lanes = 0;
  std::uint8_t bytes = 0;
  std::array<std::uint32_t, program::kLanes> group{};  ///< how many groups the lane had closed before
  std::array<std::byte *, program::kLanes> to{};
  std::array<std::array<std::byte, kMostBytes>, program::kLanes> data{};
};

struct WarpCopies {
  std::array<std::uint32_t, program::kLanes> closed{};
  std::vector<Batch> under_way;
};

struct Copies : machine::BlockState {
  std::vector<WarpCopies> warps;
};

WarpCopies &copies_of(machine::Warp &warp) {
  static const char kKey = 0;
  auto *copies = static_cast<Copies *>(machine::block_state(warp, &kKey));
  if (!copies) machine::set_block_state(warp, &kKey, copies = new Copies);
  if (copies->warps.size() <= warp.index) copies->warps.resize(warp.index + 1);
  return copies->warps[warp.index];
}

/// Delivers for each lane the copies for which `done(closed, group)` holds.
template <class Done>
void deliver(WarpCopies &copies, program::Mask lanes, Done done) {
  for (Batch &batch : copies.under_way)
    for_lanes(batch.lanes & lanes, [&](int lane) {
      const auto i = static_cast<std::size_t>(lane);
      if (!done(copies.closed[i], batch.group[i])) return;
      std::memcpy(batch.to[i], batch.data[i].data(), batch.bytes);
      batch.lanes &= ~(program::Mask{1} << lane);
    });
  std::erase_if(copies.under_way, [](const Batch &batch) { return batch.lanes == 0; });
}

/// Bytes each lane reads from its source.
void source_bytes(machine::Warp &warp, const program::Step &step, const CopyForm &form,
                  std::uint32_t *bytes) {
  const program::Mask ignored =
      form.ignore == CopyForm::kNone ? 0 : warp.predicate(operand(step, form.ignore));
  const auto *given =
      form.source_bytes == CopyForm::kNone ? nullptr : lanes_of<std::uint32_t>(warp, step, form.source_bytes);
  for (int lane = 0; lane < program::kLanes; ++lane) {
    bytes[lane] = given ? std::min<std::uint32_t>(given[lane], form.bytes) : form.bytes;
    if (ignored >> lane & 1) bytes[lane] = 0;
  }
}

/// Fills the batch's data; lanes whose source cannot be read leave it.
void read_sources(machine::Warp &warp, const program::Step &step, const CopyForm &form, Batch &batch) {
  std::uint64_t address[program::kLanes];
  std::uint32_t bytes[program::kLanes];
  std::byte *host[program::kLanes];
  read_addresses(warp, step, form.from, address);
  source_bytes(warp, step, form, bytes);
  for (program::Mask left = batch.lanes; left;) {
    const std::uint32_t size = bytes[__builtin_ctz(left)];
    program::Mask same = 0;
    for_lanes(left, [&](int lane) { same |= static_cast<program::Mask>(bytes[lane] == size) << lane; });
    left &= ~same;
    if (size == 0) continue;
    const machine::Access access{
        .space = ptx::Space::global, .bytes = static_cast<std::uint8_t>(size), .alignment = form.bytes};
    const program::Mask ready = machine::resolve(warp, step, same, access, address, host);
    for_lanes(ready, [&](int lane) {
      std::memcpy(batch.data[static_cast<std::size_t>(lane)].data(), host[lane], size);
    });
    batch.lanes &= ready | ~same;
  }
}

}  // namespace

void copy(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const CopyForm &form = *static_cast<const CopyForm *>(step.detail);
  WarpCopies &copies = copies_of(warp);
  Batch batch{.lanes = mask, .bytes = form.bytes, .group = copies.closed};
  read_sources(warp, step, form, batch);
  if (!batch.lanes) return;
  std::uint64_t address[program::kLanes];
  read_addresses(warp, step, form.to, address);
  const machine::Access access{.space = ptx::Space::shared,
                               .bytes = form.bytes,
                               .alignment = form.bytes,
                               .reads = false,
                               .writes = true,
                               .asynchronous = true};
  batch.lanes = machine::resolve(warp, step, batch.lanes, access, address, batch.to.data());
  if (batch.lanes) copies.under_way.push_back(batch);
}

void commit_group(machine::Warp &warp, const program::Step &, program::Mask mask) {
  WarpCopies &copies = copies_of(warp);
  for_lanes(mask, [&](int lane) { ++copies.closed[static_cast<std::size_t>(lane)]; });
  machine::async_commit(warp, mask);
}

void wait_group(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const auto left = static_cast<std::uint32_t>(step.data);
  deliver(copies_of(warp), mask,
          [&](std::uint32_t closed, std::uint32_t group) { return group < closed && closed - group > left; });
  machine::async_wait(warp, mask, left);
}

void arrive_all(machine::Warp &warp, program::Mask lanes) {
  deliver(copies_of(warp), lanes, [](std::uint32_t, std::uint32_t) { return true; });
  machine::async_commit(warp, lanes);
  machine::async_wait(warp, lanes, 0);
}

void wait_all(machine::Warp &warp, const program::Step &, program::Mask mask) {
  arrive_all(warp, mask);
}

void nothing(machine::Warp &, const program::Step &, program::Mask) {}

}  // namespace cupilot::emulate::lanes::async
