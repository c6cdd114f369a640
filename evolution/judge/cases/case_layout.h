// SPDX-License-Identifier: Apache-2.0
//
// Where the buffers of a case stand in one stretch of device memory, and what the kernel's arguments are.
// Pure: the parent process uses it to know sizes, the child to place and fill.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot {

/// `moved`: other addresses, other order. `misaligned`: every pointer one element past a 256-byte boundary.
/// `in_place`: each `out` buffer stands on the first `in` buffer of its type and length that is not
/// `restrict` (one output each); `in_place_last`: on the last such one.
enum class Placement { base, moved, misaligned, in_place, in_place_last };
inline bool is_in_place(Placement placement) {
  return placement == Placement::in_place || placement == Placement::in_place_last;
}

/// Bytes before and after every buffer that nobody may write.
inline constexpr std::uint64_t kGuardBytes = 4096;
inline constexpr std::uint64_t kBufferAlignment = 256;

/// How the bytes of an element type are filled and compared: float4 is four f32.
struct ElementLanes {
  ElementType type = ElementType::opaque;
  std::uint64_t lanes = 1;
};
ElementLanes element_lanes(const Parameter &parameter);

inline constexpr std::size_t kOwnMemory = ~std::size_t{0};

struct PlacedBuffer {
  std::size_t parameter = 0;  ///< index
  BufferRole role = BufferRole::in;
  Fill fill;
  ElementLanes element;
  ElementType values =
      ElementType::opaque;     ///< element.type, or the narrower one whose values a promoted buffer has
  std::uint64_t elements = 0;  ///< of element.type
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;         ///< of the first element in the arena
  std::size_t shares = kOwnMemory;  ///< in place: index of the `in` buffer in the layout that it stands on
  bool dumped() const { return role == BufferRole::out || role == BufferRole::inout; }
};

struct CaseLayout {
  std::vector<PlacedBuffer> buffers;  ///< in the order of parameters
  std::uint64_t arena_bytes = 0;
  std::uint64_t read_bytes = 0, written_bytes = 0;  ///< least traffic: in and inout once, out and inout once
  std::uint64_t dump_bytes = 0;                     ///< of out and inout, each rounded up to 64
  bool promoted = false;  ///< for the twin: floating buffers and scalars are doubles
};

/// An error names what is missing: a pointer without a buffer, a buffer of no parameter.
Result<CaseLayout> make_layout(const std::vector<Parameter> &parameters, const Case &which,
                               Placement placement, bool promoted = false);

/// Whether that way of placing outputs in place is another one than those before it.
bool can_be_in_place(const CaseLayout &layout, const std::vector<Parameter> &parameters, Placement placement);

/// The `in` buffers that hold an output's memory: they change, as they should.
std::vector<bool> overwritten(const CaseLayout &layout);

/// Where each dumped buffer starts in a dump, in the order of `layout.buffers`.
std::vector<std::uint64_t> dump_offsets(const CaseLayout &layout);

/// By how much a nudged run moves floating inputs: one rounding of the type, but only where outputs are no
/// more precise than that (else 0).
double nudge_of(const CaseLayout &layout, ElementType type);

/// The bytes of one scalar argument as the kernel's parameter type has them; promoted: a floating one as a
/// double with the value its own type has.
Result<std::vector<std::byte>> scalar_argument(const Parameter &parameter, const Case &which,
                                               bool promoted = false);

}  // namespace cupilot
