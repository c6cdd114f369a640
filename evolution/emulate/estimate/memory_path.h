// SPDX-License-Identifier: Apache-2.0
//
// Models the path of a warp's memory request: the load/store unit and shared memory, the L1, and this
// multiprocessor's share of L2 and memory bandwidth. Each part is a queueing server, and a request waits for
// every part that it passes.

#pragma once

#include "evolution/emulate/estimate/l1_cache.h"
#include "evolution/emulate/estimate/replay.h"

namespace cupilot::emulate::estimate {

struct Touch {
  double ready = 0;    ///< time when the data can be used
  double goes_on = 0;  ///< time when the warp can issue its next instruction
};

class MemoryPath {
public:
  explicit MemoryPath(const ReplayRequest &request);
  /// Shifts the addresses of a block that is replayed again, so that it does not hit its first copy's data.
  void place_block(int slot, std::uint64_t copy);
  Touch access(const Request &request, const Position &position, int slot, double time);
  double shared_latency() const { return shared_latency_; }
  void report(ReplayResult &result) const;

private:
  Touch shared(const Request &request, const Position &position, double time);
  Touch load(const Request &request, std::uint32_t pc, std::uint64_t shift, double time);
  Touch store(const Request &request, std::uint32_t pc, std::uint64_t shift, double time);
  Touch atomic(const Request &request, double time);
  void take_dram(std::uint32_t pc, unsigned sectors, double start);
  double dram_latency(double time) const;
  double take_lsu(double time, double cycles);
  double value(const char *key) const { return request_.device.values.at(key); }

  const ReplayRequest &request_;
  L1Cache l1_;
  std::vector<std::uint64_t> shifts_;
  double shared_latency_, l1_latency_, l2_latency_, dram_latency_;
  double l1_cycles_, wavefront_cycles_, request_cycles_, queue_cycles_;
  /// Cycles of this multiprocessor's share for a sector, a line, a byte of memory, and one lane's atomic.
  double l2_sector_, l2_line_, l2_write_, l2_partial_, dram_, atomic_;
  double lsu_free_ = 0, l2_free_ = 0, dram_free_ = 0, atomic_free_ = 0;
  double lsu_busy_ = 0, l2_busy_ = 0, dram_busy_ = 0, atomic_busy_ = 0, l2_sectors_ = 0, dram_bytes_ = 0;
};

}  // namespace cupilot::emulate::estimate
