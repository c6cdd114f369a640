// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/probe_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::cases {

namespace {

/// Cost of a run on a GPU: seconds for messages, poison and guards; bytes per second for filling inputs, and
/// for copying and comparing outputs.
constexpr double kGpuRunSeconds = 4e-4, kGpuFilledBytes = 4e11, kGpuComparedBytes = 3e9;
/// The emulated device executes ten million elements per second with all checks on.
constexpr double kCpuRunSeconds = 1e-3, kCpuElements = 1e7;
/// Block probes detect what impulses do not (a minimum, a median); fewer of them are needed.
constexpr int kBlockStride = 9;
constexpr int kLast = data::kProbeRegions - 1;

/// One input of one case that can be probed.
struct Target {
  std::size_t case_index = 0;
  std::string parameter;
  std::vector<data::ProbeKind> kinds;
  std::uint64_t elements = 0;
  bool own = false;
  double seconds = 0;
  std::uint64_t output_bytes = 0;
};

std::vector<Target> targets_of(const model::Bundle &bundle, const std::vector<CaseLayout> &layouts,
                               const std::vector<bool> &own, bool emulated) {
  std::vector<Target> targets;
  for (std::size_t c = 0; c < bundle.cases.size(); ++c) {
    if (!bundle.cases[c].verified || bundle.cases[c].once) continue;
    for (const PlacedBuffer &buffer : layouts[c].buffers) {
      auto kinds = data::probe_kinds(buffer.fill, buffer.element.type);
      if (!buffer.read() || kinds.empty() || buffer.elements == 0) continue;
      targets.push_back({c, bundle.parameters[buffer.parameter].name, std::move(kinds), buffer.elements,
                         own[c], run_seconds(layouts[c], emulated), layouts[c].dump_bytes});
    }
  }
  return targets;
}

class Choice {
public:
  explicit Choice(const ProbeLimits &limits) : limits_(limits) {}

  /// Returns false if the limits leave no room. `always` ignores the limits, but the cost is still counted.
  bool add(const Target &target, data::ProbeKind kind, int region, bool always) {
    const data::RegionRange range = data::region_range(target.elements, region);
    if (range.begin == range.end) return true;
    // In a buffer of few elements two regions may name the last element.
    if (region != kLast && range.end == target.elements && target.elements < data::kProbeRegions) return true;
    const std::string family = data::to_family({kind, target.parameter, region});
    if (chosen_.contains({target.case_index, family})) return true;
    if (!always &&
        (seconds_ + target.seconds > limits_.seconds || bytes_ + target.output_bytes > limits_.output_bytes))
      return false;
    seconds_ += target.seconds;
    bytes_ += target.output_bytes;
    chosen_.insert({target.case_index, family});
    list_.push_back({target.case_index, family});
    return true;
  }

  std::vector<PlannedProbe> take() {
    std::ranges::stable_sort(list_, {}, &PlannedProbe::case_index);
    return std::move(list_);
  }

private:
  const ProbeLimits &limits_;
  double seconds_ = 0;
  std::uint64_t bytes_ = 0;
  std::set<std::pair<std::size_t, std::string>> chosen_;
  std::vector<PlannedProbe> list_;
};

int any_region(const Target &target, std::uint64_t seed) {
  return static_cast<int>(
      data::derived_seed(seed, fmt::format("region/{}{}", target.parameter, target.case_index)) %
      data::kProbeRegions);
}

/// Adds the last and first region and one random region of every input of the workloads; one of each
/// neighbour's input.
void add_few(Choice &choice, const std::vector<Target> &targets, std::uint64_t seed) {
  for (const Target &target : targets)
    if (target.own) choice.add(target, target.kinds.front(), kLast, true);
  for (const Target &target : targets)
    if (target.own) choice.add(target, target.kinds.front(), 0, false);
  for (const Target &target : targets)
    if (target.own) choice.add(target, target.kinds.back(), any_region(target, seed), false);
  for (const Target &target : targets)
    if (!target.own) choice.add(target, target.kinds.front(), any_region(target, seed), false);
}

/// Adds all regions of all inputs of one case, in an order that spreads over the buffers while there is room.
void add_case(Choice &choice, std::span<const Target> targets) {
  for (int step = 0; step < data::kProbeRegions; ++step) {
    const int region = data::spread_region(step);
    for (const Target &target : targets) {
      choice.add(target, target.kinds.front(), region, false);
      if (step % kBlockStride == 0) choice.add(target, target.kinds.back(), region, false);
    }
  }
}

/// Starts with the cheapest cases: a kernel that skips data there also skips it in a large case.
void add_all(Choice &choice, std::vector<Target> targets) {
  std::erase_if(targets, [](const Target &target) { return !target.own; });
  const auto cost = [](const Target &target) { return std::pair(target.seconds, target.case_index); };
  std::ranges::stable_sort(targets, {}, cost);
  for (std::size_t begin = 0, end = 0; begin < targets.size(); begin = end) {
    while (end < targets.size() && targets[end].case_index == targets[begin].case_index) ++end;
    add_case(choice, std::span(targets).subspan(begin, end - begin));
  }
}

}  // namespace

double run_seconds(const CaseLayout &layout, bool emulated) {
  if (!emulated)
    return kGpuRunSeconds + static_cast<double>(layout.arena_bytes) / kGpuFilledBytes +
           static_cast<double>(layout.dump_bytes) / kGpuComparedBytes;
  double elements = 0;
  for (const PlacedBuffer &buffer : layout.buffers) elements += static_cast<double>(buffer.elements);
  return kCpuRunSeconds + elements / kCpuElements;
}

std::vector<PlannedProbe> plan_probes(const model::Bundle &bundle, const std::vector<CaseLayout> &layouts,
                                      const std::vector<bool> &own, const ProbeLimits &limits,
                                      std::uint64_t seed) {
  if (limits.seconds <= 0) return {};
  const auto targets = targets_of(bundle, layouts, own, limits.emulated);
  Choice choice(limits);
  add_few(choice, targets, seed);
  add_all(choice, targets);
  return choice.take();
}

}  // namespace cupilot::judge::cases
