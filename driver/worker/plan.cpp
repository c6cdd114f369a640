// SPDX-License-Identifier: Apache-2.0
#include "driver/worker/plan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "evolution/device/input_family.h"

namespace cupilot {

namespace {

/// Context, modules, pool and staging buffers.
constexpr std::uint64_t kDeviceReserve = 512u << 20;

bool is_large(const CaseLayout &layout) {
  return layout.arena_bytes > kSmallCaseBytes;
}

std::vector<std::string> families_of(const Case &which, bool large, bool reduced, std::size_t turn) {
  std::vector<std::string> families = which.families;
  if (families.empty()) families = {"user"};
  if (!large || families.size() == 1) return families;
  if (reduced) return {families.front()};
  return {families.front(), families[1 + turn % (families.size() - 1)]};
}

Result<std::vector<CaseLayout>> layouts_of(const Bundle &bundle) {
  std::vector<CaseLayout> layouts;
  for (const Case &which : bundle.cases) {
    CUPILOT_TRY(layout, make_layout(bundle.parameters, which, Placement::base));
    layouts.push_back(std::move(layout));
  }
  return layouts;
}

/// The original's outputs for timed launches are runs of their own; an estimate has none.
void add_timing(Plan &plan, const Bundle &bundle, bool estimates) {
  for (std::size_t c = 0; c < bundle.cases.size(); ++c) {
    if (!bundle.cases[c].timed) continue;
    if (estimates) {
      if (bundle.request.time) plan.estimated.push_back(c);
      continue;
    }
    plan.runs.push_back({plan.inputs.size(), Placement::base, true});
    plan.timing.push_back(plan.inputs.size());
    plan.inputs.push_back({c, "user", derived_seed(bundle.request.seed, bundle.cases[c].id + "/timing")});
  }
}

struct Extent {
  bool reduced = false;    ///< large cases lose their second family
  bool estimates = false;  ///< the device only estimates
};

Plan lay_out(const Bundle &bundle, const std::vector<CaseLayout> &layouts, const Extent &extent) {
  Plan plan;
  plan.layouts = layouts;
  std::vector<PlannedRun> misaligned;
  const bool any_small =
      std::any_of(layouts.begin(), layouts.end(), [](const auto &l) { return !is_large(l); });
  std::size_t turn = 0;
  for (std::size_t c = 0; c < bundle.cases.size(); ++c) {
    const Case &which = bundle.cases[c];
    if (!which.verified) continue;
    const bool large = is_large(layouts[c]);
    const std::size_t first = plan.inputs.size();
    for (const std::string &family : families_of(which, large, extent.reduced, large ? turn++ : 0)) {
      plan.runs.push_back({plan.inputs.size()});
      plan.inputs.push_back({c, family, derived_seed(bundle.request.seed, which.id + "/" + family)});
    }
    plan.runs.push_back({first, Placement::moved});
    if (!large || !any_small) misaligned.push_back({first, Placement::misaligned});
    plan.dump_bytes = std::max(plan.dump_bytes, layouts[c].dump_bytes);
  }
  add_timing(plan, bundle, extent.estimates);
  plan.runs.insert(plan.runs.end(), misaligned.begin(), misaligned.end());
  for (const PlannedInputs &inputs : plan.inputs)
    plan.expected_bytes += layouts[inputs.case_index].dump_bytes;
  return plan;
}

}  // namespace

Result<Plan> make_plan(const Bundle &bundle, std::uint64_t budget_bytes, bool estimates) {
  CUPILOT_TRY(layouts, layouts_of(bundle));
  Plan plan = lay_out(bundle, layouts, {false, estimates});
  if (plan.expected_bytes > budget_bytes) plan = lay_out(bundle, layouts, {true, estimates});
  if (plan.expected_bytes > budget_bytes)
    return fail("the outputs of all cases take " + readable_bytes(plan.expected_bytes) + " of host memory, " +
                readable_bytes(budget_bytes) + " are to be had; use smaller workloads or fewer of them");
  return plan;
}

std::uint64_t device_bytes(const CaseLayout &layout, std::uint64_t l2_bytes) {
  std::uint64_t kept = 0;
  for (const PlacedBuffer &buffer : layout.buffers)
    if (buffer.role == BufferRole::inout) kept += buffer.bytes;
  return layout.arena_bytes + kept + 2 * l2_bytes + kDeviceReserve;
}

std::size_t contexts_beside(const Plan &plan, const DeviceReport &device) {
  std::uint64_t needed = 0;
  for (const CaseLayout &layout : plan.layouts)
    needed = std::max(needed, device_bytes(layout, device.l2_bytes));
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
  char text[40];
  if (gib >= 0.1)
    std::snprintf(text, sizeof text, "%.1f GiB", gib);
  else
    std::snprintf(text, sizeof text, "%.1f MiB", gib * 1024);
  return text;
}

}  // namespace cupilot
