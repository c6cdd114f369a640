// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <thread>

#include "evolution/judge/correct/columns.h"
#include "evolution/judge/correct/no_worse.h"
#include "evolution/judge/data/element_type.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/data/poison.h"

namespace cupilot::judge::correct {

namespace {

struct OutputPair {
  spec::ElementType type;
  std::span<const std::byte> expected, got;
};

CompareResult compared(const OutputPair &pair, const KeptTwin *twin, const Conditioning &conditioning,
                       const spec::Precision &precision) {
  if (conditioning.moved && precision.kind == spec::PrecisionKind::same)
    return compare_bits(pair.type, pair.expected, pair.got);
  if (twin)
    return compare_with_twin(pair.type, pair.expected, *twin, pair.got, precision, conditioning.flushed);
  Conditioning known = conditioning;
  known.precision = precision;
  if (precision.kind == spec::PrecisionKind::same) known.change = {};
  return compare_output(pair.type, pair.expected, pair.got, known);
}

/// A probe looks for missing data, which shows as a large deviation. The position of one enormous term in a
/// sum decides how large the rounding errors of a correct kernel are, so the errors of any order of summation
/// are allowed.
CompareResult compared_probe(const OutputPair &pair, const KeptTwin *twin, const Conditioning &conditioning,
                             const spec::Precision &precision) {
  CompareResult result = compared(pair, twin, conditioning, precision);
  if (result.ok || !twin) return result;
  CompareResult logic = compare_output(pair.type, pair.expected, pair.got, conditioning);
  return logic.ok ? logic : result;
}

}  // namespace

OutputCheck check_outputs(const model::Bundle &bundle, const cases::CaseLayout &layout,
                          const std::string &case_id, const std::string &family,
                          const ExpectedOutputs &expected, std::span<const std::byte> got) {
  OutputCheck check;
  const auto offsets = cases::dump_offsets(layout);
  std::vector<model::OutputError> good, bad;
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const cases::PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped() || buffer.bytes == 0) continue;
    const Conditioning conditioning{data::is_structured(family),
                                    expected.spread.empty() ? CompareLimits{} : expected.spread[i],
                                    expected.change.empty() ? CompareLimits{} : expected.change[i],
                                    {},
                                    expected.flushed,
                                    expected.moved};
    const KeptTwin *twin = expected.twin.empty() || expected.twin[i].empty() ? nullptr : &expected.twin[i];
    const bool probe = data::probe_of(family).has_value();
    const auto wanted = columns_of(buffer, expected.bytes.subspan(offsets[i], buffer.bytes));
    const auto given = columns_of(buffer, got.subspan(offsets[i], buffer.bytes));
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      const OutputPair pair{wanted[c].type, wanted[c].bytes(), given[c].bytes()};
      CompareResult result = probe ? compared_probe(pair, twin, conditioning, bundle.precision)
                                   : compared(pair, twin, conditioning, bundle.precision);
      if (!result.ok && i < expected.exact.size() && expected.exact[i].size() == result.elements &&
          is_no_worse(pair.type, pair.expected, expected.exact[i], pair.got))
        result = {.error = {}, .elements = result.elements};
      const std::string name = bundle.parameters[buffer.parameter].name + wanted[c].name;
      result.error.case_id = case_id;
      result.error.family = family;
      result.error.parameter = name;
      if (result.ok && bundle.precision.kind != spec::PrecisionKind::same && check.strict.empty())
        if (const auto same = compared(pair, twin, conditioning, {}); !same.ok)
          check.strict = fmt::format("output '{}': {}", name, same.reason);
      if (!result.ok)
        check.wrong += fmt::format("{}output '{}': {}", check.wrong.empty() ? "" : "; ", name, result.reason);
      (result.ok ? good : bad).push_back(result.error);
    }
  }
  check.errors = bad.empty() ? std::move(good) : std::move(bad);
  return check;
}

std::vector<CompareLimits> output_spread(const cases::CaseLayout &layout, std::span<const std::byte> expected,
                                         std::span<const std::byte> moved) {
  std::vector<CompareLimits> spread(layout.buffers.size());
  const auto offsets = cases::dump_offsets(layout);
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const cases::PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped() || !cases::has_floating(buffer)) continue;
    const auto before = columns_of(buffer, expected.subspan(offsets[i], buffer.bytes));
    const auto after = columns_of(buffer, moved.subspan(offsets[i], buffer.bytes));
    for (std::size_t c = 0; c < before.size(); ++c) {
      if (!spec::is_floating(before[c].type)) continue;
      const auto error = compare_output(before[c].type, before[c].bytes(), after[c].bytes()).error;
      if (std::isfinite(error.max))
        spread[i] = {std::max(spread[i].rms, error.rms), std::max(spread[i].max, error.max)};
    }
  }
  return spread;
}

void copy_outputs(std::byte *to, std::span<const std::byte> from) {
  constexpr std::size_t kPart = 32 << 20;
  const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t parts = std::clamp<std::size_t>(from.size() / kPart, 1, most);
  std::vector<std::jthread> running;
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t begin = from.size() * i / parts, end = from.size() * (i + 1) / parts;
    const auto copy = [=] { std::memcpy(to + begin, from.data() + begin, end - begin); };
    if (i + 1 < parts)
      running.emplace_back(copy);
    else
      copy();
  }
}

