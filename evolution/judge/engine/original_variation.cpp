// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/original_variation.h"

#include <algorithm>
#include <cstdint>

#include "evolution/judge/correct/reference_checks.h"
#include "evolution/judge/correct/repeats.h"
#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::engine {

namespace {

/// With many outputs, one run on nudged inputs shows how far they move. With fewer bytes than this, one run
/// may by chance show too little, so several are made.
constexpr std::uint64_t kFewOutputBytes = 64 << 10;
constexpr int kNudgesOfFew = 4;
/// Number of launches on the same data, the first one included.
constexpr int kRunsOfOriginal = 5;

void widen(std::vector<correct::CompareLimits> &spread, const std::vector<correct::CompareLimits> &seen) {
  for (std::size_t i = 0; i < spread.size(); ++i)
    spread[i] = {std::max(spread[i].rms, seen[i].rms), std::max(spread[i].max, seen[i].max)};
}

bool has_floating_outputs(const cases::CaseLayout &layout) {
  return std::ranges::any_of(layout.buffers, [](const cases::PlacedBuffer &buffer) {
    return buffer.dumped() && cases::has_floating(buffer);
  });
}

}  // namespace

Result<> repeat_original(OriginalProcess &original, const model::Bundle &bundle, const cases::Plan &plan,
                         const RunOrder &order, const correct::ExpectedOutputs &first) {
  const cases::CaseLayout &layout = plan.layouts[order.case_index];
  correct::Repeats repeats{.runs = 1, .spread = {}, .differs = {}, .told = {}};
  for (int i = 1; i < kRunsOfOriginal; ++i) {
    CUPILOT_CHECKED(original.run(order));
    const auto again = original.outputs(order.case_index);
    correct::add_repeat(repeats, bundle, layout, first.bytes, again);
    const std::string problem =
        correct::unrepeatable(bundle, layout, bundle.cases[order.case_index], first, again, repeats);
    if (!problem.empty()) return user_error(problem);
  }
  return {};
}

Result<Movement> move_original(OriginalProcess &original, const model::Bundle &bundle,
                               const cases::Plan &plan, const RunOrder &order,
                               std::span<const std::byte> first) {
  const cases::CaseLayout &layout = plan.layouts[order.case_index];
  Movement moved;
  moved.spread.resize(layout.buffers.size());
  if (!has_floating_outputs(layout)) return moved;  // integers are compared exactly
  RunOrder nudged = order;
  const bool probe = data::probe_of(order.setting.family).has_value();
  const int last = layout.dump_bytes < kFewOutputBytes && !probe ? kNudgesOfFew : 1;
  for (nudged.setting.nudge = 1; nudged.setting.nudge <= last; ++nudged.setting.nudge) {
    const auto report = original.run(nudged);
    if (!report) {
      CUPILOT_CHECKED(original.restart());
      return moved;
    }
    if (!report->declined)
      widen(moved.spread, correct::output_spread(layout, first, original.outputs(order.case_index)));
  }
  if (data::without_turn(order.setting.family) == data::kPatchwork)
    for (correct::CompareLimits &spread : moved.spread) spread = correct::without_digits(spread);
  if (!correct::rounds_operands(bundle.precision)) return moved;
  RunOrder rounded = order;
  rounded.setting.operands = bundle.precision.kind;
  if (const auto outputs = original.outputs_of(rounded); !outputs.empty())
    moved.change = correct::output_spread(layout, first, outputs);
  return moved;
}

}  // namespace cupilot::judge::engine
