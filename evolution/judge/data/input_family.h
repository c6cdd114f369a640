// SPDX-License-Identifier: Apache-2.0
//
// Maps the name of an input family to a rule, which says what a buffer of a case holds in one run. Pure.
//
// Besides the families of the table there are probes. The name of a probe says what it changes:
// "impulse/x/12" is normal data with one enormous value in region 12 (from 0, of 64) of the buffer of
// parameter x. "block/x/12" has that region multiplied, and "redraw/x/12" has it drawn again (for data that
// must keep its range). If changing a region changes the original's output, a candidate's output must change
// in the same way.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/judge/data/input_rule.h"

namespace cupilot::judge::data {

/// The names of the families in the table, `user` first; without probes.
const std::vector<std::string> &input_families();

/// The rule for the buffer of `parameter`. Families change floating buffers whose fill is automatic or
/// normal, and some families change integers drawn from a range; `patchwork` stays within a uniform fill.
/// Other buffers keep their fill with a new seed, and so its property (sorted, a permutation, zeros). It is
/// an error if the worker cannot make the fill (files) or the family is unknown.
Result<InputRule> input_rule(const std::string &family, const spec::Fill &fill, spec::ElementType type,
                             std::uint64_t count, std::uint64_t seed, const std::string &parameter = {});

/// Whether this family gives buffers with this fill and type other data than `user` does, apart from the
/// seed.
bool family_changes(const std::string &family, const spec::Fill &fill, spec::ElementType type);

/// Whether the family's values are not random around zero, see evolution/judge/correct/compare.h. Probes
/// count as structured too: they look for missing data, which shows as a large deviation, and not for
/// rounding errors.
bool is_structured(const std::string &family);

/// Families that change only some of the floating inputs; the others hold the data of `user`. At one place in
/// all of them infinities hide each other: what a tail makes of one shows beside a number only.
inline constexpr const char *kInfinitiesInOne = "infinities_in_one";  ///< in the first
inline constexpr const char *kInfinitiesInOthers = "infinities_in_others";
/// Nearly all powers of two in the first: products with the others are finite, as are their sums.
inline constexpr const char *kOctaves = "octaves";
/// One number overflows when it is doubled. For a single input only: beside another one it depends on the
/// order of a sum whether it overflows.
inline constexpr const char *kTopmost = "topmost";
/// Whole numbers, large ones among them: sums of them cancel more often than others.
inline constexpr const char *kWhole = "whole";

/// One with zeros in the first, or in all others: what one input gives by itself, however small.
inline constexpr const char *kZerosInOne = "zeros_in_one";
inline constexpr const char *kZerosInOthers = "zeros_in_others";
/// Data of many structures (patchwork.h). With a number behind it, "patchwork:7", it is one of a row of runs:
/// the number picks scales and the form of short buffers, so that a few runs have all of them.
inline constexpr const char *kPatchwork = "patchwork";
std::string in_turn(std::size_t turn);
/// The family without that number.
std::string without_turn(const std::string &family);

/// Whether the family has NaN or infinities.
bool has_non_finite(const std::string &family);

/// Whether such values may be moved by one rounding; not if they stand for integers.
bool can_be_nudged(InputShape shape);

/// Changes the rule for a buffer of doubles that holds the values of type `narrow`, rounded also to the
/// operand type that a precision clause allows.
void promote_rule(InputRule &rule, spec::ElementType narrow, spec::PrecisionKind operands);

struct Probe {
  ProbeKind kind = ProbeKind::none;
  std::string parameter;
  int region = 0;
};
inline constexpr int kProbeRegions = 64;
std::optional<Probe> probe_of(const std::string &family);
std::string to_family(const Probe &probe);

/// The ways to probe a buffer with this fill and type; empty if its content is fixed.
std::vector<ProbeKind> probe_kinds(const spec::Fill &fill, spec::ElementType type);

/// The elements of a region, end exclusive. The first and the last region are empty only if the buffer is
/// empty.
struct RegionRange {
  std::uint64_t begin = 0, end = 0;
};
RegionRange region_range(std::uint64_t count, int region);
/// The regions in an order that spreads over the buffer, step by step.
int spread_region(int step);

/// "the last 1/64 of 'x'".
std::string describe_region(const Probe &probe);

/// Mixes a name into a seed, so that each case, family and parameter has its own random stream.
std::uint64_t derived_seed(std::uint64_t seed, const std::string &name);

}  // namespace cupilot::judge::data
