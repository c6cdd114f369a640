// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/data/input_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cupilot::judge::data {

namespace {

struct Family {
  const char *name;
  InputShape shape;
  double mean, deviation;  ///< for InputShape::normal; deviation 0: depends on the element type
  bool structured = false;
  std::optional<InputShape> integers{};  ///< shape for integers in a range; none: drawn uniformly as usual
  bool floats = true;
};
/// `user` stands first and is not changed; see input_rule.
constexpr Family kFamilies[] = {
    {"user", InputShape::normal, 0, 1},
    {"normal", InputShape::normal, 0, 1},
    {"scaled_down", InputShape::normal, 0, 1e-3},
    {"scaled_up", InputShape::normal, 0, 64},
    {"large_mean", InputShape::normal, 1e3, 1, true},
    {"ramp", InputShape::ramp, 0, 0, true},
    {"one_hot", InputShape::one_hot, 0, 0, true},
    {"special", InputShape::special, 0, 0},
    {"negative", InputShape::negative, 0, 0, true},
    {"heavy_tail", InputShape::heavy_tail, 0, 0},
    {"unique", InputShape::unique, 0, 0},
    {"sorted", InputShape::sorted, 0, 0, true, InputShape::range_sorted},
    {"either_sign", InputShape::either_sign, 0, 0},
    {"positive", InputShape::positive, 0, 0},
    {"extreme", InputShape::extreme, 0, 0, true, InputShape::range_ends},
    {kTopmost, InputShape::extreme, 1, 0, true},
    {"subnormal", InputShape::normal, 0, 0},
    {"zeros", InputShape::signed_zeros, 0, 0},
    {"infinities", InputShape::infinities, 0, 0},
    {"infinities_in_one", InputShape::infinities, 0, 0},
    {"infinities_in_others", InputShape::infinities, 0, 0},
    {"nans", InputShape::nans, 0, 0},
    {"plateaus", InputShape::plateaus, 0, 0, true},
    {"magnitudes", InputShape::magnitudes, 0, 0},
    {kOctaves, InputShape::magnitudes, 1, 0},
    {"scales", InputShape::scales, 0, 0},
    {"tile_edges", InputShape::tile_edges, 0, 0},
    {"huge", InputShape::far_scale, 1, 0},
    {"minute", InputShape::far_scale, -1, 0},
    {kWhole, InputShape::whole, 0, 0},
    {"masked_low", InputShape::masked, -1, 0},
    {"masked_high", InputShape::masked, 1, 0},
    {"nearly_level", InputShape::nearly_level, 0, 0, true},
    {"sparse", InputShape::sparse, 0, 0},
    {"levels", InputShape::levels, 0, 0, true},
    {kPatchwork, InputShape::patchwork, 0, 0, true, InputShape::range_patchwork},
    {kZerosInOne, InputShape::signed_zeros, 0, 0},
    {kZerosInOthers, InputShape::signed_zeros, 0, 0},
    {"alike", InputShape::alike, 0, 0},
    {"constant", InputShape::normal, 0, 1, false, InputShape::range_constant, false},
};

bool is_non_finite(InputShape shape) {
  switch (shape) {
    case InputShape::special:
    case InputShape::infinities:
    case InputShape::nans:
    case InputShape::masked:
    case InputShape::sparse:
      return true;
    default:
      return false;
  }
}

const Family *find_family(const std::string &name) {
  const std::string base = without_turn(name);
  const auto known = std::ranges::find_if(kFamilies, [&](const Family &f) { return base == f.name; });
  return known == std::end(kFamilies) ? nullptr : known;
}

/// The number behind the name; 0 without one.
std::uint64_t turn_of(const std::string &family) {
  std::uint64_t turn = 0;
  const std::size_t from = without_turn(family).size();
  if (from < family.size()) std::from_chars(family.data() + from + 1, family.data() + family.size(), turn);
  return turn;
}

/// Extreme magnitudes of a type.
struct Scale {
  double
      subnormal;   ///< the smallest normal number: two in three are below it, and so are parts of the others
  double tiny;     ///< deep among the subnormals
  double largest;  ///< its square and its exponential overflow, its products with numbers around 1 do not,
                   ///< and 2^7 of it are in the last octave; few digits, so that narrower types represent it
  double heavy;    ///< factor of the heavy tail: thousands, where its square is finite
  double least, most;  ///< powers of magnitudes; the product of two is a normal number, sums of it are finite
  double lowest,
      highest;           ///< powers of octaves; the highest is divided by the count, so that sums are finite
  double far, farthest;  ///< powers of a far scale, up and down: the product of two is a normal number
  double large;      ///< power of the largest patches: whole numbers are exact, and sums of squares finite
  double logarithm;  ///< natural, a little above that of the largest number
};
Scale scale_of(spec::ElementType type) {
  switch (type) {
    case spec::ElementType::f16:
      return {0x1p-14, 0x1p-20, 0x1.8p8, 128, -6, 6, -12, 14, 4, 6, 6, 12};
    case spec::ElementType::f64:
      return {0x1p-1022, 0x1p-1060, 0x1.8p1016, 4096, -100, 100, -1000, 1016, 300, 480, 20, 750};
    default:
      return {0x1p-126, 0x1p-130, 0x1.8p120, 4096, -60, 40, -116, 124, 55, 58, 20, 96};
  }
}

/// The size of probes relative to other elements; larger than sums of thousands of them.
constexpr double kImpulse = 0x1p12, kBlock = 64;

bool is_unsigned(spec::ElementType type) {
  return type == spec::ElementType::u8 || type == spec::ElementType::u16 || type == spec::ElementType::u32 ||
         type == spec::ElementType::u64;
}

/// A class type is opaque bytes. Its words are filled as floats, which such types mostly contain.
InputRule automatic_rule(spec::ElementType type) {
  if (spec::is_floating(type) || type == spec::ElementType::opaque) return {InputShape::normal, 0, 1};
  if (type == spec::ElementType::boolean) return {InputShape::randint, 0, 2};
  return {InputShape::randint, is_unsigned(type) ? 0.0 : -100.0, 100};
}

Result<InputRule> fill_rule(const spec::Fill &fill, spec::ElementType type) {
  switch (fill.kind) {
    case spec::FillKind::automatic:
      return automatic_rule(type);
    case spec::FillKind::normal:
      return InputRule{InputShape::normal, fill.a, fill.b};
    case spec::FillKind::uniform:
      return InputRule{InputShape::uniform, fill.a, fill.b};
    case spec::FillKind::randint:
      return InputRule{InputShape::randint, fill.a, fill.b};
    case spec::FillKind::iota:
      return InputRule{InputShape::iota};
    case spec::FillKind::zeros:
      return InputRule{InputShape::zeros};
    case spec::FillKind::permutation:
      return InputRule{InputShape::permutation};
    case spec::FillKind::sorted:
      return InputRule{InputShape::range_steps, fill.a, fill.b};
    case spec::FillKind::file:
      break;
  }
  return user_error(
      fmt::format("fill(file(\"{}\")) is not supported by this worker yet; use normal, uniform, randint, "
                  "iota, zeros or permutation",
                  fill.file));
}

bool has_free_fill(const spec::Fill &fill) {
  return fill.kind == spec::FillKind::automatic || fill.kind == spec::FillKind::normal;
}
/// Integers drawn from a range: families may draw them differently, but only within the range.
bool has_range(const spec::Fill &fill, spec::ElementType type) {
  const bool integer = !spec::is_floating(type) && type != spec::ElementType::opaque;
  return integer && (fill.kind == spec::FillKind::automatic || fill.kind == spec::FillKind::randint);
}

/// A uniform fill says what numbers there are; structures within it are all that may vary.
bool is_ranged(const spec::Fill &fill, spec::ElementType type) {
  return spec::is_floating(type) && fill.kind == spec::FillKind::uniform;
}

/// Scales are around one, large or small, so that no patch of a run hides the others. Forms and scales take
/// turns so that each form of a short buffer meets each scale.
void apply_patchwork(InputRule &rule, std::uint64_t turn, std::uint64_t offset, spec::ElementType type) {
  constexpr std::uint64_t kScales = 3;
  const double large = scale_of(type).large;
  const double bounds[kScales][2] = {{-large / 5, large / 2}, {large / 2, large}, {-large, -large / 5}};
  const std::uint64_t scale = (turn + turn / kScales) % kScales;
  Patchwork &all = rule.patchwork;
  all.seed = rule.seed, all.count = rule.count, all.turn = turn + offset;
  all.low = std::ceil(bounds[scale][0]), all.high = bounds[scale][1];
  all.level_low = scale == 0 ? 0 : large / 2, all.level_high = scale == 0 ? large / 5 : large;
}

void apply_family(InputRule &rule, const Family &family, const spec::Fill &fill, spec::ElementType type) {
  if (!family_changes(family.name, fill, type)) return;
  if (!spec::is_floating(type)) {
    rule.shape = family.integers.value();
    rule.integers = true;
    return;
  }
  if (is_ranged(fill, type)) {
    rule.shape = InputShape::range_patchwork;
    return;
  }
  rule.shape = family.shape;
  rule.a = family.mean;
  rule.b = family.deviation;
  if (family.shape == InputShape::normal && family.deviation == 0) rule.b = scale_of(type).subnormal;
  if (family.shape == InputShape::heavy_tail || family.shape == InputShape::tile_edges)
    rule.b = scale_of(type).heavy;
  if (family.shape == InputShape::magnitudes || family.shape == InputShape::scales)
    rule.a = scale_of(type).least, rule.b = scale_of(type).most;
  if (family.shape == InputShape::magnitudes && family.mean > 0) {
    rule.a = scale_of(type).lowest;
    constexpr double kLeastOctaves = 8;
    rule.b = std::max(rule.a + kLeastOctaves,
                      scale_of(type).highest - std::ceil(std::log2(static_cast<double>(rule.count) + 1)));
  }
  if (family.shape == InputShape::levels) {
    constexpr double kLevelToWidth = 8;
    rule.a = scale_of(type).logarithm, rule.b = rule.a / kLevelToWidth;
  }
  if (family.shape == InputShape::far_scale) {
    const Scale scale = scale_of(type);
    rule.a = family.mean > 0 ? scale.far : -scale.farthest;
    rule.b = family.mean > 0 ? scale.farthest : -scale.far;
  }
}

void apply_probe(InputRule &rule, const Probe &probe) {
  const RegionRange range = region_range(rule.count, probe.region);
  rule.probe = {probe.kind, range.begin, range.end, range.begin, 0};
  if (range.begin == range.end) return;
  const std::uint64_t bits =
      input_bits(rule.seed, 0x70726f6265ull + static_cast<std::uint64_t>(probe.region));
  if (probe.region == kProbeRegions - 1)
    rule.probe.place = range.end - 1;
  else if (probe.region != 0)
    rule.probe.place += bits % (range.end - range.begin);
  rule.probe.size = probe.kind == ProbeKind::block ? kBlock : kImpulse;
}

struct ProbeName {
  const char *name;
  ProbeKind kind;
};
constexpr ProbeName kProbeNames[] = {
    {"impulse", ProbeKind::impulse}, {"block", ProbeKind::block}, {"redraw", ProbeKind::redraw}};

}  // namespace

