// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "evolution/judge/cases/mixed_shifts.h"
#include "evolution/judge/cases/probe_plan.h"
#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::cases {

namespace {

/// Memory for context, modules, pool and staging buffers.
constexpr std::uint64_t kDeviceReserve = 512u << 20;
/// Time for the probes in each candidate's verification, and the limit of their outputs if memory is short.
constexpr double kGpuProbeSeconds = 0.6, kCpuProbeSeconds = 0.25;
constexpr std::uint64_t kFewProbeBytes = 1 << 20;

/// Number of contents that timed launches of one case use in turn. Large cases have only two, since their
/// copies fill the cache anyway and all outputs must be kept and compared.
constexpr int kContents = 4, kFewContents = 2;
constexpr std::uint64_t kFewContentsBytes = 64u << 20;

/// Placements that move all pointers by the same amount; neighbours take them in turn.
constexpr std::size_t kUniformShifts = 3;

bool is_large(const CaseLayout &layout) {
  return layout.arena_bytes > kSmallCaseBytes;
}

std::vector<std::string> families_of(const model::Case &which, bool large, bool reduced, std::size_t turn) {
  std::vector<std::string> families = which.families;
  if (families.empty()) families = {"user"};
  if (!large || families.size() == 1) return families;
  if (reduced) return {families.front()};
  return {families.front(), families[1 + turn % (families.size() - 1)]};
}

Result<std::vector<CaseLayout>> layouts_of(const model::Bundle &bundle) {
  std::vector<CaseLayout> layouts;
  for (const model::Case &which : bundle.cases) {
    CUPILOT_TRY(layout, make_layout(bundle.parameters, which, Placement::base));
    layouts.push_back(std::move(layout));
  }
  return layouts;
}

std::uint64_t seed_of(const model::Bundle &bundle, const model::Case &which, const std::string &name) {
  return data::derived_seed(data_seed(bundle.request), fmt::format("{}/{}", which.id, name));
}

struct Extent {
  bool reduced = false;    ///< large cases lose their second family
  bool estimates = false;  ///< the device only estimates
  ProbeLimits probes;
};

/// Builds a plan step by step.
class Layer {
public:
  Layer(const model::Bundle &bundle, const std::vector<CaseLayout> &layouts, const Extent &extent)
      : bundle_(bundle), extent_(extent), first_(layouts.size(), kNoInputs) {
    plan_.layouts = layouts;
  }

  Plan make() {
    any_small_ = std::ranges::any_of(plan_.layouts, [](const auto &layout) { return !is_large(layout); });
    smallest_own_ = find_smallest_own();
    std::size_t turn = 0;
    for (std::size_t c = 0; c < bundle_.cases.size(); ++c)
      if (bundle_.cases[c].verified) add_case(c, is_large(plan_.layouts[c]) ? turn++ : 0);
    add_timing();
    add_second_draws();
    add_probes();
    plan_.runs.insert(plan_.runs.end(), misaligned_.begin(), misaligned_.end());
    for (const PlannedInputs &inputs : plan_.inputs)
      plan_.expected_bytes += plan_.layouts[inputs.case_index].dump_bytes;
    return std::move(plan_);
  }

private:
  std::size_t add_inputs(std::size_t c, const std::string &family, const std::string &seed_name) {
    plan_.inputs.push_back({c, family, seed_of(bundle_, bundle_.cases[c], seed_name)});
    return plan_.inputs.size() - 1;
  }

  void add_case(std::size_t c, std::size_t turn) {
    const model::Case &which = bundle_.cases[c];
    const bool large = is_large(plan_.layouts[c]);
    for (const std::string &family : families_of(which, large, extent_.reduced, turn)) {
      const std::size_t index = add_inputs(c, family, family);
      if (first_[c] == kNoInputs) first_[c] = index;
      plan_.runs.push_back({index});
    }
    plan_.dump_bytes = std::max(plan_.dump_bytes, plan_.layouts[c].dump_bytes);
    // At a size that was drawn, only the original is asked whether it reads what lies outside of its buffers;
    // the emulated device sees that by itself.
    if (!which.once || !extent_.estimates)
      plan_.runs.push_back({first_[c], Placement::moved, which.once, true});
    for (const Placement placement : in_place_of(c))
      (is_misaligned(placement) ? misaligned_ : plan_.runs).push_back({first_[c], placement});
    if (which.once) return;
    for (const Placement shift : shifts_of(c, large)) misaligned_.push_back({first_[c], shift});
    for (const Shifts shifts : mixed_shifts_of(c, large)) {
      misaligned_.push_back({first_[c], Placement::mixed});
      misaligned_.back().shifts = shifts;
    }
  }

