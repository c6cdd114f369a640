// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/cases/case_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "annotate/support/half.h"
#include "evolution/judge/data/element_type.h"
#include "evolution/judge/data/promoted_parameters.h"

namespace cupilot::judge::cases {

namespace {

struct VectorType {
  std::string_view name;
  ElementLanes element;
};
constexpr VectorType kVectorTypes[] = {
    {"float2", {spec::ElementType::f32, 2}},
    {"float3", {spec::ElementType::f32, 3}},
    {"float4", {spec::ElementType::f32, 4}},
    {"double2", {spec::ElementType::f64, 2}},
    {"double3", {spec::ElementType::f64, 3}},
    {"double4", {spec::ElementType::f64, 4}},
    {"__half2", {spec::ElementType::f16, 2}},
    {"half2", {spec::ElementType::f16, 2}},
    {"__nv_bfloat162", {spec::ElementType::bf16, 2}},
    {"int2", {spec::ElementType::i32, 2}},
    {"int4", {spec::ElementType::i32, 4}},
    {"uint2", {spec::ElementType::u32, 2}},
    {"uint4", {spec::ElementType::u32, 4}},
};

constexpr std::uint64_t kDumpAlignment = 64;

/// The numbers of an element, if they all have one type and nothing stands between them.
std::optional<ElementLanes> lanes_of_members(const spec::Parameter &parameter) {
  if (parameter.members.empty()) return std::nullopt;
  ElementLanes lanes{parameter.members.front().type, 0};
  for (const spec::Member &member : parameter.members) {
    if (member.type != lanes.type) return std::nullopt;
    lanes.lanes += member.count;
  }
  const bool whole = lanes.lanes * data::element_size(lanes.type) == parameter.element_bytes;
  return whole ? std::optional(lanes) : std::nullopt;
}

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

const model::CaseBuffer *find_buffer(const model::Case &which, const std::string &name) {
  const auto found = std::find_if(which.buffers.begin(), which.buffers.end(),
                                  [&](const model::CaseBuffer &b) { return b.parameter == name; });
  return found == which.buffers.end() ? nullptr : &*found;
}

PlacedBuffer describe(const spec::Parameter &parameter, std::size_t index, const model::CaseBuffer &buffer) {
  PlacedBuffer placed;
  placed.parameter = index;
  placed.role = buffer.role;
  placed.fill = buffer.fill;
  placed.finite = buffer.finite;
  placed.range = buffer.range;
  placed.element = element_lanes(parameter);
  placed.values = placed.element.type;
  if (placed.element.type == spec::ElementType::opaque) placed.members = parameter.members;
  placed.bytes = buffer.elements * std::max<std::size_t>(parameter.element_bytes, 1);
  placed.elements = buffer.elements * placed.element.lanes;
  return placed;
}

void add_traffic(CaseLayout &layout, const PlacedBuffer &buffer) {
  if (buffer.read()) layout.read_bytes += buffer.bytes;
  if (!buffer.dumped()) return;
  layout.written_bytes += buffer.bytes;
  layout.dump_bytes += rounded_up(buffer.bytes, kDumpAlignment);
}

/// The first or last free `in` buffer of the same type and length that may share its memory; kOwnMemory if
/// none.
std::size_t partner_of(const CaseLayout &layout, const std::vector<spec::Parameter> &parameters,
                       std::size_t out, const std::vector<bool> &taken, Placement placement) {
  const PlacedBuffer &output = layout.buffers[out];
  const spec::Parameter &written = parameters[output.parameter];
  if (output.like != kOwnMemory && !taken[output.like]) return output.like;
  if (output.role != spec::BufferRole::out || output.bytes == 0 || written.restrict_qualified)
    return kOwnMemory;
  const std::size_t count = layout.buffers.size();
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t i = is_in_last(placement) ? count - 1 - n : n;
    const PlacedBuffer &input = layout.buffers[i];
    const spec::Parameter &read = parameters[input.parameter];
    if (input.role == spec::BufferRole::in && !taken[i] && !read.restrict_qualified &&
        read.element_type == written.element_type && input.bytes == output.bytes)
      return i;
  }
  return kOwnMemory;
}

/// Places guard | buffer | guard one after the other. `moved` uses the reverse order and another start.
void place(CaseLayout &layout, const std::vector<spec::Parameter> &parameters, Placement placement,
           Shifts shifts) {
  std::uint64_t end = placement == Placement::moved ? 3 * kBufferAlignment : 0;
  const std::size_t count = layout.buffers.size();
  const auto only = only_misaligned(placement);
  for (PlacedBuffer &buffer : layout.buffers) {
    buffer.room = std::max(buffer.room, buffer.bytes);
    if (!buffer.overlaps()) continue;
    PlacedBuffer &around = layout.buffers[buffer.shares];
    around.room = std::max({around.room, around.bytes, buffer.begins + buffer.bytes});
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = placement == Placement::moved ? count - 1 - i : i;
    PlacedBuffer &buffer = layout.buffers[index];
    if (buffer.shares != kOwnMemory) continue;
    const bool shifted = !only || index == *only % count;
    const std::uint64_t past = placement == Placement::mixed ? shift_of(shifts, index)
                               : shifted ? static_cast<std::uint64_t>(elements_past(placement))
                                         : 0;
    const std::uint64_t shift = past * std::max<std::size_t>(parameters[buffer.parameter].element_bytes, 1);
    buffer.offset = rounded_up(end + kGuardBytes, kBufferAlignment) + shift;
    end = buffer.offset + buffer.room + kGuardBytes;
  }
  for (PlacedBuffer &buffer : layout.buffers)
    if (buffer.shares != kOwnMemory) buffer.offset = layout.buffers[buffer.shares].offset + buffer.begins;
  layout.arena_bytes = rounded_up(end, kBufferAlignment);
}

template <class T>
Result<std::vector<std::byte>> number_bytes(const spec::Parameter &parameter, T value) {
  switch (parameter.element) {
    case spec::ElementType::i8:
      return bytes_of(static_cast<std::int8_t>(value));
    case spec::ElementType::u8:
      return bytes_of(static_cast<std::uint8_t>(value));
    case spec::ElementType::i16:
      return bytes_of(static_cast<std::int16_t>(value));
    case spec::ElementType::u16:
      return bytes_of(static_cast<std::uint16_t>(value));
    case spec::ElementType::i32:
      return bytes_of(static_cast<std::int32_t>(value));
    case spec::ElementType::u32:
      return bytes_of(static_cast<std::uint32_t>(value));
    case spec::ElementType::i64:
      return bytes_of(static_cast<std::int64_t>(value));
    case spec::ElementType::u64:
      return bytes_of(static_cast<std::uint64_t>(value));
    case spec::ElementType::boolean:
      return bytes_of(value != 0);
    case spec::ElementType::f16:
      return bytes_of(f16_from_float(static_cast<float>(value)));
    case spec::ElementType::bf16:
      return bytes_of(bf16_from_float(static_cast<float>(value)));
    case spec::ElementType::f32:
      return bytes_of(static_cast<float>(value));
    case spec::ElementType::f64:
      return bytes_of(static_cast<double>(value));
    case spec::ElementType::opaque:
      break;
  }
  return fail(fmt::format(
      "the parameter '{}' is passed by value and its type '{}' is not a number, which is not supported",
      parameter.name, parameter.type));
}

double number_from(spec::ElementType floating, const std::vector<std::byte> &bytes) {
  std::uint16_t half = 0;
  float single = 0;
  double wide = 0;
  switch (floating) {
    case spec::ElementType::f16:
      std::memcpy(&half, bytes.data(), sizeof half);
      return float_from_f16(half);
    case spec::ElementType::bf16:
      std::memcpy(&half, bytes.data(), sizeof half);
      return float_from_bf16(half);
    case spec::ElementType::f32:
      std::memcpy(&single, bytes.data(), sizeof single);
      return single;
    default:
      std::memcpy(&wide, bytes.data(), sizeof wide);
      return wide;
  }
}

/// An error names an input that is to be, or to overlap, one that does not exist or has another size.
Result<void> share_equal_inputs(CaseLayout &layout, const std::vector<spec::Parameter> &parameters,
                                const model::Case &which) {
  for (PlacedBuffer &buffer : layout.buffers) {
    const model::CaseBuffer &given = *find_buffer(which, parameters[buffer.parameter].name);
    if (given.same_as.empty()) continue;
    const auto other = std::ranges::find(layout.buffers, given.same_as, [&](const PlacedBuffer &one) {
      return parameters[one.parameter].name;
    });
    const bool fits = other != layout.buffers.end() && other->shares == kOwnMemory && &*other != &buffer &&
                      other->role == spec::BufferRole::in && buffer.role != spec::BufferRole::out &&
                      buffer.role != spec::BufferRole::scratch &&
                      (given.begins ? buffer.role == spec::BufferRole::in : other->bytes == buffer.bytes);
    if (!fits)
      return fail(fmt::format("the case '{}' has the input '{}' in the memory of '{}', which does not fit",
                              which.id, given.parameter, given.same_as));
    const auto index = static_cast<std::size_t>(other - layout.buffers.begin());
    const auto element = std::max<std::size_t>(parameters[buffer.parameter].element_bytes, 1);
    if (buffer.role == spec::BufferRole::in)
      buffer.shares = index, buffer.begins = given.begins * element;
    else
      buffer.like = index, buffer.data_of = given.same_as;
  }
  return {};
}

}  // namespace

