// SPDX-License-Identifier: Apache-2.0
//
// Where the buffers of a case are in one block of device memory (the arena), and what the kernel's arguments
// are. Pure: the parent process uses it to know sizes, the child process to place and fill buffers.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

/// `moved`: other addresses and another order. `misaligned`, `misaligned_two`, `misaligned_four`: every
/// pointer is one, two or four elements past a 256-byte boundary. `in_place`: each `out` buffer shares the
/// memory of the first `in` buffer of its type and length that is not `restrict` (one output for each input);
/// `in_place_last`: of the last such buffer.
enum class Placement { base, moved, misaligned, misaligned_two, misaligned_four, in_place, in_place_last };
/// By how many elements pointers are moved past an aligned address; 0: they are aligned.
inline int elements_past(Placement placement) {
  return placement == Placement::misaligned        ? 1
         : placement == Placement::misaligned_two  ? 2
         : placement == Placement::misaligned_four ? 4
                                                   : 0;
}
inline bool is_misaligned(Placement placement) {
  return elements_past(placement) > 0;
}
inline bool is_in_place(Placement placement) {
  return placement == Placement::in_place || placement == Placement::in_place_last;
}

/// Size of the guards: bytes before and after every buffer that no kernel may write.
inline constexpr std::uint64_t kGuardBytes = 4096;
inline constexpr std::uint64_t kBufferAlignment = 256;

/// How the bytes of an element type are filled and compared: float4 is four f32.
struct ElementLanes {
  spec::ElementType type = spec::ElementType::opaque;
  std::uint64_t lanes = 1;
};
ElementLanes element_lanes(const spec::Parameter &parameter);

inline constexpr std::size_t kOwnMemory = ~std::size_t{0};

struct PlacedBuffer {
  std::size_t parameter = 0;  ///< index
  spec::BufferRole role = spec::BufferRole::in;
  spec::Fill fill;
  ElementLanes element;
  /// element.type, or for a promoted buffer the narrower type whose values it holds.
  spec::ElementType values = spec::ElementType::opaque;
  std::uint64_t elements = 0;  ///< number of elements of element.type
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;         ///< position of the first element in the arena
  std::size_t shares = kOwnMemory;  ///< in place: index in the layout of the `in` buffer whose memory it uses
  bool dumped() const { return role == spec::BufferRole::out || role == spec::BufferRole::inout; }
};

struct CaseLayout {
  std::vector<PlacedBuffer> buffers;  ///< in the order of parameters
  std::uint64_t arena_bytes = 0;
  /// Minimum traffic: `in` and `inout` are read once, `out` and `inout` are written once.
  std::uint64_t read_bytes = 0, written_bytes = 0;
  std::uint64_t dump_bytes = 0;  ///< size of out and inout, each rounded up to 64
  bool promoted = false;         ///< for the twin: floating buffers and scalars are doubles
};

/// An error names what does not match: a pointer without a buffer, or a buffer without a parameter.
Result<CaseLayout> make_layout(const std::vector<spec::Parameter> &parameters, const model::Case &which,
                               Placement placement, bool promoted = false);

/// Whether this in-place placement is possible and differs from the in-place placements before it.
bool can_be_in_place(const CaseLayout &layout, const std::vector<spec::Parameter> &parameters,
                     Placement placement);

/// For each buffer, whether it is an `in` buffer whose memory an output uses; such a buffer may change.
std::vector<bool> overwritten(const CaseLayout &layout);

/// The start of each dumped buffer in a dump, in the order of `layout.buffers`.
std::vector<std::uint64_t> dump_offsets(const CaseLayout &layout);

/// The relative change of floating inputs in a nudged run: one rounding of the type, or 0 if an output is
/// more precise than that.
double nudge_of(const CaseLayout &layout, spec::ElementType type);

/// The bytes of one scalar argument in the kernel's parameter type. Promoted: a floating argument becomes a
/// double with the value of its own type.
Result<std::vector<std::byte>> scalar_argument(const spec::Parameter &parameter, const model::Case &which,
                                               bool promoted = false);

}  // namespace cupilot::judge::cases
