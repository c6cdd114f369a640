// SPDX-License-Identifier: Apache-2.0
//
// Names of input families to rules: what a buffer of a case holds in one run. Pure.
//
// Beside the families of the table there are probes, whose names carry what they change: "impulse/x/12" is
// normal data with one enormous value in the 13th of 64 regions of the buffer of parameter x, "block/x/12"
// has that region multiplied, "redraw/x/12" has it drawn anew (for data that must keep its range). What an
// original makes of a region, a candidate must make of it too.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/judge/data/input_rule.h"

namespace cupilot {

/// The table's, `user` first; probes are not in it.
const std::vector<std::string> &input_families();

/// The rule of one buffer, that of `parameter`. Families change floating buffers whose fill is automatic or
/// normal, and some of them integers of a range; others keep their fill with a fresh seed, and with it the
/// property it stands for (sorted, a permutation, zeros). An error for a fill the worker cannot make (files)
/// and for an unknown family.
Result<InputRule> input_rule(const std::string &family, const Fill &fill, ElementType type,
                             std::uint64_t count, std::uint64_t seed, const std::string &parameter = {});

/// Whether buffers with this fill and type hold other data in this family than in `user` (but for the seed).
bool family_changes(const std::string &family, const Fill &fill, ElementType type);

/// Families whose values are not random around zero: see evolution/judge/correct/compare.h. Probes are, too:
/// they look for what is missing, by its own size, and not for roundings.
bool is_structured(const std::string &family);

/// Whether one rounding more or less makes sense for such values: not where they stand for integers.
bool can_be_nudged(InputShape shape);

/// For a buffer of doubles that holds what `narrow` would hold, once more rounded to the operands a precision
/// clause allows.
void promote_rule(InputRule &rule, ElementType narrow, PrecisionKind operands);

struct Probe {
  ProbeKind kind = ProbeKind::none;
  std::string parameter;
  int region = 0;
};
inline constexpr int kProbeRegions = 64;
std::optional<Probe> probe_of(const std::string &family);
std::string to_family(const Probe &probe);

/// How a buffer with this fill and type can be probed; empty: not at all, its content is fixed.
std::vector<ProbeKind> probe_kinds(const Fill &fill, ElementType type);

/// Elements of a region; the first and the last region always have one if the buffer has.
struct RegionRange {
  std::uint64_t begin = 0, end = 0;
};
RegionRange region_range(std::uint64_t count, int region);

/// "the last 1/64 of 'x'".
std::string describe_region(const Probe &probe);

/// Mixes names into a seed: one stream a case, family and parameter.
std::uint64_t derived_seed(std::uint64_t seed, const std::string &name);

}  // namespace cupilot
