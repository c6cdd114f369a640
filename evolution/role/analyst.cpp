// SPDX-License-Identifier: Apache-2.0
//
// The analyst by rules: the thresholds of CuTeGen (arXiv 2604.01489), applied to the counters of
// evolution/judge/time/roofline.cpp. These have no SM throughput, so the share of the arithmetic peak
// replaces it. Without counters the analysis uses the time alone and says so.

#include "evolution/role/analyst.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <optional>

#include "annotate/support/text.h"
#include "evolution/model/limits.h"
#include "evolution/role/analyst_facts.h"
#include "evolution/role/device_facts.h"
#include "evolution/role/prompt.h"
#include "evolution/role/words.h"

namespace cupilot::role {
namespace {

// Thresholds of CuTeGen, as shares.
constexpr int kManyRegisters = 96;
constexpr double kFewWarps = 0.40, kBusy = 0.70, kIdle = 0.50, kBothIdle = 0.40;
constexpr double kReadAgain = 1.25;  ///< ratio of counted bytes to least bytes
constexpr double kSlowCase = 0.97;   ///< a workload this much slower than the original is worth a sentence

using Sentence = std::optional<std::string>;
using Maker = Sentence (*)(const RunFacts &);

Sentence roofline(const RunFacts &facts) {
  const std::string where = fmt::format("n workload '{}'", facts.workload);
  const std::string kind = facts.roofline_class.empty() ? "" : " and is " + facts.roofline_class;
  const std::string takes = fmt::format(" it takes {}{}", microseconds_text(facts.time_us), kind);
  const auto in_brackets = [](const std::string &text) {
    return text.empty() ? text : fmt::format(" ({})", text);
  };
  if (facts.estimated)
    return fmt::format(
        "No measurement: by an estimate on the CPU it takes about {} o{}, most of it for '{}'{}.",
        microseconds_text(facts.time_us), where, facts.bound, in_brackets(facts.parts));
  const std::string memory = fmt::format("{} of the measured copy bandwidth ({} GB/s)",
                                         percent(facts.memory_share), decimals(facts.copy_gbs, 0));
  if (facts.counted)
    return fmt::format("O{}{}: {}, {} of the arithmetic peak.", where, takes, memory,
                       percent(facts.compute_share));
  const std::string head =
      fmt::format("No hardware counters{}; by its time alone, o{}{}", in_brackets(facts.note), where, takes);
  if (facts.memory_share <= 0) return head + ".";
  return fmt::format("{}, moving its least bytes ({}) at {}.", head, bytes_text(facts.least_bytes), memory);
}

Sentence traffic(const RunFacts &facts) {
  const double carried = facts.counter("dram__bytes.sum");
  if (carried <= 0 || facts.least_bytes <= 0) return {};
  const double ratio = carried / facts.least_bytes;
  if (ratio >= kReadAgain)
    return fmt::format(
        "DRAM carries {} times the least bytes ({} against {}): data is fetched again that one pass, "
        "a tile or the L2 could keep.",
        decimals(ratio, 1), bytes_text(carried), bytes_text(facts.least_bytes));
  if (facts.memory_share >= model::kBoundShare)
    return fmt::format(
        "DRAM carries hardly more than the least bytes ({} times), so only the rate can rise: wider "
        "accesses and more bytes in flight.",
        decimals(ratio, 2));
  return {};
}

Sentence balance(const RunFacts &facts) {
  if (!facts.counted) return {};
  const double memory = std::max(facts.memory_share, facts.counter(kDramShareCounter) / 100);
  const double compute = facts.compute_share;
  const std::string shares = fmt::format("(memory {}, arithmetic {})", percent(memory), percent(compute));
  if (memory >= kBusy && compute <= kIdle)
    return fmt::format(
        "Memory is the limit while arithmetic idles {}: fewer bytes help, faster arithmetic does not.",
        shares);
  if (compute >= kBusy && memory <= kIdle)
    return fmt::format(
        "Arithmetic is the limit while memory idles {}: fewer or faster instructions help, fewer "
        "bytes do not.",
        shares);
  if (memory <= kBothIdle && compute <= kBothIdle)
    return fmt::format(
        "Neither memory nor arithmetic is busy {}: the structure makes the device wait, by too few "
        "blocks, long dependent chains, barriers or accesses that are not coalesced.",
        shares);
  return {};
}

Sentence occupancy(const RunFacts &facts) {
  const double warps = facts.counter(kWarpsCounter) / 100;
  const std::string registers = fmt::format("{} registers a thread", facts.registers);
  if (!facts.counted && facts.registers >= kManyRegisters)
    return fmt::format("It uses {}, which leaves room for {} warps on a multiprocessor at most.", registers,
                       kRegisters / facts.registers / kWarpThreads);
  if (!facts.counted || warps <= 0 || warps > kFewWarps) return {};
  if (facts.registers >= kManyRegisters)
    return fmt::format(
        "Register pressure: with {} only {} of the warp slots are active; keep fewer values alive or "
        "make a thread's tile smaller.",
        registers, percent(warps));
  return fmt::format(
      "Only {} of the warp slots are active{}; more blocks, or more independent work in each thread, "
      "would hide latency.",
      percent(warps), facts.registers > 0 ? ", with " + registers : "");
}

Sentence spills(const RunFacts &facts) {
  const double loads = facts.counter("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum");
  if (facts.spill_bytes > 0)
    return fmt::format(
        "The compiler spills {} bytes of registers to local memory; smaller tiles or other launch "
        "bounds avoid that.",
        facts.spill_bytes);
  if (loads > 0)
    return fmt::format(
        "It reads local memory ({} sectors): an array that should be in registers is indexed by "
        "something unknown at compile time.",
        decimals(loads, 0));
  return {};
}

Sentence caches(const RunFacts &facts) {
  const double l2 = facts.counter("lts__t_bytes.sum"), dram = facts.counter("dram__bytes.sum");
  if (l2 <= 0 || dram <= 0) return {};
  return fmt::format("The L2 carries {} times what DRAM carries; {} % of the L1's sectors are hits.",
                     decimals(l2 / dram, 1), decimals(facts.counter("l1tex__t_sector_hit_rate.pct"), 0));
}

Sentence issue(const RunFacts &facts) {
  const double issued = facts.counter(kIssueCounter) / 100;
  if (issued <= 0) return {};
  const double fused = facts.counter("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
               apart = facts.counter("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") +
                       facts.counter("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum");
  std::string text = fmt::format("Instructions are issued in {} of the cycles", percent(issued));
  if (fused + apart > 0)
    text += fmt::format(", and {} of the float ones are fused", percent(fused / (fused + apart)));
  if (issued >= model::kBoundShare && facts.flop_share > 0 && facts.flop_share < issued / 2)
    text += fmt::format(
        "; float arithmetic reaches {} of its peak, so addresses, loads and conversions take the slots",
        percent(facts.flop_share));
  return text + ".";
}

Sentence tensor(const RunFacts &facts) {
  const double active = facts.counter(kTensorCounter) / 100;
  if (!facts.counted || active <= 0) return {};
  return fmt::format("Tensor cores are active in {} of the cycles.", percent(active));
}

Sentence slow_case(const RunFacts &facts) {
  if (facts.slowest.empty() || facts.slowest_speedup >= kSlowCase) return {};
  return fmt::format("On workload '{}' it is slower than the original: {}.", facts.slowest,
                     factor(facts.slowest_speedup));
}

/// Makers of sentences, the most important first, for each roofline class.
std::vector<Maker> makers_of(const std::string &roofline_class) {
  if (roofline_class == "memory-bound")
    return {roofline, traffic, balance, caches, occupancy, spills, slow_case};
  if (roofline_class == "compute-bound")
    return {roofline, issue, tensor, occupancy, spills, balance, slow_case};
  return {roofline, balance, occupancy, traffic, spills, issue, slow_case};
}

}  // namespace

Analysis analyse(const model::Verdict &verdict, bool of_candidate) {
  const std::optional<RunFacts> facts = run_facts(verdict, of_candidate);
  if (!facts) return {};
  Analysis analysis;
  analysis.roofline_class = facts->roofline_class;
  analysis.roof_share = std::clamp(std::max(facts->memory_share, facts->compute_share), 0.0, 1.0);
  for (const Maker maker : makers_of(facts->roofline_class)) {
    if (analysis.digest.size() == kMostDigestSentences) break;
    if (auto sentence = maker(*facts)) analysis.digest.push_back(std::move(*sentence));
  }
  return analysis;
}

std::string digest_text(const Analysis &analysis) {
  return bullets(analysis.digest);
}

provider::RoleRequest analyst_request(const KernelBrief &brief, const model::Verdict &verdict,
                                      bool of_candidate) {
  const Analysis rules = analyse(verdict, of_candidate);
  const std::optional<RunFacts> facts = run_facts(verdict, of_candidate);
  return role_request("analyst", stable_prefix(brief),
                      {{"what", of_candidate ? "a variant of the kernel" : "the original kernel"},
                       {"most", std::to_string(kMostDigestSentences)},
                       {"figures", facts ? fenced(figures_text(*facts), "text") : ""},
                       {"rules", digest_text(rules)}});
}

}  // namespace cupilot::role
