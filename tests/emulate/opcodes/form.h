// SPDX-License-Identifier: Apache-2.0
//
// One form of a PTX instruction to be tried: its text, what goes in, and a reference that says what must come
// out. The same forms run on the emulator against the reference and on a GPU against the emulator.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cupilot::opcodes {

inline constexpr int kWarp = 32;
inline constexpr int kMostSlots = 12;
/// A thread's operands or results, each in the low bits of a word.
using Row = std::array<std::uint64_t, kMostSlots>;
using WarpRows = std::array<Row, kWarp>;

/// Which values a slot is given.
enum class Values : std::uint8_t {
  integer,  ///< any bits; extremes, small numbers, powers of two
  nonzero,  ///< integers without zero: divisors
  amount,   ///< shift amounts and positions: 0 to 40, some far beyond
  truth,    ///< 0 or 1
  f32,
  f64,
  f16,
  bf16,
  f32x2,
  f16x2,
  bf16x2,
  finite_f32,  ///< moderate numbers only
  fixed,       ///< Slot::constant
};

struct Slot {
  char kind = 'w';  ///< register: p predicate, h 16, w 32, d 64 bits
  Values values = Values::integer;
  std::uint64_t constant = 0;
};

/// How a result may differ: from the reference, and between emulator and GPU.
struct Tolerance {
  enum class Format : std::uint8_t { bits, f16, bf16, f32, f64, f16x2, bf16x2, f32x2 };
  Format format = Format::bits;
  bool any_nan = false;   ///< two NaN are equal whatever their bits
  double ulps = 0;        ///< of the format
  double absolute = 0;    ///< either suffices
  bool any_zero = false;  ///< zeros are equal whatever their sign
};

struct Form {
  std::string family;  ///< "integer"
  std::string name;    ///< "add.s32": for the tables
  std::string text;    ///< PTX; operands are %a0 ..., results %d0 ..., both declared already
  std::vector<Slot> operands, results;
  std::vector<Tolerance> tolerances;  ///< beside results
  /// Results of one warp, from its operands. Set exactly one.
  std::function<void(const Row &operands, Row &results)> lane;
  std::function<void(const WarpRows &operands, WarpRows &results)> warp;
  std::string architecture = "90";      ///< .target sm_...; more than the GPU's: refused there
  bool guarded = true, aliased = true;  ///< variants that make sense
  /// Where GPUs do not do what PTX says: their results are counted apart.
  std::string known_difference;
  std::string declarations;         ///< further PTX before the text: .shared variables, registers
  std::uint32_t scratch_bytes = 0;  ///< zeroed global memory of each warp at [%scratch]
};

/// Every form, by family.
std::vector<Form> all_forms();
std::vector<Form> integer_forms();
std::vector<Form> bits_forms();
std::vector<Form> logic_forms();
std::vector<Form> float_forms();
std::vector<Form> approximate_forms();
std::vector<Form> half_forms();
std::vector<Form> convert_forms();
std::vector<Form> video_forms();

}  // namespace cupilot::opcodes