std::string without_turn(const std::string &family) {
  return family.starts_with(kPatchwork) ? family.substr(0, family.find(':')) : family;
}

std::string in_turn(std::size_t turn) {
  return fmt::format("{}:{}", kPatchwork, turn);
}

const std::vector<std::string> &input_families() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Family &family : kFamilies) all.emplace_back(family.name);
    return all;
  }();
  return names;
}

bool family_changes(const std::string &family, const spec::Fill &fill, spec::ElementType type) {
  const Family *known = find_family(family);
  if (!known || known == std::begin(kFamilies)) return false;
  if (is_ranged(fill, type)) return known->shape == InputShape::patchwork;
  if (spec::is_floating(type)) return has_free_fill(fill) && known->floats;
  return has_range(fill, type) && known->integers;
}

Result<InputRule> input_rule(const std::string &family, const spec::Fill &fill, spec::ElementType type,
                             std::uint64_t count, std::uint64_t seed, const std::string &parameter) {
  const auto probe = probe_of(family);
  const Family *known = find_family(probe ? "normal" : family);
  if (!known) return fail(fmt::format("unknown input family '{}'", family));
  CUPILOT_TRY(rule, fill_rule(fill, type));
  rule.count = count;
  rule.seed = seed;
  rule.tiny = scale_of(type).tiny;
  rule.largest = scale_of(type).largest;
  apply_family(rule, *known, fill, type);
  // Two short buffers of a run have different forms.
  if (known->shape == InputShape::patchwork)
    apply_patchwork(rule, turn_of(family), spec::is_floating(type) ? derived_seed(0, parameter) : 0, type);
  if (probe && probe->parameter == parameter) apply_probe(rule, *probe);
  return rule;
}