  /// A neighbour takes one in turn. Of the cases that run once, those in which an output may have the data of
  /// an input are made for it.
  std::vector<Placement> in_place_of(std::size_t c) const {
    std::vector<Placement> all{Placement::in_place, Placement::in_place_last, Placement::in_place_misaligned,
                               Placement::in_place_last_misaligned};
    std::erase_if(all, [&](Placement placement) {
      return !can_be_in_place(plan_.layouts[c], bundle_.parameters, placement);
    });
    const model::Case &which = bundle_.cases[c];
    if (all.empty() || (is_users_own(which) && !which.once)) return all;
    const bool meant =
        std::ranges::any_of(plan_.layouts[c].buffers,
                            [](const PlacedBuffer &buffer) { return buffer.like != kOwnMemory; }) ||
        std::ranges::any_of(which.buffers, [](const model::CaseBuffer &buffer) {
          return !buffer.same_as.empty() && buffer.begins == 0;
        });
    if (which.once) return meant ? std::vector{all.front()} : std::vector<Placement>();
    if (is_large(plan_.layouts[c])) return {};
    std::erase_if(all, [&](Placement placement) { return !as_in_workload(c, placement); });
    return all.empty() ? all : std::vector{all[c % all.size()]};
  }

  /// Whether the workload itself has the same outputs in the memory of the same inputs. At sizes such as one,
  /// lengths are the same by chance, and an original may bear what it does not elsewhere.
  bool as_in_workload(std::size_t c, Placement placement) const {
    const auto partners = [&](std::size_t index) {
      return in_place_partners(plan_.layouts[index], bundle_.parameters, placement);
    };
    for (std::size_t own = 0; own < bundle_.cases.size(); ++own)
      if (is_users_own(bundle_.cases[own]) && bundle_.cases[own].verified &&
          bundle_.cases[own].workload == bundle_.cases[c].workload)
        return partners(own) == partners(c);
    return false;
  }

  std::size_t find_smallest_own() const {
    std::size_t found = kNoInputs;
    for (std::size_t c = 0; c < bundle_.cases.size(); ++c) {
      const model::Case &which = bundle_.cases[c];
      const auto bytes = plan_.layouts[c].arena_bytes;
      if (which.verified && !which.once && is_users_own(which) &&
          (found == kNoInputs || bytes < plan_.layouts[found].arena_bytes))
        found = c;
    }
    return found;
  }

  /// One of four neighbours takes mixed shifts.
  bool is_mixed(std::size_t c) const { return c % (kUniformShifts + 1) == kUniformShifts; }

  /// The smallest workload takes many.
  std::vector<Shifts> mixed_shifts_of(std::size_t c, bool large) const {
    const CaseLayout &layout = plan_.layouts[c];
    const bool own = is_users_own(bundle_.cases[c]);
    if (large || layout.buffers.size() < 2 || (own ? c != smallest_own_ : !is_mixed(c))) return {};
    return mixed_shifts(layout, own ? kMostMixedShifts : 1, seed_of(bundle_, bundle_.cases[c], "shifts"));
  }

