// SPDX-License-Identifier: Apache-2.0
//
// Where the elements of mma's fragments lie, written down shape by shape as the PTX ISA gives them.

#pragma once

#include <functional>
#include <string>

namespace cupilot::opcodes {

struct Cell {
  unsigned row, column;
};
/// Element i of a lane's fragment.
using Layout = std::function<Cell(unsigned lane, unsigned i)>;

struct Shape {
  std::string name;
  unsigned m, n, k, a_elements, b_elements, c_elements;  ///< elements a lane
  Layout a, b, c;
};

inline unsigned group(unsigned lane) {
  return lane >> 2;
}
inline unsigned near(unsigned lane) {
  return lane % 4;
}

// Accumulators of m8n8 and m16n8.
inline Cell c8(unsigned lane, unsigned i) {
  return {group(lane), near(lane) * 2 + i};
}
inline Cell c16(unsigned lane, unsigned i) {
  return {i < 2 ? group(lane) : group(lane) + 8, near(lane) * 2 + (i & 1)};
}

inline Shape half_k8() {
  return {"m16n8k8",
          16,
          8,
          8,
          4,
          2,
          4,
          [](unsigned l, unsigned i) { return Cell{i < 2 ? group(l) : group(l) + 8, near(l) * 2 + (i & 1)}; },
          [](unsigned l, unsigned i) { return Cell{near(l) * 2 + i, group(l)}; },
          c16};
}
inline Shape half_k16() {
  return {"m16n8k16",
          16,
          8,
          16,
          8,
          4,
          4,
          [](unsigned l, unsigned i) {
            const bool upper = i < 2 || (i >= 4 && i < 6);
            return Cell{upper ? group(l) : group(l) + 8, near(l) * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
          },
          [](unsigned l, unsigned i) { return Cell{near(l) * 2 + (i & 1) + (i >= 2 ? 8 : 0), group(l)}; },
          c16};
}
inline Shape tensor_k4() {
  return {"m16n8k4",
          16,
          8,
          4,
          2,
          1,
          4,
          [](unsigned l, unsigned i) { return Cell{i == 0 ? group(l) : group(l) + 8, near(l)}; },
          [](unsigned l, unsigned) { return Cell{near(l), group(l)}; },
          c16};
}
inline Shape tensor_k8() {
  return {"m16n8k8",
          16,
          8,
          8,
          4,
          2,
          4,
          [](unsigned l, unsigned i) {
            return Cell{i % 2 == 0 ? group(l) : group(l) + 8, i < 2 ? near(l) : near(l) + 4};
          },
          [](unsigned l, unsigned i) { return Cell{i == 0 ? near(l) : near(l) + 4, group(l)}; },
          c16};
}
inline Shape double_8() {
  return {"m8n8k4",
          8,
          8,
          4,
          1,
          1,
          2,
          [](unsigned l, unsigned) { return Cell{group(l), near(l)}; },
          [](unsigned l, unsigned) { return Cell{near(l), group(l)}; },
          c8};
}
inline Shape double_k16() {
  return {
      "m16n8k16",
      16,
      8,
      16,
      8,
      4,
      4,
      [](unsigned l, unsigned i) { return Cell{i % 2 == 0 ? group(l) : group(l) + 8, i / 2 * 4 + near(l)}; },
      [](unsigned l, unsigned i) { return Cell{near(l) + i * 4, group(l)}; },
      c16};
}
inline Shape byte_8() {
  return {"m8n8k16",
          8,
          8,
          16,
          4,
          4,
          2,
          [](unsigned l, unsigned i) { return Cell{group(l), near(l) * 4 + i}; },
          [](unsigned l, unsigned i) { return Cell{near(l) * 4 + i, group(l)}; },
          c8};
}
inline Shape byte_k16() {
  return {"m16n8k16",
          16,
          8,
          16,
          8,
          4,
          4,
          [](unsigned l, unsigned i) { return Cell{i < 4 ? group(l) : group(l) + 8, near(l) * 4 + (i & 3)}; },
          [](unsigned l, unsigned i) { return Cell{near(l) * 4 + i, group(l)}; },
          c16};
}
inline Shape byte_k32() {
  return {"m16n8k32",
          16,
          8,
          32,
          16,
          8,
          4,
          [](unsigned l, unsigned i) {
            const bool upper = i < 4 || (i >= 8 && i < 12);
            return Cell{upper ? group(l) : group(l) + 8, near(l) * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
          },
          [](unsigned l, unsigned i) { return Cell{near(l) * 4 + (i & 3) + (i >= 4 ? 16 : 0), group(l)}; },
          c16};
}
inline Shape nibble_8() {
  return {"m8n8k32",
          8,
          8,
          32,
          8,
          8,
          2,
          [](unsigned l, unsigned i) { return Cell{group(l), near(l) * 8 + i}; },
          [](unsigned l, unsigned i) { return Cell{near(l) * 8 + i, group(l)}; },
          c8};
}
inline Shape nibble_k32() {
  return {"m16n8k32",
          16,
          8,
          32,
          16,
          8,
          4,
          [](unsigned l, unsigned i) { return Cell{i < 8 ? group(l) : group(l) + 8, near(l) * 8 + (i & 7)}; },
          [](unsigned l, unsigned i) { return Cell{near(l) * 8 + i, group(l)}; },
          c16};
}
inline Shape nibble_k64() {
  return {"m16n8k64",
          16,
          8,
          64,
          32,
          16,
          4,
          [](unsigned l, unsigned i) {
            const bool upper = i < 8 || (i >= 16 && i < 24);
            return Cell{upper ? group(l) : group(l) + 8, near(l) * 8 + (i & 7) + (i >= 16 ? 32 : 0)};
          },
          [](unsigned l, unsigned i) { return Cell{near(l) * 8 + (i & 7) + (i >= 8 ? 32 : 0), group(l)}; },
          c16};
}
inline Shape bit_8() {
  return {"m8n8k128",
          8,
          8,
          128,
          32,
          32,
          2,
          [](unsigned l, unsigned i) { return Cell{group(l), near(l) * 32 + i}; },
          [](unsigned l, unsigned i) { return Cell{near(l) * 32 + i, group(l)}; },
          c8};
}
inline Shape bit_k128() {
  return {
      "m16n8k128",
      16,
      8,
      128,
      64,
      32,
      4,
      [](unsigned l, unsigned i) { return Cell{i < 32 ? group(l) : group(l) + 8, near(l) * 32 + (i & 31)}; },
      [](unsigned l, unsigned i) { return Cell{near(l) * 32 + i, group(l)}; },
      c16};
}
inline Shape bit_k256() {
  return {
      "m16n8k256",
      16,
      8,
      256,
      128,
      64,
      4,
      [](unsigned l, unsigned i) {
        const bool upper = i < 32 || (i >= 64 && i < 96);
        return Cell{upper ? group(l) : group(l) + 8, near(l) * 32 + (i & 31) + (i >= 64 ? 128 : 0)};
      },
      [](unsigned l, unsigned i) { return Cell{near(l) * 32 + (i & 31) + (i >= 32 ? 128 : 0), group(l)}; },
      c16};
}
/// m8n8k4 of f16: four products, by pairs of quads; rows and columns of product q are counted from 8q.
inline Shape quads(bool a_by_column, bool b_by_row, bool f32) {
  const auto upper = [](unsigned l) { return l >= 16 ? 4u : 0u; };
  const auto pair = [](unsigned l) { return 8 * (l / 4 % 4); };
  return {"m8n8k4",
          32,
          32,
          4,
          4,
          4,
          8,
          [=](unsigned l, unsigned i) {
            return a_by_column ? Cell{pair(l) + i % 4 + upper(l), near(l)}
                               : Cell{pair(l) + near(l) + upper(l), i};
          },
          [=](unsigned l, unsigned i) {
            return b_by_row ? Cell{near(l), pair(l) + i + upper(l)} : Cell{i, pair(l) + near(l) + upper(l)};
          },
          [=](unsigned l, unsigned i) {
            if (!f32) return Cell{pair(l) + near(l) + upper(l), pair(l) + i};
            return Cell{pair(l) + (l & 1) + (i & 2) + upper(l), pair(l) + (i & 4) + (l & 2) + (i & 1)};
          }};
}

}  // namespace cupilot::opcodes
