// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/replay.h"

#include <algorithm>
#include <deque>
#include <queue>

#include "evolution/emulate/estimate/memory_path.h"

namespace cupilot::emulate::estimate {

namespace {

constexpr int kSchedulers = 4;
/// A warp runs until it is this far ahead of the others; within this time the order of warps does not matter.
constexpr double kSlack = 8;

/// The state of one warp in its trace.
struct Runner {
  const WarpTrace *trace = nullptr;
  std::size_t event = 0;
  const BlockCode *code = nullptr;
  std::uint32_t position = 0;
  std::vector<std::uint32_t> access;  ///< of the current code's positions
  std::vector<double> ready;          ///< likewise
  std::vector<double> registers;      ///< time when each register can be read
  double time = 0;
  int slot = 0, scheduler = 0;
  bool waiting = false;
};

struct Slot {
  std::size_t alive = 0, arrived = 0;
  double latest = 0;
  std::vector<std::uint32_t> runners;
};

class Multiprocessor {
public:
  Multiprocessor(const ReplayRequest &request, CodeBook &codes)
      : request_(request), codes_(codes), path_(request) {
    for (const auto &function : request.program.module->functions)
      most_registers_ = std::max(most_registers_, function.registers.size());
    most_blocks_ = request.blocks;
    barrier_ = value("barrier_cycles");
    barrier_warp_ = value("barrier_warp_cycles");
    start_ = value("block_start_cycles");
  }

  ReplayResult run(std::size_t most_steps);

private:
  double value(const char *key) const { return request_.device.values.at(key); }
  void start_block(int slot, double time);
  void run_warp(std::uint32_t number);
  bool next_code(Runner &runner);
  void collect(Runner &runner, unsigned iterations);
  std::size_t turn_end(const Runner &runner, std::size_t event, const BlockCode &code) const;
  void finish_code(Runner &runner);
  double earliest(const Runner &runner, const Position &position) const;
  void issue(Runner &runner, const Position &position, double time);
  void reach_barrier(Runner &runner);
  void release(Slot &slot);
  void end_warp(Runner &runner);
  void make_ready(std::uint32_t number) { queue_.emplace(runners_[number].time, number); }

