// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/trace.h"

#include <algorithm>
#include <map>

namespace cupilot::emulate::estimate {

namespace {

std::uint8_t small(unsigned value) {
  return static_cast<std::uint8_t>(std::min(value, 255u));
}

/// Sectors of which the lanes together write less than all 32 bytes.
unsigned partial_sectors(const machine::AccessSeen &access, unsigned sectors) {
  const unsigned bytes = static_cast<unsigned>(__builtin_popcount(access.mask)) * access.bytes;
  if (bytes >= sectors * kSectorBytes) return 0;
  if (bytes <= sectors * kSectorBytes / 2) return sectors;
  return std::min(sectors, 2u);  // a contiguous access that starts and ends within sectors
}

}  // namespace

Tracer::Tracer(Trace &trace, const program::Program &program, std::size_t most_events)
    : trace_(trace), floating_(program.info.size()), most_events_(most_events) {
  for (std::size_t pc = 0; pc < program.info.size(); ++pc) {
    const program::StepInfo &info = program.info[pc];
    if (info.instruction == program::kNowhere) continue;
    const auto &words = program.functions[info.function].source->body[info.instruction].words;
    floating_[pc] = !words.empty() && (words[0] == "atom" || words[0] == "red") &&
                    words.back().find('f') != std::string_view::npos;
  }
}

void Tracer::block_begins(std::uint64_t block, unsigned slot, unsigned warps) {
  if (block_of_slot_.size() <= slot) block_of_slot_.resize(slot + 1);
  block_of_slot_[slot] = trace_.blocks.size();
  BlockTrace fresh;
  touched_.clear();
  fresh.block = block;
  fresh.warps.resize(warps);
  trace_.blocks.push_back(std::move(fresh));
}

void Tracer::block_ends(std::uint64_t, unsigned slot) {
  trace_.blocks[block_of_slot_[slot]].finished = true;
}

void Tracer::step(unsigned slot, unsigned warp, std::uint32_t pc, program::Mask) {
  BlockTrace &block = trace_.blocks[block_of_slot_[slot]];
  block.warps[warp].events.push_back({pc, kNoAccess});
  ++block.events;
  if (++events_ > most_events_) full = true;
}

void Tracer::access(unsigned slot, unsigned warp, std::uint32_t pc, const machine::AccessSeen &access) {
  BlockTrace &block = trace_.blocks[block_of_slot_[slot]];
  auto &events = block.warps[warp].events;
  if (events.empty() || events.back().pc != pc || access.mask == 0) return;
  Request request;
  request.space = access.space;
  request.write = access.write;
  request.atomic = access.atomic;
  request.asynchronous = access.asynchronous;
  request.bytes = access.bytes;
  request.lanes = small(static_cast<unsigned>(__builtin_popcount(access.mask)));
  if (access.atomic) add_atomic(request, access, block.block, floating_[pc]);
  if (access.space == ptx::Space::shared) {
    const SharedCost cost = shared_cost(access);
    request.wavefronts = small(cost.wavefronts);
    request.words = small(cost.words);
    const std::uint64_t lowest = access.address[__builtin_ctz(access.mask)];
    request.aligned = lowest == 0 ? 16 : std::min<std::uint32_t>(16, 1u << __builtin_ctzll(lowest));
  } else {
    add_global(request, access);
  }
  // An instruction may touch memory more than once (copies from global to shared): a chain of events.
  if (events.back().access != kNoAccess) events.push_back({pc, kNoAccess});
  events.back().access = static_cast<std::uint32_t>(trace_.requests.size());
  trace_.requests.push_back(request);
}

void Tracer::add_global(Request &request, const machine::AccessSeen &access) {
  request.first = static_cast<std::uint32_t>(trace_.sectors.size());
  if (access.space == ptx::Space::local) {  // interleaved by lane: as good as contiguous
    request.sectors = small((request.lanes * access.bytes + 31u) / 32u);
    request.wavefronts = request.lines = small((request.sectors + 3u) / 4u);
    for (unsigned i = 0; i < request.sectors; ++i)
      trace_.sectors.push_back(
          (memory::kLocalWindow + access.address[__builtin_ctz(access.mask)] * 32) / kSectorBytes + i);
    return;
  }
  request.sectors = small(append_sectors(access, trace_.sectors));
  request.lines = small(count_lines(&trace_.sectors[request.first], request.sectors));
  request.wavefronts = small(l1_wavefronts(access, request.lines));
  for (unsigned i = 0; i < std::min<unsigned>(request.sectors, 32); ++i)
    if (touched_.insert(trace_.sectors[request.first + i]).second) request.fresh |= 1u << i;
  if (access.write) request.partial = small(partial_sectors(access, request.sectors));
}

/// A slice processes the lanes of one sector together, but lanes with the same address one after the other.
/// The compiler first adds up a warp's integers for one address.
void Tracer::add_atomic(Request &request, const machine::AccessSeen &access, std::uint64_t block,
                        bool floating) {
  const Contention found = contention(access);
  request.same = small(found.lanes);
  request.floating = floating;
  if (access.space == ptx::Space::shared) return;
  const bool added_up = found.distinct == 1 && !floating;
  if (added_up) request.lanes = request.same = 1;
  std::map<std::uint64_t, std::map<std::uint64_t, unsigned>> by_sector;
  for (program::Mask rest = access.mask; rest; rest &= rest - 1) {
    const std::uint64_t address = access.address[__builtin_ctz(rest)];
    ++by_sector[address / kSectorBytes][address];
  }
  for (const auto &[sector, lanes] : by_sector) {
    unsigned turns = 0;
    for (const auto &[address, count] : lanes) turns = std::max(turns, added_up ? 1 : count);
    auto &slice = trace_.atomics[sector * kSectorBytes / kSliceBytes];
    // Operations on different addresses of a sector cost the same as integers.
    (floating && turns > 1 ? slice.floats : slice.integers) += turns;
    if (slice.last_block != block) ++slice.blocks;
    slice.last_block = block;
  }
}

}  // namespace cupilot::emulate::estimate
