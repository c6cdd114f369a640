// SPDX-License-Identifier: Apache-2.0
// cp.async: copies of single lanes, in groups.

#include <algorithm>

#include "evolution/emulate/lanes/lane_access.h"
#include "evolution/emulate/lanes/memory/async.h"

namespace cupilot::emulate::async {
namespace {

constexpr int kMostBytes = 16;

/// The pending copies of one instruction of one warp.
struct Batch {
  Mask lanes = 0;
  std::uint8_t bytes = 0;
  std::array<std::uint32_t, kLanes> group{};  ///< how many groups the lane had closed before
  std::array<std::byte *, kLanes> to{};
  std::array<std::array<std::byte, kMostBytes>, kLanes> data{};
};

struct WarpCopies {
  std::array<std::uint32_t, kLanes> closed{};
  std::vector<Batch> under_way;
};

struct Copies : BlockState {
  std::vector<WarpCopies> warps;
};

WarpCopies &copies_of(Warp &warp) {
  static const char kKey = 0;
  auto *copies = static_cast<Copies *>(block_state(warp, &kKey));
  if (!copies) set_block_state(warp, &kKey, copies = new Copies);
  if (copies->warps.size() <= warp.index) copies->warps.resize(warp.index + 1);
  return copies->warps[warp.index];
}

/// Delivers for each lane the copies for which `done(closed, group)` holds.
template <class Done>
void deliver(WarpCopies &copies, Mask lanes, Done done) {
  for (Batch &batch : copies.under_way)
    for_lanes(batch.lanes & lanes, [&](int lane) {
      const auto i = static_cast<std::size_t>(lane);
      if (!done(copies.closed[i], batch.group[i])) return;
      std::memcpy(batch.to[i], batch.data[i].data(), batch.bytes);
      batch.lanes &= ~(Mask{1} << lane);
    });
  std::erase_if(copies.under_way, [](const Batch &batch) { return batch.lanes == 0; });
}

/// Bytes each lane reads from its source.
void source_bytes(Warp &warp, const Step &step, const CopyForm &form, std::uint32_t *bytes) {
  const Mask ignored = form.ignore == CopyForm::kNone ? 0 : warp.predicate(operand(step, form.ignore));
  const auto *given =
      form.source_bytes == CopyForm::kNone ? nullptr : lanes_of<std::uint32_t>(warp, step, form.source_bytes);
  for (int lane = 0; lane < kLanes; ++lane) {
    bytes[lane] = given ? std::min<std::uint32_t>(given[lane], form.bytes) : form.bytes;
    if (ignored >> lane & 1) bytes[lane] = 0;
  }
}

/// Fills the batch's data; lanes whose source cannot be read leave it.
void read_sources(Warp &warp, const Step &step, const CopyForm &form, Batch &batch) {
  std::uint64_t address[kLanes];
  std::uint32_t bytes[kLanes];
  std::byte *host[kLanes];
  read_addresses(warp, step, form.from, address);
  source_bytes(warp, step, form, bytes);
  for (Mask left = batch.lanes; left;) {
    const std::uint32_t size = bytes[__builtin_ctz(left)];
    Mask same = 0;
    for_lanes(left, [&](int lane) { same |= static_cast<Mask>(bytes[lane] == size) << lane; });
    left &= ~same;
    if (size == 0) continue;
    const Access access{
        .space = ptx::Space::global, .bytes = static_cast<std::uint8_t>(size), .alignment = form.bytes};
    const Mask ready = resolve(warp, step, same, access, address, host);
    for_lanes(ready, [&](int lane) {
      std::memcpy(batch.data[static_cast<std::size_t>(lane)].data(), host[lane], size);
    });
    batch.lanes &= ready | ~same;
  }
}

}  // namespace

void copy(Warp &warp, const Step &step, Mask mask) {
  const CopyForm &form = *static_cast<const CopyForm *>(step.detail);
  WarpCopies &copies = copies_of(warp);
  Batch batch{.lanes = mask, .bytes = form.bytes, .group = copies.closed};
  read_sources(warp, step, form, batch);
  if (!batch.lanes) return;
  std::uint64_t address[kLanes];
  read_addresses(warp, step, form.to, address);
  const Access access{.space = ptx::Space::shared,
                      .bytes = form.bytes,
                      .alignment = form.bytes,
                      .reads = false,
                      .writes = true,
                      .asynchronous = true};
  batch.lanes = resolve(warp, step, batch.lanes, access, address, batch.to.data());
  if (batch.lanes) copies.under_way.push_back(batch);
}

void commit_group(Warp &warp, const Step &, Mask mask) {
  WarpCopies &copies = copies_of(warp);
  for_lanes(mask, [&](int lane) { ++copies.closed[static_cast<std::size_t>(lane)]; });
  async_commit(warp, mask);
}

void wait_group(Warp &warp, const Step &step, Mask mask) {
  const auto left = static_cast<std::uint32_t>(step.data);
  deliver(copies_of(warp), mask,
          [&](std::uint32_t closed, std::uint32_t group) { return group < closed && closed - group > left; });
  async_wait(warp, mask, left);
}

void arrive_all(Warp &warp, Mask lanes) {
  deliver(copies_of(warp), lanes, [](std::uint32_t, std::uint32_t) { return true; });
  async_commit(warp, lanes);
  async_wait(warp, lanes, 0);
}

void wait_all(Warp &warp, const Step &, Mask mask) {
  arrive_all(warp, mask);
}

void nothing(Warp &, const Step &, Mask) {}

}  // namespace cupilot::emulate::async