  const ReplayRequest &request_;
  CodeBook &codes_;
  MemoryPath path_;
  std::size_t most_registers_ = 0, steps_ = 0;
  double barrier_ = 0, barrier_warp_ = 0, start_ = 0;
  std::uint64_t started_ = 0, most_blocks_ = 0;
  std::deque<Runner> runners_;
  std::vector<std::uint32_t> spare_;
  std::vector<Slot> slots_;
  std::array<double, kSchedulers> issue_free_{};
  std::array<std::array<double, kPorts>, kSchedulers> port_free_{};
  std::priority_queue<std::pair<double, std::uint32_t>, std::vector<std::pair<double, std::uint32_t>>,
                      std::greater<>>
      queue_;
  int next_scheduler_ = 0;
  ReplayResult result_;
};

void Multiprocessor::start_block(int number, double time) {
  if (started_ >= most_blocks_) return;
  const BlockTrace &block = request_.trace.blocks[started_ % request_.trace.blocks.size()];
  // Blocks that are replayed again represent other blocks, so they get other addresses.
  path_.place_block(number, started_ / request_.trace.blocks.size());
  ++started_;
  Slot &slot = slots_[static_cast<std::size_t>(number)];
  slot = {};
  for (const WarpTrace &trace : block.warps) {
    if (spare_.empty()) {
      spare_.push_back(static_cast<std::uint32_t>(runners_.size()));
      runners_.emplace_back();
    }
    const std::uint32_t index = spare_.back();
    spare_.pop_back();
    Runner &runner = runners_[index];
    runner.trace = &trace;
    runner.event = runner.position = 0;
    runner.code = nullptr;
    runner.registers.assign(most_registers_, 0);
    runner.time = time + start_;
    runner.slot = number;
    runner.scheduler = next_scheduler_++ % kSchedulers;
    runner.waiting = false;
    slot.runners.push_back(index);
    ++slot.alive;
    make_ready(index);
  }
}

/// The end of the events of this pass through the block.
std::size_t Multiprocessor::turn_end(const Runner &runner, std::size_t event, const BlockCode &code) const {
  const auto &events = runner.trace->events;
  std::uint32_t last = 0;
  bool first = true;
  while (event < events.size()) {
    const std::uint32_t pc = events[event].pc;
    if (pc < code.begin || pc >= code.end || (!first && pc < last)) break;
    last = pc;
    first = false;
    ++event;
  }
  return event;
}

void Multiprocessor::collect(Runner &runner, unsigned iterations) {
  const BlockCode &code = *runner.code;
  const auto &events = runner.trace->events;
  const std::size_t length = code.end - code.begin;
  // By step and turn first, then in the positions' order.
  thread_local std::vector<std::uint32_t> by_step;
  by_step.assign(length * iterations, kNoAccess);
  std::size_t event = runner.event;
  for (unsigned iteration = 0; iteration < iterations; ++iteration) {
    const std::size_t end = turn_end(runner, event, code);
    for (; event < end; ++event)
      if (events[event].access != kNoAccess)
        by_step[iteration * length + events[event].pc - code.begin] = events[event].access;
  }
  runner.event = event;
  runner.access.resize(code.positions.size());
  for (std::size_t i = 0; i < code.positions.size(); ++i)
    runner.access[i] = by_step[code.positions[i].iteration * length + code.positions[i].pc - code.begin];
  runner.ready.assign(code.positions.size(), 0);
  runner.position = 0;
}

bool Multiprocessor::next_code(Runner &runner) {
  const auto &events = runner.trace->events;
  if (runner.event >= events.size()) return false;
  const std::uint32_t pc = events[runner.event].pc;
  runner.code = &codes_.at(pc);
  unsigned iterations = 1;
  if (codes_.unrolls(pc)) {
    std::size_t end = runner.event;
    unsigned turns = 0;
    while (turns < kUnrolled) {
      const std::size_t next = turn_end(runner, end, *runner.code);
      if (next == end || events[end].pc != pc) break;
      end = next;
      ++turns;
    }
    if (turns == kUnrolled) {
      iterations = kUnrolled;
      runner.code = &codes_.at(pc, true);
    }
  }
  collect(runner, iterations);
  return true;
}

void Multiprocessor::finish_code(Runner &runner) {
  for (const auto &[reg, position] : runner.code->results) runner.registers[reg] = runner.ready[position];
  runner.code = nullptr;
}

/// The time at which the warp can issue this position: its needs are ready, and its scheduler and unit are
/// free.
double Multiprocessor::earliest(const Runner &runner, const Position &position) const {
  double time = runner.time;
  const std::int32_t *need = runner.code->needs.data() + position.first_need;
  for (std::uint32_t i = 0; i < position.needs; ++i)
    time = std::max(time, need[i] >= 0 ? runner.ready[static_cast<std::size_t>(need[i])]
                                       : runner.registers[static_cast<std::size_t>(~need[i])]);
  if (position.cost.issues <= 0) return time;
  const auto scheduler = static_cast<std::size_t>(runner.scheduler);
  time = std::max(time, issue_free_[scheduler]);
  if (position.cost.port != Port::none)
    time = std::max(time, port_free_[scheduler][static_cast<std::size_t>(position.cost.port)]);
  return time;
}

void Multiprocessor::issue(Runner &runner, const Position &position, double time) {
  const MachineCost &cost = position.cost;
  const auto scheduler = static_cast<std::size_t>(runner.scheduler);
  if (cost.port != Port::none) {
    const auto port = static_cast<std::size_t>(cost.port);
    port_free_[scheduler][port] = time + cost.port_cycles * kSchedulers;
    result_.ports[port] += cost.port_cycles;
  }
  issue_free_[scheduler] = runner.time = time + cost.issues;
  result_.issue += cost.issues / kSchedulers;
  result_.instructions += cost.issues;
}

void Multiprocessor::run_warp(std::uint32_t number) {
  Runner &runner = runners_[number];
  const double until = (queue_.empty() ? 1e300 : queue_.top().first) + kSlack;
  for (;;) {
    if (!runner.code && !next_code(runner)) return end_warp(runner);
    const Position &position = runner.code->positions[runner.position];
    const std::uint32_t access = runner.access[runner.position];
    const double time = earliest(runner, position);
    double ready = time + position.cost.latency;
    if (position.cost.issues > 0) {
      if (time > until) {  // other warps go first
        runner.time = time;
        return make_ready(number);
      }
      issue(runner, position, time);
    }
    if (position.merged == kDoneByOther) {
      ready = time + path_.shared_latency();
    } else if (access != kNoAccess) {
      const Touch touch = path_.access(request_.trace.requests[access], position, runner.slot, time);
      ready = touch.ready;
      runner.time = std::max(runner.time, touch.goes_on);
    }
    runner.ready[runner.position] = ready;
    ++steps_;
    const bool barrier = position.cost.kind == Kind::barrier;
    if (++runner.position == runner.code->positions.size()) finish_code(runner);
    if (barrier) return reach_barrier(runner);
  }
}

void Multiprocessor::release(Slot &slot) {
  const double cycles = barrier_ + barrier_warp_ * static_cast<double>(slot.alive);
  for (const std::uint32_t index : slot.runners) {
    Runner &runner = runners_[index];
    if (!runner.waiting) continue;
    runner.waiting = false;
    runner.time = slot.latest + cycles;
    make_ready(index);
  }
  slot.arrived = 0;
  slot.latest = 0;
}

void Multiprocessor::reach_barrier(Runner &runner) {
  Slot &slot = slots_[static_cast<std::size_t>(runner.slot)];
  runner.waiting = true;
  slot.latest = std::max(slot.latest, runner.time);
  if (++slot.arrived == slot.alive) release(slot);
}

void Multiprocessor::end_warp(Runner &runner) {
  Slot &slot = slots_[static_cast<std::size_t>(runner.slot)];
  if (--slot.alive > 0) {
    slot.latest = std::max(slot.latest, slot.arrived ? runner.time : 0);
    if (slot.arrived == slot.alive) release(slot);
    return;
  }
  result_.ends.push_back(runner.time);
  spare_.insert(spare_.end(), slot.runners.begin(), slot.runners.end());
  start_block(runner.slot, runner.time);
}

ReplayResult Multiprocessor::run(std::size_t most_steps) {
  slots_.resize(static_cast<std::size_t>(request_.resident));
  for (int slot = 0; slot < request_.resident; ++slot) start_block(slot, 0);
  const std::uint64_t at_least = static_cast<std::uint64_t>(request_.resident);
  while (!queue_.empty()) {
    const std::uint32_t number = queue_.top().second;
    queue_.pop();
    run_warp(number);
    if (steps_ > most_steps && started_ > at_least) most_blocks_ = started_;  // running ones are finished
  }
  path_.report(result_);
  return std::move(result_);
}

}  // namespace

ReplayResult replay(const ReplayRequest &request, CodeBook &codes, std::size_t most_steps) {
  return Multiprocessor(request, codes).run(most_steps);
}

}  // namespace cupilot::emulate::estimate
