// SPDX-License-Identifier: Apache-2.0
//
// The analyst by rules: the thresholds of CuTeGen (arXiv 2604.01489), applied to the counters of
// evolution/judge/time/roofline.cpp. These have no SM throughput, so the share of the arithmetic peak
// replaces it. Without counters the analysis uses the time alone and says so.

#include "evolution/role/analyst.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "annotate/support/text.h"
#include "evolution/model/limits.h"
#include "evolution/role/analyst_facts.h"
#include "evolution/role/device_facts.h"
#include "evolution/role/prompt.h"
#include "evolution/role/words.h"

namespace cupilot {
namespace {

// Thresholds of CuTeGen, as shares.
constexpr int kManyRegisters = 96;
constexpr double kFewWarps = 0.40, kBusy = 0.70, kIdle = 0.50, kBothIdle = 0.40;
constexpr double kReadAgain = 1.25;  ///< ratio of counted bytes to least bytes
constexpr double kSlowCase = 0.97;   ///< a workload this much slower than the original is worth a sentence

using Sentence = std::optional<std::string>;
using Maker = Sentence (*)(const RunFacts &);

Sentence roofline(const RunFacts &facts) {
  const std::string where = "n workload '" + facts.workload + "'";
  const std::string kind = facts.roofline_class.empty() ? "" : " and is " + facts.roofline_class;
  const std::string takes = " it takes " + microseconds_text(facts.time_us) + kind;
  if (facts.estimated)
    return "No measurement: by an estimate on the CPU it takes about " + microseconds_text(facts.time_us) +
           " o" + where + ", most of it for '" + facts.bound + "'" +
           (facts.parts.empty() ? "." : " (" + facts.parts + ").");
  const std::string memory = percent(facts.memory_share) + " of the measured copy bandwidth (" +
                             decimals(facts.copy_gbs, 0) + " GB/s)";
  if (facts.counted)
    return "O" + where + takes + ": " + memory + ", " + percent(facts.compute_share) +
           " of the arithmetic peak.";
  const std::string head = "No hardware counters" + (facts.note.empty() ? "" : " (" + facts.note + ")") +
                           "; by its time alone, o" + where;
  if (facts.memory_share <= 0) return head + takes + ".";
  return head + takes + ", moving its least bytes (" + bytes_text(facts.least_bytes) + ") at " + memory + ".";
}

Sentence traffic(const RunFacts &facts) {
  const double carried = facts.counter("dram__bytes.sum");
  if (carried <= 0 || facts.least_bytes <= 0) return {};
  const double ratio = carried / facts.least_bytes;
  if (ratio >= kReadAgain)
    return "DRAM carries " + decimals(ratio, 1) + " times the least bytes (" + bytes_text(carried) +
           " against " + bytes_text(facts.least_bytes) +
           "): data is fetched again that one pass, a tile or the L2 could keep.";
  if (facts.memory_share >= kBoundShare)
    return "DRAM carries hardly more than the least bytes (" + decimals(ratio, 2) +
           " times), so only the rate can rise: wider accesses and more bytes in flight.";
  return {};
}

Sentence balance(const RunFacts &facts) {
  if (!facts.counted) return {};
  const double memory = std::max(facts.memory_share, facts.counter(kDramShareCounter) / 100);
  const double compute = facts.compute_share;
  const std::string shares = " (memory " + percent(memory) + ", arithmetic " + percent(compute) + ")";
  if (memory >= kBusy && compute <= kIdle)
    return "Memory is the limit while arithmetic idles" + shares +
           ": fewer bytes help, faster arithmetic does not.";
  if (compute >= kBusy && memory <= kIdle)
    return "Arithmetic is the limit while memory idles" + shares +
           ": fewer or faster instructions help, fewer bytes do not.";
  if (memory <= kBothIdle && compute <= kBothIdle)
    return "Neither memory nor arithmetic is busy" + shares +
           ": the structure makes the device wait, by too few blocks, long dependent chains, barriers or "
           "accesses "
           "that are not coalesced.";
  return {};
}

Sentence occupancy(const RunFacts &facts) {
  const double warps = facts.counter(kWarpsCounter) / 100;
  const std::string registers = std::to_string(facts.registers) + " registers a thread";
  if (!facts.counted && facts.registers >= kManyRegisters)
    return "It uses " + registers + ", which leaves room for " +
           std::to_string(kRegisters / facts.registers / kWarpThreads) +
           " warps on a multiprocessor at most.";
  if (!facts.counted || warps <= 0 || warps > kFewWarps) return {};
  if (facts.registers >= kManyRegisters)
    return "Register pressure: with " + registers + " only " + percent(warps) +
           " of the warp slots are active; keep fewer values alive or make a thread's tile smaller.";
  return "Only " + percent(warps) + " of the warp slots are active" +
         (facts.registers > 0 ? ", with " + registers : "") +
         "; more blocks, or more independent work in each thread, would hide latency.";
}

Sentence spills(const RunFacts &facts) {
  const double loads = facts.counter("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum");
  if (facts.spill_bytes > 0)
    return "The compiler spills " + std::to_string(facts.spill_bytes) +
           " bytes of registers to local memory; smaller tiles or other launch bounds avoid that.";
  if (loads > 0)
    return "It reads local memory (" + decimals(loads, 0) +
           " sectors): an array that should be in registers is indexed by something unknown at compile time.";
  return {};
}

Sentence caches(const RunFacts &facts) {
  const double l2 = facts.counter("lts__t_bytes.sum"), dram = facts.counter("dram__bytes.sum");
  if (l2 <= 0 || dram <= 0) return {};
  return "The L2 carries " + decimals(l2 / dram, 1) + " times what DRAM carries; " +
         decimals(facts.counter("l1tex__t_sector_hit_rate.pct"), 0) + " % of the L1's sectors are hits.";
}

Sentence issue(const RunFacts &facts) {
  const double issued = facts.counter(kIssueCounter) / 100;
  if (issued <= 0) return {};
  const double fused = facts.counter("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"),
               apart = facts.counter("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") +
                       facts.counter("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum");
  std::string text = "Instructions are issued in " + percent(issued) + " of the cycles";
  if (fused + apart > 0) text += ", and " + percent(fused / (fused + apart)) + " of the float ones are fused";
  if (issued >= kBoundShare && facts.flop_share > 0 && facts.flop_share < issued / 2)
    text += "; float arithmetic reaches " + percent(facts.flop_share) +
            " of its peak, so addresses, loads and conversions take the slots";
  return text + ".";
}

Sentence tensor(const RunFacts &facts) {
  const double active = facts.counter(kTensorCounter) / 100;
  if (!facts.counted || active <= 0) return {};
  return "Tensor cores are active in " + percent(active) + " of the cycles.";
}

Sentence slow_case(const RunFacts &facts) {
  if (facts.slowest.empty() || facts.slowest_speedup >= kSlowCase) return {};
  return "On workload '" + facts.slowest +
         "' it is slower than the original: " + factor(facts.slowest_speedup) + ".";
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

Analysis analyse(const Verdict &verdict, bool of_candidate) {
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

RoleRequest analyst_request(const KernelBrief &brief, const Verdict &verdict, bool of_candidate) {
  const Analysis rules = analyse(verdict, of_candidate);
  const std::optional<RunFacts> facts = run_facts(verdict, of_candidate);
  return role_request("analyst", stable_prefix(brief),
                      {{"what", of_candidate ? "a variant of the kernel" : "the original kernel"},
                       {"most", std::to_string(kMostDigestSentences)},
                       {"figures", facts ? fenced(figures_text(*facts), "text") : ""},
                       {"rules", digest_text(rules)}});
}

}  // namespace cupilot
