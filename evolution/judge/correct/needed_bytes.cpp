// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/needed_bytes.h"

#include <algorithm>
#include <utility>

#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/correct/reference_checks.h"
#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::correct {

namespace {

/// Smaller inputs hardly change the sum.
constexpr double kLargeShare = 0.02;

struct Input {
  const cases::PlacedBuffer *buffer = nullptr;
  std::string parameter;
  std::vector<data::ProbeKind> kinds;
  int looks = 0, idle = 0;
};

std::vector<Input> large_inputs(const cases::CaseLayout &layout,
                                const std::vector<spec::Parameter> &parameters) {
  std::vector<Input> inputs;
  for (const cases::PlacedBuffer &buffer : layout.buffers) {
    if (!buffer.read() ||
        static_cast<double>(buffer.bytes) < kLargeShare * static_cast<double>(layout.read_bytes))
      continue;
    auto kinds = data::probe_kinds(buffer.fill, buffer.element.type);
    // The place of the smallest number stays where it is when all are multiplied.
    if (!kinds.empty() && std::ranges::find(kinds, data::ProbeKind::redraw) == kinds.end())
      kinds.push_back(data::ProbeKind::redraw);
    if (!kinds.empty()) inputs.push_back({&buffer, parameters[buffer.parameter].name, std::move(kinds)});
  }
  return inputs;
}

}  // namespace

NeededBytes needed_bytes(const cases::CaseLayout &layout, const std::vector<spec::Parameter> &parameters,
                         const OutputsOf &outputs_of, const std::function<bool()> &go_on) {
  NeededBytes needed{static_cast<double>(layout.read_bytes), static_cast<double>(layout.written_bytes)};
  const std::vector<std::byte> base = outputs_of("normal");
  if (base.empty()) return needed;
  needed.written -= static_cast<double>(unwritten_bytes(layout, base));
  std::vector<Input> inputs = large_inputs(layout, parameters);
  bool failed = false;
  const auto idle = [&](const Input &input, data::ProbeKind kind, int region) {
    const auto outputs = outputs_of(data::to_family({kind, input.parameter, region}));
    failed = failed || outputs.empty();
    return !outputs.empty() && same_outputs(layout, base, outputs);
  };
  for (int step = 0; step < data::kProbeRegions && !failed && go_on(); ++step) {
    const int region = data::spread_region(step);
    for (Input &input : inputs) {
      const data::RegionRange range = data::region_range(input.buffer->elements, region);
      if (range.begin == range.end) continue;
      ++input.looks;
      input.idle += std::ranges::all_of(
          input.kinds, [&](data::ProbeKind kind) { return !failed && idle(input, kind, region); });
    }
  }
  for (const Input &input : inputs)
    if (input.looks >= kFewestLooks)
      needed.read -= static_cast<double>(input.buffer->bytes) * input.idle / input.looks;
  return needed;
}

}  // namespace cupilot::judge::correct