  /// A neighbour takes one of the shifts in turn. A small workload of the user takes all of them, and each
  /// pointer is shifted alone.
  std::vector<Placement> shifts_of(std::size_t c, bool large) const {
    std::vector<Placement> all{Placement::misaligned, Placement::misaligned_two, Placement::misaligned_four};
    if (large) return any_small_ ? std::vector<Placement>() : std::vector{all.front()};
    if (!is_users_own(bundle_.cases[c])) {
      if (plan_.layouts[c].buffers.size() > 1 && is_mixed(c)) return {};
      return {all[c % all.size()]};
    }
    all.insert(all.end(), {Placement::slice_16, Placement::slice_32});
    const std::size_t pointers = plan_.layouts[c].buffers.size();
    for (std::size_t i = 0; pointers > 1 && i < std::min(pointers, kPlacementsOfOne.size()); ++i)
      all.push_back(kPlacementsOfOne[i]);
    return all;
  }

  /// The expected outputs of timed launches need separate runs of the original; estimates need none.
  void add_timing() {
    for (std::size_t c = 0; c < bundle_.cases.size(); ++c) {
      if (!bundle_.cases[c].timed) continue;
      if (extent_.estimates) {
        if (bundle_.request.time) plan_.estimated.push_back(c);
        continue;
      }
      plan_.inputs[add_timed_inputs(c, "timing")].compared_with = first_[c];
      if (extent_.reduced) continue;
      const int contents = plan_.layouts[c].arena_bytes > kFewContentsBytes ? kFewContents : kContents;
      for (int content = 1; content < contents; ++content)
        add_timed_inputs(c, "timing/" + std::to_string(content));
    }
  }

  std::size_t add_timed_inputs(std::size_t c, const std::string &seed_name) {
    const std::size_t index = add_inputs(c, "user", seed_name);
    plan_.runs.push_back({index, Placement::base, true});
    plan_.timing.push_back(index);
    return index;
  }

  /// Draws every workload's own data a second time, to check that the output depends on the data at all.
  void add_second_draws() {
    for (std::size_t c = 0; c < bundle_.cases.size(); ++c) {
      const bool drawn = bundle_.cases[c].timed && !extent_.estimates;
      if (drawn || !bundle_.cases[c].verified || !is_users_own(bundle_.cases[c])) continue;
      if (plan_.inputs[first_[c]].family != "user") continue;
      const std::size_t index = add_inputs(c, "user", "second draw");
      plan_.inputs[index].compared_with = first_[c];
      plan_.runs.push_back({index, Placement::base, true});
    }
  }

  /// All probes of a case change the same data.
  void add_probes() {
    std::vector<bool> own;
    for (const model::Case &which : bundle_.cases) own.push_back(is_users_own(which));
    std::size_t base = kNoInputs;
    for (const PlannedProbe &probe :
         plan_probes(bundle_, plan_.layouts, own, extent_.probes, data_seed(bundle_.request))) {
      const std::size_t c = probe.case_index;
      if (base == kNoInputs || plan_.inputs[base].case_index != c) {
        base = add_inputs(c, "normal", "probes");
        plan_.runs.push_back({base, Placement::base, true});
      }
      const std::size_t index = add_inputs(c, probe.family, "probes");
      plan_.inputs[index].compared_with = base;
      plan_.runs.push_back({index});
    }
  }

  const model::Bundle &bundle_;
  const Extent &extent_;
  Plan plan_;
  std::vector<std::size_t> first_;  ///< by case: index of the inputs of its first family
  std::vector<PlannedRun> misaligned_;
  bool any_small_ = false;
  std::size_t smallest_own_ = kNoInputs;
};

/// Host memory for the outputs of all but the smallest plan.
constexpr std::uint64_t kWantedBytes = 8ull << 30;

/// From the largest to the smallest plan; the first that fits is taken.
std::vector<Extent> extents(bool estimates) {
  const double seconds = estimates ? kCpuProbeSeconds : kGpuProbeSeconds;
  return {{false, estimates, {estimates, seconds}},
          {false, estimates, {estimates, seconds, kFewProbeBytes}},
          {false, estimates, {estimates, 0}},
          {true, estimates, {estimates, 0}}};
}

}  // namespace

