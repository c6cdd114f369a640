// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/case_families.h"

#include <algorithm>

#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/data/input_family.h"

namespace cupilot::judge::cases {
namespace {

constexpr std::uint64_t kAllFamiliesBytes = 8u << 20;
/// Number of families besides `user`: for a small neighbour, and for a large workload.
constexpr std::size_t kNeighbourFamilies = 6, kLargeFamilies = 3;
/// At least so many take turns, beside those that every small neighbour has.
constexpr std::size_t kLeastTurned = 4;
constexpr std::uint64_t kAllFamiliesElements = 1 << 16;

const spec::Parameter *parameter_named(const spec::KernelSpec &spec, const std::string &name) {
  const auto found = std::ranges::find(spec.parameters, name, &spec::Parameter::name);
  return found == spec.parameters.end() ? nullptr : &*found;
}

/// The type of the elements or of a member: floating numbers have the most families.
spec::ElementType most_varied_type(const spec::Parameter &parameter) {
  const spec::ElementType type = element_lanes(parameter).type;
  if (type != spec::ElementType::opaque || parameter.members.empty()) return type;
  const auto floating = std::ranges::find_if(parameter.members, spec::is_floating, &spec::Member::type);
  return (floating == parameter.members.end() ? parameter.members.front() : *floating).type;
}

/// How families may change a buffer. They only change data that the kernel reads and whose fill the user left
/// free.
enum class Varied { no, floating, wide, integer, ranged };
Varied varied(const spec::KernelSpec &spec, const model::CaseBuffer &buffer) {
  const auto *parameter = parameter_named(spec, buffer.parameter);
  const bool read = buffer.role == spec::BufferRole::in || buffer.role == spec::BufferRole::inout;
  if (!parameter || !read) return Varied::no;
  const spec::FillKind fill = buffer.fill.kind;
  const spec::ElementType element = most_varied_type(*parameter);
  if (spec::is_floating(element)) {
    if (fill == spec::FillKind::uniform) return Varied::ranged;
    // Of a class it says something of the integers only.
    const bool of_a_member =
        fill == spec::FillKind::randint && element_lanes(*parameter).type == spec::ElementType::opaque;
    if (fill != spec::FillKind::automatic && fill != spec::FillKind::normal && !of_a_member)
      return Varied::no;
    return element == spec::ElementType::f64 ? Varied::wide : Varied::floating;
  }
  const bool integer = element != spec::ElementType::opaque;
  return integer && (fill == spec::FillKind::automatic || fill == spec::FillKind::randint) ? Varied::integer
                                                                                           : Varied::no;
}

/// The families besides `user` that change something, those most likely to expose an error first. Subnormal
/// doubles are left out: legitimate rounding errors there are as large as the errors to be found.
std::vector<std::string> telling_families(const spec::KernelSpec &spec, const model::Case &one) {
  static const std::vector<std::string> of_floats{
      "normal",      "large_mean",   "special",    "scaled_up", "ramp",        "one_hot",
      "scaled_down", "negative",     "heavy_tail", "unique",    "either_sign", "extreme",
      "zeros",       "infinities",   "nans",       "plateaus",  "magnitudes",  "tile_edges",
      "whole",       "huge",         "minute",     "octaves",   "sparse",      "masked_low",
      "masked_high", "nearly_level", "alike",      "levels",    "positive",    "scales"};
  static const std::vector<std::string> of_any{"sorted", "extreme", "constant"};
  static const std::vector<std::string> of_all{data::kPatchwork, data::in_turn(1), data::in_turn(2)};
  const auto count = [&](Varied kind) {
    return std::ranges::count_if(one.buffers,
                                 [&](const model::CaseBuffer &b) { return varied(spec, b) == kind; });
  };
  const auto any = [&](Varied kind) { return count(kind) > 0; };
  std::vector<std::string> families;
  const bool floats = any(Varied::floating) || any(Varied::wide), integers = any(Varied::integer);
  if (floats) families = of_floats;
  if (count(Varied::floating) + count(Varied::wide) > 1)
    families.insert(families.end(), {data::kInfinitiesInOne, data::kInfinitiesInOthers});
  if (count(Varied::floating) + count(Varied::wide) == 1) families.emplace_back(data::kTopmost);
  if (any(Varied::floating)) families.emplace_back("subnormal");
  if (floats) families.emplace_back("sorted");
  const bool finite = std::ranges::all_of(one.buffers, [&](const model::CaseBuffer &b) {
    const Varied kind = varied(spec, b);
    return b.finite || (kind != Varied::floating && kind != Varied::wide);
  });
  if (finite) {
    std::erase_if(families, data::has_non_finite);
    std::erase(families, data::kOctaves);  // its squares are infinite
  }
  if (integers && !floats) families = of_any;
  if (integers && floats) families.emplace_back("constant");
  if (floats || integers || any(Varied::ranged))
    families.insert(families.end(), of_all.begin(), of_all.end());
  return families;
}

/// Takes `count` names, the `index`th group of them, and wraps around at the end.
std::vector<std::string> some(const std::vector<std::string> &all, std::size_t index, std::size_t count) {
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < std::min(count, all.size()); ++i)
    chosen.push_back(all[(index * count + i) % all.size()]);
  return chosen;
}

bool holds(const std::vector<std::string> &all, const std::string &one) {
  return std::ranges::find(all, one) != all.end();
}

/// NaN and infinities are always among a small neighbour's families: its tails are of another length, and
/// those values stand there.
std::vector<std::string> special_ends(const std::vector<std::string> &all) {
  std::vector<std::string> ends{"nans", "infinities"};
  if (holds(all, data::kInfinitiesInOne)) ends = {"nans", data::kInfinitiesInOne, data::kInfinitiesInOthers};
  std::erase_if(ends, [&](const std::string &one) { return !holds(all, one); });
  return ends;
}

bool is_patchwork(const std::string &family) {
  return data::without_turn(family) == data::kPatchwork;
}

/// As many as before, `first` in front.
std::vector<std::string> with_first(const std::vector<std::string> &chosen,
                                    const std::vector<std::string> &all,
                                    const std::vector<std::string> &first) {
  std::vector<std::string> both;
  for (const std::string &one : first)
    if (holds(all, one)) both.push_back(one);
  for (const std::string &one : chosen)
    if (!holds(both, one)) both.push_back(one);
  both.resize(chosen.size());
  return both;
}

/// Those that the neighbour is for or whose turn it is, special values at the ends, and data of all
/// structures, each time in another turn.
std::vector<std::string> of_small_neighbour(const std::vector<std::string> &all, const FamilyTurn &turn) {
  const auto ends = special_ends(all);
  std::vector<std::string> others = all;
  std::erase_if(others, [&](const std::string &one) { return holds(ends, one) || is_patchwork(one); });
  const bool patched = std::ranges::any_of(all, is_patchwork);
  const std::size_t always = ends.size() + (patched ? 1 : 0);
  const std::size_t count = std::max(kLeastTurned, kNeighbourFamilies - always);
  auto chosen = with_first(some(others, turn.index, count), all, turn.first);
  for (const std::string &one : ends)
    if (!holds(chosen, one)) chosen.push_back(one);
  if (patched) chosen.push_back(data::in_turn(turn.index));
  return chosen;
}

std::vector<std::string> on_any_device(const spec::KernelSpec &spec, const model::Case &one,
                                       const FamilyTurn &turn) {
  std::vector<std::string> families{"user"};
  auto others = telling_families(spec, one);
  if (others.empty()) return families;
  const bool small = bytes_of(spec, one) <= kAllFamiliesBytes;
  if (turn.neighbour) {
    others = small ? of_small_neighbour(others, turn)
                   : with_first(some(others, turn.index, 1), others, turn.first);
  } else if (!small)
    others.resize(std::min(others.size(), kLargeFamilies));
  families.insert(families.end(), others.begin(), others.end());
  return families;
}

/// The same families if they cost almost nothing.
std::vector<std::string> emulated(const spec::KernelSpec &spec, const model::Case &one,
                                  const FamilyTurn &turn) {
  auto all = on_any_device(spec, one, turn);
  std::uint64_t elements = 0;
  for (const auto &buffer : one.buffers) elements += buffer.elements;
  if (elements <= kAllFamiliesElements || all.size() <= 2) return all;
  return {all[0], all[1 + (turn.first.empty() ? turn.index % (all.size() - 1) : 0)]};
}

}  // namespace

std::uint64_t bytes_of(const spec::KernelSpec &spec, const model::Case &one) {
  double total = 0;  // a double, since the sum may overflow 64 bits; it is only compared
  for (const auto &buffer : one.buffers) {
    const auto *parameter = parameter_named(spec, buffer.parameter);
    total +=
        static_cast<double>(buffer.elements) * static_cast<double>(parameter ? parameter->element_bytes : 1);
  }
  return total > 1e18 ? std::uint64_t(1e18) : static_cast<std::uint64_t>(total);
}

std::vector<std::string> families_of(const spec::KernelSpec &spec, const model::Case &one,
                                     const FamilyTurn &turn, CaseCap cap) {
  return cap == CaseCap::emulated ? emulated(spec, one, turn) : on_any_device(spec, one, turn);
}

}  // namespace cupilot::judge::cases