bool is_structured(const std::string &family) {
  const Family *known = find_family(family);
  return known ? known->structured : probe_of(family).has_value();
}

bool has_non_finite(const std::string &family) {
  const Family *known = find_family(family);
  return known && is_non_finite(known->shape);
}

std::optional<Probe> probe_of(const std::string &family) {
  const std::size_t first = family.find('/'), last = family.rfind('/');
  if (first == std::string::npos || first == last) return std::nullopt;
  Probe probe;
  for (const ProbeName &known : kProbeNames)
    if (family.substr(0, first) == known.name) probe.kind = known.kind;
  probe.parameter = family.substr(first + 1, last - first - 1);
  const char *begin = family.data() + last + 1, *end = family.data() + family.size();
  const auto [at, error] = std::from_chars(begin, end, probe.region);
  const bool good = error == std::errc() && at == end && probe.region >= 0 && probe.region < kProbeRegions;
  return good && probe.kind != ProbeKind::none ? std::optional(probe) : std::nullopt;
}

std::string to_family(const Probe &probe) {
  for (const ProbeName &known : kProbeNames)
    if (known.kind == probe.kind) return fmt::format("{}/{}/{}", known.name, probe.parameter, probe.region);
  return "normal";
}

std::vector<ProbeKind> probe_kinds(const spec::Fill &fill, spec::ElementType type) {
  if (spec::is_floating(type) && has_free_fill(fill)) return {ProbeKind::impulse, ProbeKind::block};
  switch (fill.kind) {
    case spec::FillKind::automatic:
    case spec::FillKind::normal:
    case spec::FillKind::uniform:
    case spec::FillKind::randint:
      return {ProbeKind::redraw};
    default:
      return {};
  }
}

