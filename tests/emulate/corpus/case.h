// SPDX-License-Identifier: Apache-2.0
//
// A corpus file is CUDA C++ in which each kernel follows a line that says how to run it:
//   // run: NAME<<<GRID, BLOCK, SHARED>>>(ARGUMENT, ...) = REFERENCE ~TOLERANCE OPTION...
// GRID and BLOCK are "4" or "4x2"; the line may go on in lines that begin with "//     ".
// An argument is a buffer "f32[1024] FILL", a scalar "i32 5" or a struct "{i32 5, f32 0.5}". Types: i8 u8 i16
// u16 i32 u32 i64 u64 f16 bf16 f32 f64. Fills: random (multiples of 1/16 in [-1, 1], integers 0..99: sums are
// exact), zero, iota, "mod N" (random integers below N), "value V", "order" (a random permutation); none:
// never written. "ignore" as fill: never written, not compared; "scratch": the same, empty again at every
// launch. Options: "twice" (two launches), "resident N" (blocks that run together), "lines N" (printed ones).
// A faulty kernel has no reference but marks: the finding "// expect: shared-race" must name that line
// (itself or as the other party); with "// also: shared-race" it may; of all lines
// with "// one of: endless-loop" it must name one.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::corpus {

enum class Scalar : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };
std::size_t size_of(Scalar type);

struct Argument {
  Scalar type = Scalar::i32;
  bool buffer = false;
  std::uint64_t count = 1;
  std::string fill;              ///< of a buffer
  std::vector<std::byte> bytes;  ///< the buffer's content or the argument itself
  bool written = true, compared = true, scratch = false;

  /// For references, which know the types: plain arrays over `bytes`.
  template <class T>
  T *as() {
    return reinterpret_cast<T *>(bytes.data());
  }
};

struct Mark {
  std::string kind;
  std::uint32_t line = 0;
  enum class Need : std::uint8_t { must, may, one_of } need = Need::must;
};

struct Case {
  std::string kernel, reference;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared = 0;
  std::vector<Argument> arguments;
  std::vector<Mark> marks;
  double tolerance = 0;
  unsigned launches = 1, resident = 1;
  int lines = -1;  ///< to be printed; -1: any
  std::filesystem::path file;
  std::uint32_t line = 0;
};

Result<std::vector<Case>> read_cases(const std::filesystem::path &file);

}  // namespace cupilot::corpus
