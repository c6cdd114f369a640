// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/analyst_facts.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <vector>

#include "annotate/support/text.h"
#include "evolution/model/limits.h"
#include "evolution/role/words.h"

namespace cupilot::role {
namespace {

constexpr std::size_t kMostNote = 160;  ///< characters
constexpr std::size_t kMostParts = 3;

template <class Row>
double weight_of(const Row &row, double time_us) {
  return std::isfinite(time_us) ? std::max(row.weight, 0.0) * time_us + 1e-9 * time_us : 0;
}

const model::Measurement *main_measurement(const model::Verdict &verdict) {
  const model::Measurement *main = nullptr;
  for (const model::Measurement &one : verdict.measurements) {
    if (one.holdout || !(one.original.median_us > 0)) continue;
    if (!main || weight_of(one, one.original.median_us) > weight_of(*main, main->original.median_us))
      main = &one;
  }
  return main;
}

const model::Estimate *main_estimate(const model::Verdict &verdict) {
  const model::Estimate *main = nullptr;
  for (const model::Estimate &one : verdict.estimates) {
    if (one.holdout || !(one.original.time_us > 0)) continue;
    if (!main || weight_of(one, one.original.time_us) > weight_of(*main, main->original.time_us)) main = &one;
  }
  return main;
}

std::string one_line(const std::string &text) {
  std::string line;
  for (const char c : text) {
    const bool printable = static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
    line += printable ? c : ' ';
  }
  line = std::string(trim(line));
  return line.size() <= kMostNote ? line : line.substr(0, kMostNote) + "...";
}

double share(double value) {
  return std::isfinite(value) ? std::max(0.0, value) : 0;
}

/// The parts that take most of the time, largest first.
std::string parts_text(const model::EstimatedTime &time) {
  std::vector<std::pair<double, std::string>> parts;
  for (const auto &[name, part_us] : time.parts_us)
    if (part_us > 0) parts.emplace_back(part_us, name);
  std::ranges::sort(parts, [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(parts.size(), kMostParts); ++i)
    texts.push_back(fmt::format("{} {}", parts[i].second, microseconds_text(parts[i].first)));
  return join(texts, ", ");
}

/// The names are those of evolution/emulate/estimate.
std::string class_of_bound(const std::string &bound) {
  if (bound == "dram" || bound == "l2" || bound == "lsu") return "memory-bound";
  if (bound == "alu" || bound == "issue") return "compute-bound";
  return bound.empty() ? "" : "latency-bound";
}

/// Without counters the arithmetic is unknown, so only a busy memory can be detected.
std::string class_of(const RunFacts &facts, const std::string &profiled) {
  const bool memory = facts.memory_share >= model::kBoundShare,
             compute = facts.compute_share >= model::kBoundShare;
  if (!facts.counted) return memory ? "memory-bound" : "";
  if (memory && compute) return "middle";
  if (!profiled.empty()) return profiled;
  return memory ? "memory-bound" : compute ? "compute-bound" : "latency-bound";
}

void add_profile(RunFacts &facts, const model::Verdict &verdict, bool of_candidate) {
  std::string profiled;
  for (const model::Profile &profile : of_candidate ? verdict.profiles : verdict.original_profiles) {
    if (profile.workload != facts.workload) continue;
    facts.counters = profile.counters;
    facts.counted = !profile.counters.empty();
    facts.note = one_line(profile.note);
    facts.memory_share = share(profile.memory_share);
    facts.compute_share = share(profile.compute_share);
    profiled = profile.roofline_class;
  }
  if (facts.memory_share <= 0 && facts.copy_gbs > 0 && facts.time_us > 0)
    facts.memory_share = share(facts.least_bytes / (facts.time_us * 1e-6) / (facts.copy_gbs * 1e9));
  // The compute share is the largest of issue, tensor core and float arithmetic shares; the float share is
  // known only if it is the largest.
  const double others = std::max(facts.counter(kIssueCounter), facts.counter(kTensorCounter)) / 100;
  if (facts.compute_share > others + 0.01) facts.flop_share = facts.compute_share;
  facts.roofline_class = class_of(facts, profiled);
}

void add_slowest(RunFacts &facts, const model::Verdict &verdict) {
  for (const model::Measurement &one : verdict.measurements) {
    if (one.holdout || one.weight <= 0 || !(one.speedup > 0) || one.speedup >= facts.slowest_speedup)
      continue;
    facts.slowest = one.workload;
    facts.slowest_speedup = one.speedup;
  }
}

RunFacts measured(const model::Verdict &verdict, const model::Measurement &main, bool of_candidate) {
  RunFacts facts;
  facts.workload = main.workload;
  facts.time_us = (of_candidate ? main.candidate : main.original).median_us;
  facts.least_bytes = main.bytes_moved;
  facts.copy_gbs = verdict.device.copy_bandwidth_gbs;
  add_profile(facts, verdict, of_candidate);
  if (of_candidate) add_slowest(facts, verdict);
  return facts;
}

RunFacts estimated(const model::Estimate &main, bool of_candidate) {
  const model::EstimatedTime &time = of_candidate ? main.candidate : main.original;
  RunFacts facts;
  facts.workload = main.workload;
  facts.estimated = true;
  facts.time_us = time.time_us;
  facts.bound = time.bound;
  facts.parts = parts_text(time);
  facts.roofline_class = class_of_bound(time.bound);
  const auto part = [&](const char *name) {
    const auto found = time.parts_us.find(name);
    return found == time.parts_us.end() || time.time_us <= 0 ? 0 : share(found->second / time.time_us);
  };
  facts.memory_share = part("dram");
  facts.compute_share = std::max(part("alu"), part("issue"));
  return facts;
}

}  // namespace

double RunFacts::counter(const std::string &name) const {
  const auto found = counters.find(name);
  return found == counters.end() || !std::isfinite(found->second) ? 0 : found->second;
}

std::optional<RunFacts> run_facts(const model::Verdict &verdict, bool of_candidate) {
  std::optional<RunFacts> facts;
  if (const model::Measurement *main = main_measurement(verdict))
    facts = measured(verdict, *main, of_candidate);
  else if (const model::Estimate *guess = main_estimate(verdict))
    facts = estimated(*guess, of_candidate);
  if (!facts || !of_candidate) return facts;
  facts->registers = verdict.build.registers;
  facts->spill_bytes = verdict.build.spill_bytes;
  facts->static_shared_bytes = verdict.build.static_shared_bytes;
  return facts;
}

std::string figures_text(const RunFacts &facts) {
  std::string text = fmt::format("workload: {}\n", facts.workload);
  const auto add = [&](const std::string &name, const std::string &value) {
    if (!value.empty()) text += fmt::format("{}: {}\n", name, value);
  };
  add(facts.estimated ? "estimated time, not measured" : "time", microseconds_text(facts.time_us));
  add("estimated parts", facts.parts);
  add("roofline class by rules", facts.roofline_class);
  if (facts.least_bytes > 0) add("least bytes", bytes_text(facts.least_bytes));
  if (facts.copy_gbs > 0) add("measured copy bandwidth", decimals(facts.copy_gbs, 0) + " GB/s");
  if (facts.memory_share > 0) add("share of memory", percent(facts.memory_share));
  if (facts.compute_share > 0) add("share of the arithmetic peak", percent(facts.compute_share));
  if (facts.registers > 0) add("registers a thread", std::to_string(facts.registers));
  if (facts.registers > 0) add("bytes spilled", std::to_string(facts.spill_bytes));
  if (facts.registers > 0) add("static shared memory, bytes", std::to_string(facts.static_shared_bytes));
  if (facts.slowest_speedup < 1)
    add("slower than the original on", fmt::format("{}, {}", facts.slowest, factor(facts.slowest_speedup)));
  if (!facts.counted && !facts.estimated)
    add("no counters", facts.note.empty() ? "not asked for" : facts.note);
  for (const auto &[name, value] : facts.counters) add(name, decimals(value, 2));
  return text;
}

}  // namespace cupilot::role