std::vector<std::size_t> in_place_partners(const CaseLayout &layout,
                                           const std::vector<spec::Parameter> &parameters,
                                           Placement placement) {
  std::vector<bool> taken(layout.buffers.size());
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    all.push_back(partner_of(layout, parameters, i, taken, placement));
    if (all.back() != kOwnMemory) taken[all.back()] = true;
  }
  return all;
}

std::optional<std::size_t> only_misaligned(Placement placement) {
  const auto found = std::ranges::find(kPlacementsOfOne, placement);
  if (found == kPlacementsOfOne.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kPlacementsOfOne.begin());
}

int elements_past(Placement placement) {
  switch (placement) {
    case Placement::base:
    case Placement::moved:
    case Placement::in_place:
    case Placement::in_place_last:
      return 0;
    case Placement::misaligned_two:
      return 2;
    case Placement::slice_16:
      return 16;
    case Placement::slice_32:
      return 32;
    case Placement::misaligned_four:
      return 4;
    default:
      return 1;
  }
}

ElementLanes element_lanes(const spec::Parameter &parameter) {
  if (parameter.element != spec::ElementType::opaque) return {parameter.element, 1};
  for (const VectorType &known : kVectorTypes)
    if (parameter.element_type == known.name) return known.element;
  if (const auto lanes = lanes_of_members(parameter)) return *lanes;
  return {spec::ElementType::opaque, std::max<std::size_t>(parameter.element_bytes, 1)};
}

