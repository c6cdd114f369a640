// SPDX-License-Identifier: Apache-2.0
//
// Where the buffers of a case are in one block of device memory (the arena), and what the kernel's arguments
// are. Pure: the parent process uses it to know sizes, the child process to place and fill buffers.

#pragma once

#include <array>
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
/// `in_place_last`: of the last such buffer; `in_place_misaligned`, `in_place_last_misaligned`: the same, and
/// every pointer is one element past. `only_1` to `only_8`: this pointer alone is one element past. `mixed`:
/// each pointer is past by an amount of its own (Shifts).
enum class Placement {
  base,
  moved,
  misaligned,
  misaligned_two,
  misaligned_four,
  slice_16,  ///< 16 and 32 elements past: parts of a larger buffer begin there
  slice_32,
  in_place,
  in_place_last,
  in_place_misaligned,
  in_place_last_misaligned,
  only_1,
  only_2,
  only_3,
  only_4,
  only_5,
  only_6,
  only_7,
  only_8,
  mixed
};
inline constexpr std::array kPlacementsOfOne{Placement::only_1, Placement::only_2, Placement::only_3,
                                             Placement::only_4, Placement::only_5, Placement::only_6,
                                             Placement::only_7, Placement::only_8};
/// The index in the layout of the only buffer that the placement moves past an aligned address.
std::optional<std::size_t> only_misaligned(Placement placement);
/// By how many elements pointers are moved past an aligned address; 0: they are aligned.
int elements_past(Placement placement);
inline bool is_misaligned(Placement placement) {
  return elements_past(placement) > 0;
}
/// For Placement::mixed: by how many elements the pointer of each buffer is past an aligned address, four
/// bits each, that of the first buffer in the lowest ones. Buffers beyond the sixteenth take the same again.
using Shifts = std::uint64_t;
inline constexpr int kShiftBits = 4;
inline std::uint64_t shift_of(Shifts shifts, std::size_t buffer) {
  return shifts >> (buffer * kShiftBits % 64) & ((1u << kShiftBits) - 1);
}
/// Outputs are in the memory of the last input that fits, not the first.
inline bool is_in_last(Placement placement) {
  return placement == Placement::in_place_last || placement == Placement::in_place_last_misaligned;
}
inline bool is_in_place(Placement placement) {
  return placement == Placement::in_place || placement == Placement::in_place_misaligned ||
         is_in_last(placement);
}

/// Size of the guards: bytes before and after every buffer that no kernel may write.
inline constexpr std::uint64_t kGuardBytes = 4096;
inline constexpr std::uint64_t kBufferAlignment = 256;

/// How the bytes of an element type are filled and compared: float4 is four f32. A class type with members of
/// several types is that many bytes (`opaque`).
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
  bool finite = false;        ///< CaseBuffer::finite
  std::vector<double> range;  ///< CaseBuffer::range
  ElementLanes element;
  /// The numbers in an element of class type, unless all have one type (then that is `element`).
  std::vector<spec::Member> members;
  /// element.type, or for a promoted buffer the narrower type whose values it holds.
  spec::ElementType values = spec::ElementType::opaque;
  std::uint64_t elements = 0;  ///< number of elements of element.type
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;         ///< position of the first element in the arena
  std::size_t shares = kOwnMemory;  ///< index in the layout of the `in` buffer whose memory it uses
  std::uint64_t begins = 0;  ///< bytes after the start of that buffer, which it overlaps: CaseBuffer::begins
  std::uint64_t room = 0;    ///< bytes of its memory: its own, or more for those that begin within
  /// For an inout buffer of CaseBuffer::same_as: the index of that input, and the name whose data it holds.
  std::size_t like = kOwnMemory;
  std::string data_of{};
  bool overlaps() const { return shares != kOwnMemory && begins > 0; }
  bool read() const { return role == spec::BufferRole::in || role == spec::BufferRole::inout; }
  bool dumped() const { return role == spec::BufferRole::out || role == spec::BufferRole::inout; }
};

struct CaseLayout {
  std::vector<PlacedBuffer> buffers;  ///< in the order of parameters
  std::uint64_t arena_bytes = 0;
  /// Minimum traffic: `in` and `inout` are read once, `out` and `inout` are written once.
  std::uint64_t read_bytes = 0, written_bytes = 0;
  std::uint64_t dump_bytes = 0;  ///< size of out and inout, each rounded up to 64
  Placement placement = Placement::base;
  bool promoted = false;  ///< for the twin: floating buffers and scalars are doubles
};

/// An error names what does not match: a pointer without a buffer, or a buffer without a parameter.
Result<CaseLayout> make_layout(const std::vector<spec::Parameter> &parameters, const model::Case &which,
                               Placement placement, bool promoted = false, Shifts shifts = 0);

/// For each buffer, the index of the input in whose memory it stands at this in-place placement; kOwnMemory
/// if in none.
std::vector<std::size_t> in_place_partners(const CaseLayout &layout,
                                           const std::vector<spec::Parameter> &parameters,
                                           Placement placement);

/// Whether this in-place placement is possible and differs from the in-place placements before it.
bool can_be_in_place(const CaseLayout &layout, const std::vector<spec::Parameter> &parameters,
                     Placement placement);

/// For each buffer, whether it is an `in` buffer whose memory an output uses; such a buffer may change.
/// Inputs that share memory with each other may not.
std::vector<bool> overwritten(const CaseLayout &layout);

/// The start of each dumped buffer in a dump, in the order of `layout.buffers`.
std::vector<std::uint64_t> dump_offsets(const CaseLayout &layout);

/// Whether the buffer holds floating numbers.
bool has_floating(const PlacedBuffer &buffer);

/// The relative change of floating inputs in a nudged run: one rounding of the type, or 0 if an output is
/// more precise than that.
double nudge_of(const CaseLayout &layout, spec::ElementType type);

/// The bytes of one scalar argument in the kernel's parameter type. Promoted: a floating argument becomes a
/// double with the value of its own type.
Result<std::vector<std::byte>> scalar_argument(const spec::Parameter &parameter, const model::Case &which,
                                               bool promoted = false);

}  // namespace cupilot::judge::cases
