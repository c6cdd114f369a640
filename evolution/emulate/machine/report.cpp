// SPDX-License-Identifier: Apache-2.0
// Makes findings: maps a step and a lane to a place in the user's source.

#include <bit>

#include "evolution/emulate/machine/block.h"

namespace cupilot::emulate::machine {
bool FindingSink::add(Finding finding, std::uint32_t pc, std::uint32_t other_pc) {
  const std::lock_guard lock(mutex_);
  const auto [found, fresh] = at_.try_emplace({finding.kind, pc, other_pc}, findings_.size());
  if (fresh)
    findings_.push_back(std::move(finding));
  else
    findings_[found->second].times += finding.times;
  return findings_.size() < most_;
}

std::vector<Finding> FindingSink::take() {
  const std::lock_guard lock(mutex_);
  at_.clear();
  return std::move(findings_);
}

ThreadPlace thread_place(const LaunchState &launch, std::uint64_t block, std::uint32_t thread) {
  const auto split = [](std::uint64_t linear, const std::array<std::uint32_t, 3> &extent) {
    const std::uint64_t x = extent[0], y = extent[1];
    return std::array<std::uint32_t, 3>{static_cast<std::uint32_t>(linear % x),
                                        static_cast<std::uint32_t>(linear / x % y),
                                        static_cast<std::uint32_t>(linear / x / y)};
  };
  return {split(block, launch.request.grid), split(thread, launch.request.block)};
}

ThreadPlace thread_place(const Warp &warp, int lane) {
  if (lane < 0) lane = warp.active ? std::countr_zero(warp.active) : 0;
  return thread_place(warp.block->launch, warp.block->number, thread_number(warp, lane));
}

void record(Warp &warp, Report report) {
  LaunchState &launch = warp.block->launch;
  Finding finding;
  finding.kind = report.kind;
  finding.kernel = std::string(launch.entry.source->name);
  finding.message = std::move(report.message);
  finding.place = launch.program.place(report.pc);
  finding.thread = thread_place(warp, report.lane);
  if (report.other_pc != program::kNowhere) finding.other_place = launch.program.place(report.other_pc);
  finding.other_thread = report.other_thread;
  const bool room = launch.findings.add(std::move(finding), report.pc, report.other_pc);
  if (!report.fatal && room) return;
  launch.ended = true;
  warp.stop = true;
}

void report(Warp &warp, const program::Step &step, FindingKind kind, int lane, std::string message) {
  const bool goes_on = kind == FindingKind::shared_race || kind == FindingKind::global_race ||
                       kind == FindingKind::warp_race || kind == FindingKind::shared_overrun ||
                       kind == FindingKind::uninitialised_read;
  record(warp, {.kind = kind, .pc = step.pc, .lane = lane, .message = std::move(message), .fatal = !goes_on});
}

void report_conflict(Warp &warp, const program::Step &step, FindingKind kind, int lane, std::string message,
                     const check::Toucher &other) {
  record(warp, {.kind = kind,
                .pc = step.pc,
                .lane = lane,
                .message = std::move(message),
                .other_pc = other.pc,
                .other_thread = thread_place(warp.block->launch, other.block, other.thread),
                .fatal = false});
}

std::byte *shared_memory(Warp &warp) {
  return warp.block->shared;
}
std::uint32_t shared_bytes(const Warp &warp) {
  return warp.block->launch.shared_bytes;
}

BlockState *block_state(Warp &warp, const void *key) {
  const auto found = warp.block->states.find(key);
  return found == warp.block->states.end() ? nullptr : found->second.get();
}
void set_block_state(Warp &warp, const void *key, BlockState *owned) {
  warp.block->states[key].reset(owned);
}

}  // namespace cupilot::emulate::machine
