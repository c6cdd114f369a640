// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "evolution/judge/correct/columns.h"
#include "evolution/judge/correct/figure.h"

namespace cupilot::judge::correct {

namespace {

/// Enough digits to distinguish neighbouring numbers.
std::string exact(double value) {
  return fmt::format("{:.9g}", value);
}

const std::string &name_of(const model::Bundle &bundle, const cases::PlacedBuffer &buffer) {
  return bundle.parameters[buffer.parameter].name;
}

void widen(CompareLimits &spread, const model::OutputError &error) {
  spread.rms = std::max(spread.rms, std::isfinite(error.rms) ? error.rms : HUGE_VAL);
  spread.max = std::max(spread.max, std::isfinite(error.max) ? error.max : HUGE_VAL);
}

/// Judges one output that differs from run to run. `original` is the original's spread, or nullopt if it is
/// bitwise equal.
RepeatAnswer judge_output(const std::string &name, bool floating, const CompareLimits &spread,
                          const std::optional<CompareLimits> &original) {
  if (!floating && original) return {true, name + " differs from run to run, as the original's does"};
  if (!floating)
    return {false,
            name + " differs from run to run on the same data, the original's does not: look for a race"};
  const std::string varies = fmt::format("{} varies by {}", name, figure(spread.max));
  if (!original && std::isfinite(spread.max))
    return {true, varies + " within the precision limits, the original's is bitwise equal"};
  if (original && spread.rms <= kRepeatRms * original->rms && spread.max <= kRepeatMax * original->max)
    return {true, fmt::format("{}, the original's by {}", varies, figure(original->max))};
  const std::string own =
      original ? fmt::format("{} (rms {})", figure(original->max), figure(original->rms)) : "nothing";
  return {false, fmt::format("{} (rms {}) from run to run on the same data, the original's by {}: look for a "
                             "race, or for sums in an order that depends on timing",
                             varies, figure(spread.rms), own)};
}

}  // namespace

void add_repeat(Repeats &repeats, const model::Bundle &bundle, const cases::CaseLayout &layout,
                std::span<const std::byte> first, std::span<const std::byte> again) {
  ++repeats.runs;
  repeats.spread.resize(layout.buffers.size());
  repeats.differs.resize(layout.buffers.size());
  const auto offsets = cases::dump_offsets(layout);
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const cases::PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped() || buffer.bytes == 0) continue;
    const auto was = first.subspan(offsets[i], buffer.bytes), is = again.subspan(offsets[i], buffer.bytes);
    if (std::memcmp(was.data(), is.data(), buffer.bytes) == 0) continue;
    const auto before = columns_of(buffer, was), after = columns_of(buffer, is);
    for (std::size_t c = 0; c < before.size(); ++c) {
      const auto now = after[c].bytes();
      if (std::ranges::equal(before[c].bytes(), now)) continue;
      repeats.differs[i] = true;  // not for bytes between members
      const model::OutputError error = compare_output(before[c].type, before[c].bytes(), now).error;
      widen(repeats.spread[i], error);
      if (!repeats.told.empty()) continue;
      repeats.told =
          fmt::format("output '{}', repeat {}", name_of(bundle, buffer) + before[c].name, repeats.runs);
      if (spec::is_floating(before[c].type))
        repeats.told += fmt::format(": element {} is {}, was {}", error.worst_index, exact(error.got),
                                    exact(error.expected));
    }
  }
}

RepeatAnswer judge_repeats(const model::Bundle &bundle, const cases::CaseLayout &layout,
                           const Repeats &candidate, const Repeats &original) {
  if (candidate.bitwise()) return {true, kBitwise};
  if (bundle.deterministic)
    return {false, fmt::format("the kernel is declared `deterministic`, but runs on the same data differ "
                               "({}): give sums and atomics an order that does not depend on timing",
                               candidate.told)};
  RepeatAnswer all;
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    if (!candidate.differs[i]) continue;
    const cases::PlacedBuffer &buffer = layout.buffers[i];
    const bool restless = !original.differs.empty() && original.differs[i];
    const RepeatAnswer one =
        judge_output(fmt::format("output '{}'", name_of(bundle, buffer)), cases::has_floating(buffer),
                     candidate.spread[i], restless ? std::optional(original.spread[i]) : std::nullopt);
    if (!one.ok) return one;
    all.detail += (all.detail.empty() ? "" : "; ") + one.detail;
  }
  return all;
}

}  // namespace cupilot::judge::correct
