// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/probe_plan.h"

#include <algorithm>
#include <set>
#include <span>

#include "evolution/judge/data/input_family.h"

namespace cupilot {

namespace {

/// Orders and answers, poison, guards; then making inputs, and copying and comparing outputs.
constexpr double kGpuRunSeconds = 4e-4, kGpuFilledBytes = 4e11, kGpuComparedBytes = 3e9;
/// Ten million elements a second with all checks on.
constexpr double kCpuRunSeconds = 1e-3, kCpuElements = 1e7;
/// Blocks see what impulses do not (a minimum, a median); they need not be as many.
constexpr int kBlockStride = 9;
/// Odd, so that its multiples go through all regions.
constexpr int kSpread = 37;
constexpr int kLast = kProbeRegions - 1;

/// One input of one case that can be probed.
struct Target {
  std::size_t case_index = 0;
  std::string parameter;
  std::vector<ProbeKind> kinds;
  std::uint64_t elements = 0;
  bool own = false;
  double seconds = 0;
  std::uint64_t output_bytes = 0;
};

std::vector<Target> targets_of(const Bundle &bundle, const std::vector<CaseLayout> &layouts,
                               const std::vector<bool> &own, bool emulated) {
  std::vector<Target> targets;
  for (std::size_t c = 0; c < bundle.cases.size(); ++c) {
    if (!bundle.cases[c].verified) continue;
    for (const PlacedBuffer &buffer : layouts[c].buffers) {
      const bool read = buffer.role == BufferRole::in || buffer.role == BufferRole::inout;
      auto kinds = probe_kinds(buffer.fill, buffer.element.type);
      if (!read || kinds.empty() || buffer.elements == 0) continue;
      targets.push_back({c, bundle.parameters[buffer.parameter].name, std::move(kinds), buffer.elements,
                         own[c], run_seconds(layouts[c], emulated), layouts[c].dump_bytes});
    }
  }
  return targets;
}

class Choice {
public:
  explicit Choice(const ProbeLimits &limits) : limits_(limits) {}

  /// `always`: whatever it costs; the memory it takes is counted all the same.
  bool add(const Target &target, ProbeKind kind, int region, bool always) {
    const RegionRange range = region_range(target.elements, region);
    if (range.begin == range.end) return true;
    // Of a few elements the last has two names.
    if (region != kLast && range.end == target.elements && target.elements < kProbeRegions) return true;
    const std::string family = to_family({kind, target.parameter, region});
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
      derived_seed(seed, "region/" + target.parameter + std::to_string(target.case_index)) % kProbeRegions);
}

/// The ends and one place between, of every input of the workloads themselves; some region of a neighbour's.
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

/// All regions of all inputs of one case, spread over the buffers as far as there is room.
void add_case(Choice &choice, std::span<const Target> targets) {
  for (int step = 0; step < kProbeRegions; ++step) {
    const int region = step * kSpread % kProbeRegions;
    for (const Target &target : targets) {
      choice.add(target, target.kinds.front(), region, false);
      if (step % kBlockStride == 0) choice.add(target, target.kinds.back(), region, false);
    }
  }
}

/// The cheapest cases first: what is skipped there is skipped in a large one, too.
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

std::vector<PlannedProbe> plan_probes(const Bundle &bundle, const std::vector<CaseLayout> &layouts,
                                      const std::vector<bool> &own, const ProbeLimits &limits,
                                      std::uint64_t seed) {
  if (limits.seconds <= 0) return {};
  const auto targets = targets_of(bundle, layouts, own, limits.emulated);
  Choice choice(limits);
  add_few(choice, targets, seed);
  add_all(choice, targets);
  return choice.take();
}

}  // namespace cupilot