Result<CaseLayout> make_layout(const std::vector<spec::Parameter> &given, const model::Case &which,
                               Placement placement, bool promoted, Shifts shifts) {
  const std::vector<spec::Parameter> parameters = promoted ? data::promoted_parameters(given) : given;
  CaseLayout layout;
  layout.placement = placement;
  layout.promoted = promoted;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].pointer) continue;
    const model::CaseBuffer *buffer = find_buffer(which, parameters[i].name);
    if (!buffer)
      return fail(fmt::format("the case '{}' has no buffer for the pointer parameter '{}'", which.id,
                              parameters[i].name));
    layout.buffers.push_back(describe(parameters[i], i, *buffer));
    layout.buffers.back().values = element_lanes(given[i]).type;
    add_traffic(layout, layout.buffers.back());
  }
  CUPILOT_CHECKED(share_equal_inputs(layout, parameters, which));
  if (is_in_place(placement)) {
    const auto shared = in_place_partners(layout, parameters, placement);
    for (std::size_t i = 0; i < shared.size(); ++i)
      if (shared[i] != kOwnMemory) layout.buffers[i].shares = shared[i];
  }
  place(layout, parameters, placement, shifts);
  return layout;
}

bool can_be_in_place(const CaseLayout &layout, const std::vector<spec::Parameter> &parameters,
                     Placement placement) {
  const auto first = in_place_partners(layout, parameters, Placement::in_place);
  if (is_in_last(placement)) return in_place_partners(layout, parameters, placement) != first;
  return std::ranges::any_of(first, [](std::size_t partner) { return partner != kOwnMemory; });
}

std::vector<bool> overwritten(const CaseLayout &layout) {
  std::vector<bool> changed(layout.buffers.size());
  for (const PlacedBuffer &buffer : layout.buffers)
    if (buffer.shares != kOwnMemory && buffer.dumped()) changed[buffer.shares] = true;
  return changed;
}

std::vector<std::uint64_t> dump_offsets(const CaseLayout &layout) {
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;
  for (const PlacedBuffer &buffer : layout.buffers) {
    offsets.push_back(end);
    if (buffer.dumped()) end += rounded_up(buffer.bytes, kDumpAlignment);
  }
  return offsets;
}

bool has_floating(const PlacedBuffer &buffer) {
  return spec::is_floating(buffer.element.type) ||
         std::ranges::any_of(buffer.members, spec::is_floating, &spec::Member::type);
}

double nudge_of(const CaseLayout &layout, spec::ElementType type) {
  const double eps = data::type_eps(type);
  const auto finer = [&](spec::ElementType other) {
    return spec::is_floating(other) && data::type_eps(other) < eps;
  };
  for (const PlacedBuffer &buffer : layout.buffers)
    if (buffer.dumped() &&
        (finer(buffer.element.type) || std::ranges::any_of(buffer.members, finer, &spec::Member::type)))
      return 0;
  return eps;
}

Result<std::vector<std::byte>> scalar_argument(const spec::Parameter &parameter, const model::Case &which,
                                               bool promoted) {
  const auto found = which.scalars.find(parameter.name);
  if (found == which.scalars.end())
    return fail(fmt::format("the case '{}' has no value for the parameter '{}'", which.id, parameter.name));
  CUPILOT_TRY(bytes, std::visit([&](auto value) { return number_bytes(parameter, value); }, found->second));
  if (!promoted || !spec::is_floating(parameter.element)) return bytes;
  return bytes_of(number_from(parameter.element, bytes));
}

}  // namespace cupilot::judge::cases