std::optional<std::string> find_nan(const model::Bundle &bundle, const cases::CaseLayout &layout,
                                    std::span<const std::byte> outputs) {
  const std::array poison{static_cast<std::byte>(data::kPoison & 0xff),
                          static_cast<std::byte>(data::kPoison >> 8)};
  const auto offsets = cases::dump_offsets(layout);
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const cases::PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped()) continue;
    for (const Column &column : columns_of(buffer, outputs.subspan(offsets[i], buffer.bytes))) {
      const std::size_t found = count_nan(column.type, column.bytes(), poison);
      if (found)
        return fmt::format("{} NaN in '{}'", found, bundle.parameters[buffer.parameter].name + column.name);
    }
  }
  return std::nullopt;
}

namespace {

bool holds(std::span<const std::byte> element, std::uint16_t pattern, std::size_t place) {
  for (std::size_t i = 0; i < element.size(); ++i)
    if (element[i] != static_cast<std::byte>((place + i) & 1 ? pattern >> 8 : pattern & 0xff)) return false;
  return true;
}

/// Calls `body(at, place, size)` for the elements of all outputs that hold the usual poison, until it returns
/// false. The arguments are the offset in the dump, the position in the buffer, and the size in bytes.
template <class Body>
void for_each_unwritten(const cases::CaseLayout &layout, std::span<const std::byte> outputs,
                        const Body &body) {
  const auto offsets = cases::dump_offsets(layout);
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const cases::PlacedBuffer &buffer = layout.buffers[i];
    if (!buffer.dumped()) continue;
    const std::size_t size = std::max<std::size_t>(1, data::element_size(buffer.element.type));
    for (std::size_t at = 0; at + size <= buffer.bytes; at += size)
      if (holds(outputs.subspan(offsets[i] + at, size), data::kPoison, at) &&
          !body(offsets[i] + at, at, size))
        return;
  }
}

}  // namespace

bool has_unwritten(const cases::CaseLayout &layout, std::span<const std::byte> outputs) {
  bool any = false;
  for_each_unwritten(layout, outputs, [&](std::size_t, std::size_t, std::size_t) {
    any = true;
    return false;
  });
  return any;
}

std::uint64_t unwritten_bytes(const cases::CaseLayout &layout, std::span<const std::byte> outputs) {
  std::uint64_t bytes = 0;
  for_each_unwritten(layout, outputs, [&](std::size_t, std::size_t, std::size_t size) {
    bytes += size;
    return true;
  });
  return bytes;
}

std::vector<std::byte> with_usual_poison(const cases::CaseLayout &layout, std::span<const std::byte> expected,
                                         std::span<const std::byte> outputs) {
  std::vector<std::byte> usual(outputs.begin(), outputs.end());
  for_each_unwritten(layout, expected, [&](std::size_t at, std::size_t place, std::size_t size) {
    if (holds(outputs.subspan(at, size), data::kOtherPoison, place))
      std::copy_n(expected.begin() + static_cast<std::ptrdiff_t>(at), size,
                  usual.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  });
  return usual;
}

/// "'x' 1, 'y' 3 elements".
std::string mixed_amounts(const model::Bundle &bundle, cases::Shifts shifts) {
  std::string text;
  std::size_t buffer = 0;
  for (const spec::Parameter &parameter : bundle.parameters)
    if (parameter.pointer)
      if (const auto past = cases::shift_of(shifts, buffer++))
        text += fmt::format("{}'{}' {}", text.empty() ? "" : ", ", parameter.name, past);
  return text + " elements";
}

/// "every pointer", or "only 'z'".
std::string shifted_pointers(const model::Bundle &bundle, cases::Placement placement) {
  auto left = cases::only_misaligned(placement);
  if (!left) return "every pointer";
  for (const spec::Parameter &parameter : bundle.parameters)
    if (parameter.pointer && (*left)-- == 0) return fmt::format("only '{}'", parameter.name);
  return "one pointer";
}

std::string describe_run(const model::Bundle &bundle, std::size_t case_index, const std::string &family,
                         cases::Placement placement, cases::Shifts shifts) {
  const model::Case &which = bundle.cases[case_index];
  std::string text =
      fmt::format("{} '{}', inputs '{}'", which.id == which.workload ? "workload" : "case", which.id, family);
  if (placement == cases::Placement::moved) text += ", buffers at other addresses";
  if (cases::is_in_place(placement)) text += ", each output in the memory of an input";
  if (placement == cases::Placement::mixed)
    text += fmt::format(", {} past aligned addresses", mixed_amounts(bundle, shifts));
  else if (const int past = cases::elements_past(placement))
    text += fmt::format(", {} {} past an aligned address", shifted_pointers(bundle, placement),
                        past == 1 ? std::string("one element") : fmt::format("{} elements", past));
  return text;
}

}  // namespace cupilot::judge::correct
