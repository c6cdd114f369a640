// SPDX-License-Identifier: Apache-2.0
#include "evolution/emulate/estimate/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "evolution/emulate/estimate/occupancy.h"
#include "evolution/emulate/estimate/replay.h"
#include "evolution/emulate/estimate/reuse.h"

namespace cupilot::emulate::estimate {

namespace {

/// Work of one estimate, in warp steps: about a second on one core in all.
constexpr std::size_t kMostTraced = 3'000'000, kMostOfOneBlock = 12'000'000, kMostReplayed = 5'000'000;
constexpr std::uint64_t kMostBlocks = 256;

/// What is known before anything runs.
struct Plan {
  std::uint64_t blocks = 0, per_multiprocessor = 0;
  int multiprocessors = 0, resident = 0, warps = 0;
  double shared_bytes = 0;
};

Result<Plan> make_plan(const machine::LoadedProgram &program, const machine::LaunchRequest &request,
                       const KernelResource &resource, const DeviceTable &device) {
  Plan plan;
  plan.blocks = static_cast<std::uint64_t>(request.grid[0]) * request.grid[1] * request.grid[2];
  const std::uint64_t threads =
      static_cast<std::uint64_t>(request.block[0]) * request.block[1] * request.block[2];
  if (plan.blocks == 0 || threads == 0 || threads > 1024)
    return user_error(
        fmt::format("cannot estimate a launch of {} blocks of {} threads", plan.blocks, threads));
  const auto statics =
      std::max<std::uint64_t>(program.program->functions[request.function].shared_bytes,
                              static_cast<std::uint64_t>(std::max(0, resource.static_shared_bytes)));
  plan.shared_bytes = static_cast<double>(statics + request.dynamic_shared_bytes);
  const Residency found = residency(static_cast<int>(threads), resource.registers,
                                    statics + request.dynamic_shared_bytes, device);
  if (found.blocks == 0)
    return user_error(fmt::format("a block needs more {} than {} has", found.limit, device.name));
  plan.multiprocessors = static_cast<int>(device.values.at("multiprocessors"));
  plan.warps = found.warps;
  plan.per_multiprocessor = (plan.blocks + static_cast<std::uint64_t>(plan.multiprocessors) - 1) /
                            static_cast<std::uint64_t>(plan.multiprocessors);
  plan.resident = static_cast<int>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(found.blocks), plan.per_multiprocessor));
  return plan;
}

std::string fault_of(const machine::LaunchResult &result) {
  return result.findings.empty() ? "the run was stopped" : machine::describe(result.findings.front());
}

/// Runs `blocks` one after the other, without checks, and traces them.
Result<> trace_blocks(machine::LoadedProgram &program, memory::Memory &memory,
                      const machine::LaunchRequest &request, std::vector<std::uint64_t> blocks,
                      std::size_t most_events, Trace &trace) {
  Tracer tracer(trace, *program.program, most_events);
  machine::LaunchOptions options;
  options.threads = 1;
  options.only_blocks = std::move(blocks);
  options.observer = &tracer;
  options.stop = &tracer.full;
  options.print = [](std::string_view) {};
  const machine::LaunchResult result = machine::launch(program, memory, request, options);
  if (trace.blocks.empty() || !trace.blocks.front().finished) {
    if (tracer.full)
      return user_error(fmt::format(
          "one block executes more than {} instructions of warps, or waits for another block, which an "
          "estimate does not run; try a smaller workload",
          most_events));
    return fail("running a block for the estimate: " + fault_of(result));
  }
  std::erase_if(trace.blocks, [](const BlockTrace &block) { return !block.finished; });
  return {};
}

/// The blocks of one multiprocessor, in groups that are resident together, spread over the launch.
std::vector<std::uint64_t> blocks_to_trace(const Plan &plan, std::size_t steps_of_block) {
  const auto step = static_cast<std::uint64_t>(plan.multiprocessors);
  const std::uint64_t first = plan.blocks > step ? step / 2 : 0,
                      on_one = (plan.blocks - first + step - 1) / step;
  const std::uint64_t affordable =
      std::max<std::uint64_t>(1, kMostTraced / std::max<std::size_t>(steps_of_block, 1));
  const std::uint64_t wanted = std::min({on_one, affordable, kMostBlocks});
  const std::uint64_t group = std::min<std::uint64_t>(static_cast<std::uint64_t>(plan.resident), wanted);
  const std::uint64_t groups = (wanted + group - 1) / group;
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t k = 0; k < wanted; ++k) {
    const std::uint64_t start = k / group * (on_one - group) / std::max<std::uint64_t>(groups - 1, 1);
    const std::uint64_t block = first + std::min(on_one - 1, start + k % group) * step;
    if (std::ranges::find(chosen, block) == chosen.end()) chosen.push_back(block);
  }
  return chosen;
}

