// SPDX-License-Identifier: Apache-2.0
#include "driver/worker/outputs.h"

#include <array>
#include <cmath>

#include "evolution/device/input_family.h"
#include "evolution/device/poison.h"

namespace cupilot {

OutputCheck check_outputs(const Bundle &bundle, const CaseLayout &layout, const std::string &case_id,
                          const std::string &family, const ExpectedOutputs &expected,
                          std::span<const std::byte> got) {
  OutputCheck check;
  const auto offsets = dump_offsets(layout);
  std::vector<OutputError> good, bad;
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped() || buffer.bytes == 0) continue;
    Conditioning conditioning{is_structured(family), {}};
    if (!expected.spread.empty()) conditioning.spread = expected.spread[i];
    CompareResult result =
        compare_output(buffer.element.type, expected.bytes.subspan(offsets[i], buffer.bytes),
                       got.subspan(offsets[i], buffer.bytes), conditioning);
    const std::string &name = bundle.parameters[buffer.parameter].name;
    result.error.case_id = case_id;
    result.error.family = family;
    result.error.parameter = name;
    if (!result.ok)
      check.wrong += (check.wrong.empty() ? "output '" : "; output '") + name + "': " + result.reason;
    (result.ok ? good : bad).push_back(result.error);
  }
  check.errors = bad.empty() ? std::move(good) : std::move(bad);
  return check;
}

std::vector<CompareLimits> output_spread(const CaseLayout &layout, std::span<const std::byte> expected,
                                         std::span<const std::byte> moved) {
  std::vector<CompareLimits> spread(layout.buffers.size());
  const auto offsets = dump_offsets(layout);
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped() || !is_floating(buffer.element.type)) continue;
    const auto error = compare_output(buffer.element.type, expected.subspan(offsets[i], buffer.bytes),
                                      moved.subspan(offsets[i], buffer.bytes))
                           .error;
    if (std::isfinite(error.max)) spread[i] = {error.rms, error.max};
  }
  return spread;
}

std::optional<std::string> find_nan(const Bundle &bundle, const CaseLayout &layout,
                                    std::span<const std::byte> outputs) {
  const std::array poison{static_cast<std::byte>(kPoison & 0xff), static_cast<std::byte>(kPoison >> 8)};
  const auto offsets = dump_offsets(layout);
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped()) continue;
    const std::size_t found =
        count_nan(buffer.element.type, outputs.subspan(offsets[i], buffer.bytes), poison);
    if (found) return std::to_string(found) + " NaN in '" + bundle.parameters[buffer.parameter].name + "'";
  }
  return std::nullopt;
}

std::string describe_run(const Bundle &bundle, std::size_t case_index, const std::string &family,
                         Placement placement) {
  const Case &which = bundle.cases[case_index];
  std::string text =
      (which.id == which.workload ? "workload '" : "case '") + which.id + "', inputs '" + family + "'";
  if (placement == Placement::moved) text += ", buffers at other addresses";
  if (placement == Placement::misaligned) text += ", every pointer one element past an aligned address";
  return text;
}

}  // namespace cupilot
