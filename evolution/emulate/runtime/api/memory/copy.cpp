// SPDX-License-Identifier: Apache-2.0
//
// One routine copies and one fills; the functions of the runtime call them with different shapes.

#include "evolution/emulate/runtime/api/memory/copy.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "evolution/emulate/runtime/api/call.h"

namespace cupilot::emulate::runtime {
namespace {

bool overflows(const Region &region, const Shape &shape) {
  std::size_t slices = 0, rows = 0;
  return __builtin_mul_overflow(region.slice_pitch, shape.depth, &slices) ||
         __builtin_mul_overflow(region.pitch, shape.height, &rows) || slices > SIZE_MAX / 4 ||
         rows > SIZE_MAX / 4;
}

std::size_t extent(const Region &region, const Shape &shape) {
  return (shape.depth - 1) * region.slice_pitch + (shape.height - 1) * region.pitch + shape.width;
}

enum class Side : std::uint8_t { host, device, invalid };

/// Finds the bytes in this process; reports why when they are in no allocation.
Side side_of(const std::byte *address, std::size_t bytes, const char *what) {
  const auto &memory = current_device().memory();
  const auto at = reinterpret_cast<std::uint64_t>(address);
  const auto invalid = [&](std::string_view why) {
    say(fmt::format("{} of {} bytes {}", what, bytes, why));
    return Side::invalid;
  };
  if (!address) return invalid("is a null pointer");
  const auto *allocation = memory.find(at);
  if (!allocation && (at < memory.begin() || at >= memory.end())) return Side::host;
  if (!allocation) return invalid("points to device memory that is not allocated");
  const auto left = allocation->address + allocation->bytes - at;
  if (bytes <= left) return Side::device;
  return invalid(fmt::format("goes {} bytes past the end of {} ({} bytes)", bytes - left, allocation->label,
                             allocation->bytes));
}

bool direction_fits(int kind, Side to, Side from) {
  switch (kind) {
    case abi::kHostToDevice:
      return to == Side::device;
    case abi::kDeviceToHost:
      return from == Side::device;
    case abi::kDeviceToDevice:
      return to == Side::device && from == Side::device;
    default:
      return true;
  }
}

void mark(const Region &to, const Shape &shape) {
  auto &memory = current_device().memory();
  for (std::size_t z = 0; z < shape.depth; ++z)
    for (std::size_t y = 0; y < shape.height; ++y)
      memory.mark_written(reinterpret_cast<std::uint64_t>(to.address + z * to.slice_pitch + y * to.pitch),
                          shape.width);
}

/// Rows without gaps on both sides are one long row.
Shape flattened(const Region &to, const Region &from, Shape shape) {
  if (shape.depth == 1 && to.pitch == shape.width && from.pitch == shape.width)
    return {shape.width * shape.height, 1, 1};
  return shape;
}

void fill_row(std::byte *row, std::size_t width, unsigned value, unsigned element_bytes) {
  if (element_bytes == 1) {
    std::memset(row, static_cast<int>(value & 0xff), width);
    return;
  }
  for (std::size_t at = 0; at + element_bytes <= width; at += element_bytes)
    std::memcpy(row + at, &value, element_bytes);
}

std::size_t rows_of(const abi::PitchedPointer &place, std::size_t height) {
  return place.ysize ? place.ysize : height;
}

Region region_of(const abi::PitchedPointer &place, const abi::Position &position, std::size_t height) {
  const auto slice = place.pitch * rows_of(place, height);
  return {
      static_cast<std::byte *>(place.pointer) + position.z * slice + position.y * place.pitch + position.x,
      place.pitch, slice};
}

}  // namespace

int copy_region(const Region &to, const Region &from, const Shape &whole, int kind) {
  if (kind < abi::kHostToHost || kind > abi::kDefaultKind) return abi::kInvalidMemcpyDirection;
  if (!whole.width || !whole.height || !whole.depth) return abi::kSuccess;
  if (overflows(to, whole) || overflows(from, whole)) return abi::kInvalidValue;
  if (whole.height > 1 && (to.pitch < whole.width || from.pitch < whole.width))
    return abi::kInvalidPitchValue;
  const auto shape = flattened(to, from, whole);
  const auto to_side = side_of(to.address, extent(to, shape), "the destination of a copy");
  const auto from_side = side_of(from.address, extent(from, shape), "the source of a copy");
  if (to_side == Side::invalid || from_side == Side::invalid) return abi::kInvalidValue;
  if (!direction_fits(kind, to_side, from_side))
    return refuse(abi::kInvalidValue, "the direction of a copy (cudaMemcpyKind) does not fit its pointers");
  for (std::size_t z = 0; z < shape.depth; ++z)
    for (std::size_t y = 0; y < shape.height; ++y)
      std::memmove(to.address + z * to.slice_pitch + y * to.pitch,
                   from.address + z * from.slice_pitch + y * from.pitch, shape.width);
  if (to_side == Side::device) mark(to, shape);
  return abi::kSuccess;
}

int copy_bytes(void *to, const void *from, std::size_t bytes, int kind) {
  auto *const source = const_cast<std::byte *>(static_cast<const std::byte *>(from));
  return copy_region({static_cast<std::byte *>(to), bytes, bytes}, {source, bytes, bytes}, {bytes, 1, 1},
                     kind);
}

int copy_3d(const abi::Copy3D &copy) {
  if (copy.source_array || copy.destination_array)
    return refuse(abi::kNotSupported, "copies from and to CUDA arrays are not supported");
  const auto &[width, height, depth] = copy.extent;
  return copy_region(region_of(copy.destination, copy.destination_position, height),
                     region_of(copy.source, copy.source_position, height), {width, height, depth}, copy.kind);
}

int fill_region(const Region &to, const Shape &shape, unsigned value, unsigned element_bytes) {
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4) return abi::kInvalidValue;
  if (!shape.width || !shape.height || !shape.depth) return abi::kSuccess;
  if (overflows(to, shape)) return abi::kInvalidValue;
  if (side_of(to.address, extent(to, shape), "the destination of a fill") != Side::device)
    return abi::kInvalidValue;
  for (std::size_t z = 0; z < shape.depth; ++z)
    for (std::size_t y = 0; y < shape.height; ++y)
      fill_row(to.address + z * to.slice_pitch + y * to.pitch, shape.width, value, element_bytes);
  mark(to, shape);
  return abi::kSuccess;
}

}  // namespace cupilot::emulate::runtime