Result<Plan> make_plan(const model::Bundle &bundle, std::uint64_t budget_bytes, bool estimates) {
  CUPILOT_TRY(layouts, layouts_of(bundle));
  Plan plan;
  for (const Extent &extent : extents(estimates)) {
    plan = Layer(bundle, layouts, extent).make();
    if (plan.expected_bytes <= std::min(budget_bytes, kWantedBytes)) break;
  }
  if (plan.expected_bytes > budget_bytes)
    return fail(
        fmt::format("the outputs of all cases take {} of host memory, but only {} are available; use smaller "
                    "workloads or fewer of them",
                    readable_bytes(plan.expected_bytes), readable_bytes(budget_bytes)));
  return plan;
}

std::uint64_t data_seed(const model::JudgeRequest &request) {
  if (request.secret == 0) return request.seed;
  return data::derived_seed(request.seed, "secret " + std::to_string(request.secret));
}

bool is_users_own(const model::Case &which) {
  return which.id == which.workload || !which.shrunk.empty();
}

std::vector<PlannedRun> shuffled(const Plan &plan, std::vector<PlannedRun> runs, const model::Bundle &bundle,
                                 std::uint64_t seed) {
  // Group, rank of the case in it, rank within the case. Random ranks are hashes of names.
  using Key = std::tuple<int, std::uint64_t, bool, std::uint64_t>;
  std::set<std::size_t> begun;
  std::vector<std::pair<Key, PlannedRun>> keyed;
  for (const PlannedRun &run : runs) {
    const PlannedInputs &inputs = plan.inputs[run.inputs];
    const model::Case &which = bundle.cases[inputs.case_index];
    const bool probe = data::probe_of(inputs.family).has_value();
    const int group = is_misaligned(run.placement) ? 3 : probe ? 2 : is_users_own(which) ? 0 : 1;
    const bool later = !begun.insert(inputs.case_index).second;
    const std::uint64_t among_cases = data::derived_seed(seed, which.id);
    const std::string name =
        fmt::format("{}/{}/{}", inputs.family, static_cast<int>(run.placement), run.shifts);
    keyed.push_back({{group, among_cases, later, data::derived_seed(among_cases, name)}, run});
  }
  std::ranges::stable_sort(keyed, {}, &std::pair<Key, PlannedRun>::first);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i] = keyed[i].second;
  return runs;
}

std::uint64_t device_bytes(const CaseLayout &layout, std::uint64_t l2_bytes) {
  std::uint64_t kept = 0;
  for (const PlacedBuffer &buffer : layout.buffers)
    if (buffer.role == spec::BufferRole::inout) kept += buffer.bytes;
  return layout.arena_bytes + kept + 2 * l2_bytes + kDeviceReserve;
}

std::size_t contexts_beside(const Plan &plan, const model::DeviceReport &device) {
  std::uint64_t needed = 0;
  for (const CaseLayout &layout : plan.layouts)
    needed = std::max(needed, device_bytes(layout, device.l2_bytes));
  // Timed contents are in memory at the same time, each with a copy of its outputs.
  for (const std::size_t index : plan.timing) {
    const CaseLayout &layout = plan.layouts[plan.inputs[index].case_index];
    const std::uint64_t one = device_bytes(layout, device.l2_bytes) + layout.dump_bytes;
    needed = std::max<std::uint64_t>(needed, kFewContents * one);
  }
  const std::uint64_t spare = device.memory_bytes > needed ? device.memory_bytes - needed : 0;
  return std::max<std::uint64_t>(1, spare / 2 / kDeviceReserve);
}

bool runs_on(const std::string &built_for, const std::string &device) {
  constexpr std::size_t kPrefix = 3;  // "sm_"
  if (built_for.size() <= kPrefix || device.size() <= kPrefix) return false;
  char *suffix = nullptr;
  const long wanted = std::strtol(built_for.c_str() + kPrefix, &suffix, 10);
  const long there = std::strtol(device.c_str() + kPrefix, nullptr, 10);
  if (*suffix == 'a') return wanted == there;
  return wanted / 10 == there / 10 && wanted % 10 <= there % 10;
}

std::string readable_bytes(std::uint64_t bytes) {
  const double gib = static_cast<double>(bytes) / (1u << 30);
  return gib >= 0.1 ? fmt::format("{:.1f} GiB", gib) : fmt::format("{:.1f} MiB", gib * 1024);
}

}  // namespace cupilot::judge::cases