/// Cycles until the multiprocessor's last block ends, from those that were replayed.
double all_cycles(std::vector<double> ends, const Plan &plan) {
  std::ranges::sort(ends);
  const std::size_t done = ends.size(), resident = static_cast<std::size_t>(plan.resident);
  const double rest = static_cast<double>(plan.per_multiprocessor) - static_cast<double>(done);
  if (rest <= 0) return ends.back();
  double each = ends.back() / static_cast<double>(done);
  if (done >= 3 * resident)
    each = (ends[done - resident - 1] - ends[resident - 1]) / static_cast<double>(done - 2 * resident);
  else if (done > resident)
    each = (ends.back() - ends[resident - 1]) / static_cast<double>(done - resident);
  return ends.back() + rest * each;
}

/// The busiest slice of the L2 processes its atomics one after the other.
double atomics_us(const Trace &trace, const Plan &plan, const DeviceTable &device) {
  const double integer_ns = device.values.at("atomic_same_integer_ns");
  const double float_ns = device.values.at("atomic_same_float_ns");
  const double scale = static_cast<double>(plan.blocks) / static_cast<double>(trace.blocks.size());
  double most_ns = 0;
  for (const auto &[slice, at] : trace.atomics) {
    // A chunk that only one of several blocks uses is private to that block.
    const double times = at.blocks == 1 && trace.blocks.size() > 1 ? 1 : scale;
    most_ns = std::max(most_ns, times * (at.integers * integer_ns + at.floats * float_ns));
  }
  return most_ns / 1e3;
}

/// Nanoseconds per byte of memory traffic. Alternating reads and writes are slower than either alone. As in
/// the judge's timing, the launch starts with an L2 full of written lines, which must be written back before
/// it can hold others, and ends before its own last lines are written back.
double dram_ns_per_byte(const Reuse &reuse, const Plan &plan, const DeviceTable &device) {
  const double blocks = static_cast<double>(plan.blocks);
  const double read = reuse.read_bytes * blocks, written = reuse.written_bytes * blocks, all = read + written;
  const double pure = device.values.at("dram_read_gbs"), mixed = device.values.at("dram_gbs");
  if (all <= 0) return 1 / pure;
  const double dirty = kDirtyL2 * device.values.at("l2_bytes");
  const double moved = all + std::min(dirty, all) - std::min(dirty, written);
  const double writes = (moved - read) / moved;
  return moved / all / (pure - (pure - mixed) * 4 * writes * (1 - writes));
}

/// PTX does not show spills: each spilled word is stored and loaded once, through the LSU.
double spill_cycles(const Plan &plan, const KernelResource &resource) {
  return static_cast<double>(plan.per_multiprocessor) * plan.warps * 2 *
         (std::max(0, resource.spill_bytes) / 4.0);
}

/// The time of parts that overlap: the largest, or a little more when several are close, because they wait
/// for each other.
double together(std::initializer_list<double> parts) {
  constexpr double kPower = 4;
  double sum = 0;
  for (const double part : parts) sum += std::pow(part, kPower);
  return std::pow(sum, 1 / kPower);
}

void fill_parts(LaunchEstimate &estimate, const ReplayResult &result, double scale, double cycles_per_us) {
  double units = 0;
  for (const double port : result.ports) units = std::max(units, port);
  const std::pair<const char *, double> parts[] = {
      {"issue", result.issue}, {"alu", units}, {"lsu", result.lsu}, {"l2", result.l2}, {"dram", result.dram}};
  for (const auto &[name, cycles] : parts) estimate.parts_us[name] = cycles * scale / cycles_per_us;
}

