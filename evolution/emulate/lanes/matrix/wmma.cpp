// SPDX-License-Identifier: Apache-2.0
//
// wmma.load and wmma.store: memory to fragments laid out as matrix.h says, for any layout and stride.
// Registers whose elements are neighbours in memory move at once, others element by element.

#include "evolution/emulate/lanes/lane_access.h"
#include "evolution/emulate/lanes/matrix/matrix.h"

namespace cupilot::emulate::lanes::matrix {
namespace {

/// Where an element stands, before the stride is known: outer * stride + inner.
struct Cell {
  int outer = 0, inner = 0;
};

struct Geometry {
  int registers = 0;  ///< without copies
  int register_bytes = 4;
  int element_bits = 16;
  int each = 1;           ///< elements a register
  int packed_stride = 0;  ///< where no stride is given
  bool whole = false;     ///< a register's elements are neighbours
};

Geometry geometry_of(const TileForm &form) {
  const auto [m, n, k] = form.shape;
  Geometry g;
  if (form.part == TileForm::Part::accumulator) {
    g.registers = accumulator_registers(form.kind, form.shape);
    g.element_bits = form.kind == Accumulator::f16 ? 16 : form.kind == Accumulator::f64 ? 64 : 32;
    g.register_bytes = form.kind == Accumulator::f64 ? 8 : 4;
    g.packed_stride = form.by_column ? m : n;
    g.whole = !form.by_column;
  } else {
    const bool is_a = form.part == TileForm::Part::a;
    const int outer = is_a ? m : n;
    const bool along_k = is_a != form.by_column;
    g.registers = operand_registers(form.element, outer, k);
    g.element_bits = bits_of(form.element);
    g.register_bytes = form.element == lanes::Element::f64 ? 8 : 4;
    g.packed_stride = along_k ? k : outer;
    g.whole = along_k;
  }
  g.each = 8 * g.register_bytes / g.element_bits;
  g.whole = g.whole || g.each == 1;
  return g;
}

/// The place of part `part` of register `r` of a lane.
Cell cell_of(const TileForm &form, const Geometry &g, int lane, int r, int part) {
  const int group = lane >> 2, near = lane & 3;
  if (form.part == TileForm::Part::accumulator) {
    const int i = r * g.each + part, blocks = form.shape.m / 8, block = i >> 1;
    const int row = group + 8 * (block % blocks), column = 8 * (block / blocks) + 2 * near + (i & 1);
    return form.by_column ? Cell{column, row} : Cell{row, column};
  }
  const bool is_a = form.part == TileForm::Part::a;
  const int blocks = (is_a ? form.shape.m : form.shape.n) / 8;
  const int outer = group + 8 * (r % blocks), k = (4 * (r / blocks) + near) * g.each + part;
  return is_a != form.by_column ? Cell{outer, k} : Cell{k, outer};
}

/// Addresses of one part of register `r` in all lanes.
struct Places {
  std::uint64_t base[program::kLanes], address[program::kLanes];
  std::uint32_t stride[program::kLanes];

  Places(machine::Warp &warp, const program::Step &step, const TileForm &form, const Geometry &g) {
    read_addresses(warp, step, form.address, base);
    for (int lane = 0; lane < program::kLanes; ++lane)
      stride[lane] = static_cast<std::uint32_t>(g.packed_stride);
    if (form.stride != TileForm::kPacked)
      std::memcpy(stride, lanes_of<std::uint32_t>(warp, step, form.stride), sizeof stride);
  }
  void point(const TileForm &form, const Geometry &g, int r, int part) {
    for (int lane = 0; lane < program::kLanes; ++lane) {
      const Cell cell = cell_of(form, g, lane, r, part);
      const std::uint64_t element = std::uint64_t{stride[lane]} * static_cast<std::uint64_t>(cell.outer) +
                                    static_cast<std::uint64_t>(cell.inner);
      address[lane] = base[lane] + element * static_cast<std::uint64_t>(g.element_bits) / 8;
    }
  }
};

machine::Access access_of(const TileForm &form, int bytes, bool load) {
  const auto width = static_cast<std::uint8_t>(bytes);
  return {.space = form.space, .bytes = width, .alignment = width, .reads = load, .writes = !load};
}

/// Calls act(r, part, ready, host) for every access; `part` is -1 when it is the whole register.
template <class Do>
void for_accesses(machine::Warp &warp, const program::Step &step, program::Mask mask, const TileForm &form,
                  bool load, Do act) {
  const Geometry g = geometry_of(form);
  Places places(warp, step, form, g);
  const machine::Access access = access_of(form, g.whole ? g.register_bytes : g.element_bits / 8, load);
  std::byte *host[program::kLanes];
  for (int r = 0; r < g.registers; ++r)
    for (int part = 0; part < (g.whole ? 1 : g.each); ++part) {
      places.point(form, g, r, part);
      const program::Mask ready = machine::resolve(warp, step, mask, access, places.address, host);
      act(r, g.whole ? -1 : part, ready, host);
    }
}

std::byte *register_of(machine::Warp &warp, const program::Step &step, const TileForm &form, int r, int lane,
                       int bytes) {
  return warp.lanes<std::byte>(operand(step, form.first + static_cast<std::size_t>(r))) + lane * bytes;
}

}  // namespace

void load_tile(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if (!machine::gather(warp, step, mask, kAllLanes)) return;
  const TileForm &form = *static_cast<const TileForm *>(step.detail);
  const Geometry g = geometry_of(form);
  const auto register_bytes = static_cast<std::size_t>(g.register_bytes),
             part_bytes = register_bytes / static_cast<std::size_t>(g.each);
  for_accesses(warp, step, mask, form, true, [&](int r, int part, program::Mask ready, std::byte **host) {
    for_lanes(ready, [&](int lane) {
      std::byte *to = register_of(warp, step, form, r, lane, g.register_bytes);
      if (part < 0)
        std::memcpy(to, host[lane], register_bytes);
      else
        std::memcpy(to + static_cast<std::size_t>(part) * part_bytes, host[lane], part_bytes);
    });
  });
  for (int r = g.registers; r < form.registers; ++r)
    for_lanes(mask, [&](int lane) {
      std::memcpy(register_of(warp, step, form, r, lane, g.register_bytes),
                  register_of(warp, step, form, r % g.registers, lane, g.register_bytes), register_bytes);
    });
}

void store_tile(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if (!machine::gather(warp, step, mask, kAllLanes)) return;
  const TileForm &form = *static_cast<const TileForm *>(step.detail);
  const Geometry g = geometry_of(form);
  const auto register_bytes = static_cast<std::size_t>(g.register_bytes),
             part_bytes = register_bytes / static_cast<std::size_t>(g.each);
  for_accesses(warp, step, mask, form, false, [&](int r, int part, program::Mask ready, std::byte **host) {
    for_lanes(ready, [&](int lane) {
      const std::byte *from = register_of(warp, step, form, r, lane, g.register_bytes);
      if (part < 0)
        std::memcpy(host[lane], from, register_bytes);
      else
        std::memcpy(host[lane], from + static_cast<std::size_t>(part) * part_bytes, part_bytes);
    });
  });
}

}  // namespace cupilot::emulate::lanes::matrix