int spread_region(int step) {
  constexpr int kSpread = 37;  // odd, so that its multiples visit all regions
  return step * kSpread % kProbeRegions;
}

RegionRange region_range(std::uint64_t count, int region) {
  const auto k = static_cast<std::uint64_t>(region);
  if (count < kProbeRegions) {  // one element each; the last region has the last element
    if (k == kProbeRegions - 1) return {count ? count - 1 : 0, count};
    return k < count ? RegionRange{k, k + 1} : RegionRange{count, count};
  }
  // Avoids the product of count and region, which may overflow 64 bits.
  const std::uint64_t whole = count / kProbeRegions, rest = count % kProbeRegions;
  const auto start = [&](std::uint64_t at) { return at * whole + at * rest / kProbeRegions; };
  return {start(k), start(k + 1)};
}

std::string describe_region(const Probe &probe) {
  if (probe.region == 0) return fmt::format("the first 1/{} of '{}'", kProbeRegions, probe.parameter);
  if (probe.region == kProbeRegions - 1)
    return fmt::format("the last 1/{} of '{}'", kProbeRegions, probe.parameter);
  return fmt::format("region {} of {} of '{}'", probe.region + 1, kProbeRegions, probe.parameter);
}

bool can_be_nudged(InputShape shape) {
  switch (shape) {
    case InputShape::normal:
    case InputShape::uniform:
    case InputShape::ramp:
    case InputShape::one_hot:
    case InputShape::special:
    case InputShape::negative:
    case InputShape::heavy_tail:
    case InputShape::unique:
    case InputShape::sorted:
    case InputShape::either_sign:
    case InputShape::positive:
    case InputShape::scales:
    case InputShape::extreme:
    case InputShape::infinities:
    case InputShape::nans:
    case InputShape::patchwork:
      return true;
    default:
      return false;
  }
}

void promote_rule(InputRule &rule, spec::ElementType narrow, spec::PrecisionKind operands) {
  rule.rounding = narrow == spec::ElementType::f16    ? InputRounding::f16
                  : narrow == spec::ElementType::bf16 ? InputRounding::bf16
                  : narrow == spec::ElementType::f32  ? InputRounding::f32
                                                      : InputRounding::none;
  if (!spec::is_floating(narrow)) return;
  rule.operands = operands == spec::PrecisionKind::tf32   ? InputRounding::tf32
                  : operands == spec::PrecisionKind::half ? InputRounding::f16
                  : operands == spec::PrecisionKind::bf16 ? InputRounding::bf16
                                                          : InputRounding::none;
}

std::uint64_t derived_seed(std::uint64_t seed, const std::string &name) {
  std::uint64_t mixed = input_bits(seed, name.size());
  for (const char c : name) mixed = input_bits(mixed, static_cast<unsigned char>(c));
  return mixed;
}

}  // namespace cupilot::judge::data