/// The traced blocks on the multiprocessor that gets most blocks.
ReplayResult replay_launch(const machine::LoadedProgram &program, const Trace &trace, const Plan &plan,
                           Reuse reuse, const DeviceTable &device) {
  ReplayRequest request{*program.program, trace, device};
  request.dram_ns_per_byte = dram_ns_per_byte(reuse, plan, device);
  request.dram_share = std::move(reuse.dram_share);
  request.dram_bytes = std::move(reuse.dram_bytes);
  request.resident = plan.resident;
  request.blocks = plan.per_multiprocessor;
  request.busy_share = static_cast<double>(plan.per_multiprocessor) / static_cast<double>(plan.blocks);
  request.l1_bytes = device.values.at("l1_bytes") - plan.resident * plan.shared_bytes;
  CodeBook codes(*program.program, device);
  return replay(request, codes, kMostReplayed);
}

void name_bound(LaunchEstimate &estimate, double running) {
  double busiest = 0;
  for (const auto &[name, time] : estimate.parts_us)
    if (time > busiest) {
      busiest = time;
      estimate.bound = name;
    }
  estimate.parts_us["latency"] = std::max(0.0, running - busiest);
  if (running > 2 * busiest) estimate.bound = "latency";
}

/// Extends the time of one multiprocessor's replayed blocks to the whole launch.
LaunchEstimate put_together(const Trace &trace, const Plan &plan, const ReplayResult &result,
                            const KernelResource &resource, const DeviceTable &device) {
  LaunchEstimate estimate;
  estimate.blocks = plan.blocks;
  estimate.occupancy =
      plan.resident * plan.warps * program::kLanes / device.values.at("max_threads_per_multiprocessor");
  const double cycles_per_us = device.values.at("clock_ghz") * 1e3;
  const double replayed = static_cast<double>(result.ends.size()), blocks = static_cast<double>(plan.blocks);
  estimate.instructions = result.instructions * blocks / replayed;
  estimate.dram_bytes = result.dram_bytes * blocks / replayed;
  estimate.l2_bytes = result.l2_sectors * kSectorBytes * blocks / replayed;
  fill_parts(estimate, result, static_cast<double>(plan.per_multiprocessor) / replayed, cycles_per_us);
  const double spills = spill_cycles(plan, resource) / cycles_per_us;
  const double running = all_cycles(result.ends, plan) / cycles_per_us + spills;
  const double atomics = atomics_us(trace, plan, device);
  const double starts = blocks / device.values.at("blocks_per_ns") / 1e3;
  estimate.parts_us["lsu"] += spills;
  estimate.parts_us["atomics"] = atomics;
  estimate.parts_us["starts"] = starts;
  estimate.parts_us["launch"] = device.values.at("launch_us");
  name_bound(estimate, running);
  estimate.time_us = together({running, atomics, starts}) + device.values.at("launch_us");
  return estimate;
}

}  // namespace

Result<LaunchEstimate> estimate_launch(machine::LoadedProgram &program, memory::Memory &memory,
                                       const machine::LaunchRequest &request, const KernelResource &resource,
                                       const DeviceTable &device) {
  CUPILOT_TRY(plan, make_plan(program, request, resource, device));
  Trace probe;
  CUPILOT_CHECKED(trace_blocks(program, memory, request, {plan.blocks / 2}, kMostOfOneBlock, probe));
  const std::size_t steps = probe.blocks.front().events;
  probe = {};
  Trace trace;
  CUPILOT_CHECKED(trace_blocks(program, memory, request, blocks_to_trace(plan, steps),
                               kMostTraced + 2 * steps + kMostOfOneBlock, trace));
  Reuse reuse = find_reuse(program, memory, request, device, steps);
  std::set<std::uint64_t> blocks_run{plan.blocks / 2};  // one may be executed for several purposes
  for (const BlockTrace &block : trace.blocks) blocks_run.insert(block.block);
  blocks_run.insert(reuse.blocks.begin(), reuse.blocks.end());
  const ReplayResult result = replay_launch(program, trace, plan, std::move(reuse), device);
  LaunchEstimate estimate = put_together(trace, plan, result, resource, device);
  estimate.kernel = std::string(program.program->functions[request.function].source->name);
  estimate.blocks_run = blocks_run.size();
  return estimate;
}

}  // namespace cupilot::emulate::estimate
