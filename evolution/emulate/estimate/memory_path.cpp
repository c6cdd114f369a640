// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/memory_path.h"

#include <algorithm>

namespace cupilot::emulate::estimate {

namespace {

/// Requests a warp may queue at the LSU before its next one waits.
constexpr double kLsuQueueCycles = 32;
/// Pending writes and atomics to the L2 before the LSU waits.
constexpr double kWriteQueueCycles = 600;
/// Addresses of another copy of the traced blocks.
constexpr std::uint64_t kCopySectors = 1ull << 50;

}  // namespace

MemoryPath::MemoryPath(const ReplayRequest &request)
    : request_(request), l1_(request.l1_bytes), shifts_(static_cast<std::size_t>(request.resident)) {
  shared_latency_ = value("shared_latency_cycles");
  l1_latency_ = value("l1_latency_cycles");
  l2_latency_ = value("l2_latency_cycles");
  dram_latency_ = value("dram_latency_cycles");
  l1_cycles_ = value("l1_wavefront_cycles");
  request_cycles_ = value("lsu_request_cycles");
  queue_cycles_ = value("dram_queue_cycles");
  wavefront_cycles_ = value("shared_wavefront_cycles");
  const double cycles_per_ns = value("clock_ghz") / std::max(request.busy_share, 1e-9);
  // A line has a fixed cost and a cost per sector, derived from measurements with one sector and with four.
  const double whole = kLineBytes / value("l2_read_gbs"), isolated = 1 / value("l2_isolated_per_ns");
  l2_sector_ = std::max(0.0, whole - isolated) / 3 * cycles_per_ns;
  l2_line_ = isolated * cycles_per_ns - l2_sector_;
  l2_write_ = kSectorBytes / value("l2_write_gbs") * cycles_per_ns;
  l2_partial_ = cycles_per_ns / value("l2_partial_writes_per_ns");
  dram_ = request.dram_ns_per_byte * cycles_per_ns;
  atomic_ = cycles_per_ns / value("atomics_per_ns");
}

void MemoryPath::place_block(int slot, std::uint64_t copy) {
  shifts_[static_cast<std::size_t>(slot)] = copy * kCopySectors;
}

/// The time at which the LSU begins with a request.
double MemoryPath::take_lsu(double time, double cycles) {
  const double start = std::max(time, lsu_free_);
  cycles += request_cycles_;
  lsu_free_ = start + cycles;
  lsu_busy_ += cycles;
  return start;
}

Touch MemoryPath::access(const Request &request, const Position &position, int slot, double time) {
  const std::uint64_t shift = shifts_[static_cast<std::size_t>(slot)];
  Touch touch;
  if (request.space == ptx::Space::shared)
    touch = shared(request, position, time);
  else if (request.atomic)
    touch = atomic(request, time);
  else if (request.write)
    touch = store(request, position.pc, shift, time);
  else
    touch = load(request, position.pc, shift, time);
  touch.goes_on = std::max(time, lsu_free_ - kLsuQueueCycles);
  return touch;
}

Touch MemoryPath::shared(const Request &request, const Position &position, double time) {
  double cycles = request.wavefronts * wavefront_cycles_;
  if (request.atomic) {
    const bool floating = request.floating;
    const double alone = value(floating ? "shared_float_atomic_cycles" : "shared_atomic_cycles");
    const double turns =
        request.same * value(floating ? "shared_float_atomic_same_cycles" : "shared_atomic_same_cycles");
    cycles = floating ? alone + turns : std::max({alone, turns, request.wavefronts * wavefront_cycles_});
  } else if (position.merged > 0 && position.merged != kDoneByOther) {
    const unsigned together = position.merged + 1u;
    const bool aligned = request.aligned >= together * 4;
    const double wide = std::max<double>(request.wavefronts, (request.words * together + 31) / 32);
    cycles = wavefront_cycles_ * (aligned ? wide : request.wavefronts * together);
  }
  const double start = take_lsu(time, cycles);
  return {start + shared_latency_ + cycles - wavefront_cycles_, 0};
}

/// Requests arrive unevenly, so they wait before memory is saturated.
double MemoryPath::dram_latency(double time) const {
  const double busy = std::min(1.0, dram_busy_ / std::max(time, dram_latency_));
  return dram_latency_ + queue_cycles_ * busy * busy;
}

void MemoryPath::take_dram(std::uint32_t pc, unsigned sectors, double start) {
  const double bytes = sectors * static_cast<double>(request_.dram_bytes[pc]);
  dram_free_ = std::max(start, dram_free_) + bytes * dram_;
  dram_busy_ += bytes * dram_;
  dram_bytes_ += bytes;
}

Touch MemoryPath::load(const Request &request, std::uint32_t pc, std::uint64_t shift, double time) {
  const double cycles = std::max(1.0, request.wavefronts * l1_cycles_);
  const double start = take_lsu(time, cycles);
  double ready = start + l1_latency_ + cycles - 1;
  const std::uint64_t *sectors = &request_.trace.sectors[request.first];
  unsigned misses = 0, fresh = 0;
  for (unsigned i = 0; i < request.sectors; ++i) {
    const double found = l1_.find(sectors[i] + shift);
    if (found < 0) {
      ++misses;
      fresh += i >= 32 || (request.fresh >> i & 1);
    } else {
      ready = std::max(ready, found);
    }
  }
  if (misses == 0) return {ready, 0};
  const double lines = std::max(1.0, static_cast<double>(request.lines) * misses / request.sectors);
  const double taken = misses * l2_sector_ + lines * l2_line_;
  l2_free_ = std::max(start, l2_free_) + taken;
  l2_busy_ += taken;
  l2_sectors_ += misses;
  double arrived = l2_free_ + l2_latency_;
  if (fresh > 0 && request_.dram_share[pc] > 0) {
    take_dram(pc, fresh, start);
    // A request with several sectors is complete when the last one arrives.
    const double any = std::min(1.0, fresh * static_cast<double>(request_.dram_share[pc]));
    arrived = std::max(arrived, (1 - any) * arrived + any * (dram_free_ + dram_latency(start)));
  }
  for (unsigned i = 0; i < request.sectors; ++i) l1_.arrives(sectors[i] + shift, arrived);
  return {std::max(ready, arrived), 0};
}

Touch MemoryPath::store(const Request &request, std::uint32_t pc, std::uint64_t shift, double time) {
  const double start = take_lsu(time, std::max(1.0, request.wavefronts * l1_cycles_));
  const std::uint64_t *sectors = &request_.trace.sectors[request.first];
  for (unsigned i = 0; i < request.sectors; ++i) l1_.drop(sectors[i] + shift);
  const double taken = (request.sectors - request.partial) * l2_write_ + request.partial * l2_partial_;
  l2_free_ = std::max(start, l2_free_) + taken;
  l2_busy_ += taken;
  l2_sectors_ += request.sectors;
  const unsigned fresh = static_cast<unsigned>(__builtin_popcount(request.fresh)) +
                         (request.sectors > 32 ? request.sectors - 32u : 0u);
  if (fresh > 0) take_dram(pc, fresh, start);
  lsu_free_ = std::max(lsu_free_, std::max(l2_free_, dram_free_) - kWriteQueueCycles);
  return {start + 1, 0};
}

Touch MemoryPath::atomic(const Request &request, double time) {
  const double start = take_lsu(time, std::max(1.0, request.wavefronts * l1_cycles_));
  const double taken = std::max<double>(request.lanes, 1) * atomic_;
  atomic_free_ = std::max(start, atomic_free_) + taken;
  atomic_busy_ += taken;
  l2_sectors_ += request.sectors;
  lsu_free_ = std::max(lsu_free_, atomic_free_ - kWriteQueueCycles);
  return {atomic_free_ + l2_latency_, 0};
}

void MemoryPath::report(ReplayResult &result) const {
  result.lsu = lsu_busy_;
  result.l2 = l2_busy_;
  result.dram = dram_busy_;
  result.atomics = atomic_busy_;
  result.l2_sectors = l2_sectors_;
  result.dram_bytes = dram_bytes_;
}

}  // namespace cupilot::emulate::estimate
