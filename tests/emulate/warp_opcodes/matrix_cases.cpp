// SPDX-License-Identifier: Apache-2.0
// mma of every shape and type; ldmatrix, stmatrix, movmatrix.

#include <algorithm>
#include <cstring>
#include <functional>

#include "tests/emulate/warp_opcodes/matrix_numbers.h"
#include "tests/emulate/warp_opcodes/matrix_shapes.h"

namespace cupilot::opcodes {
namespace {

struct Product {
  Shape shape;
  std::string a, b, c, d, layouts = "row.col", extra;  ///< element types; ".satfinite", ".xor.popc"
  bool plain = true;
};

/// Element `i` of matrix `which` that lane holds; the number belongs to the place, not to the lane.
std::uint64_t element(const Product &p, char which, Cell at) {
  const std::string &type = which == 'a' ? p.a : which == 'b' ? p.b : p.c;
  const std::uint64_t seed = (which == 'a'   ? 1u
                              : which == 'b' ? 2u
                                             : 3u) *
                                 1000003u +
                             at.row * 1009u + at.column;
  if (which == 'c' && p.extra == ".satfinite") return at.column % 2 ? 0x7fffff00u : 0x80000100u;
  return random_element(type, seed, p.plain);
}

std::uint64_t wanted(const Product &p, Cell at) {
  const double c = element_value(p.c, element(p, 'c', at));
  if (p.a == "b1") {
    double count = c;
    for (unsigned k = 0; k < p.shape.k; ++k) {
      const auto x = element(p, 'a', {at.row, k}), y = element(p, 'b', {k, at.column});
      count += static_cast<double>(p.extra == ".xor.popc" ? x ^ y : x & y);
    }
    return result_bits(p.d, count);
  }
  long double sum = c;
  double chain = c;
  for (unsigned k = 0; k < p.shape.k; ++k) {
    const double x = element_value(p.a, element(p, 'a', {at.row, k})),
                 y = element_value(p.b, element(p, 'b', {k, at.column}));
    sum += static_cast<long double>(x) * y;
    chain = std::fma(x, y, chain);
  }
  if (p.a == "f64") return result_bits("f64", chain);
  if (p.extra == ".satfinite") sum = std::min(std::max(sum, -0x1p31L), 0x1p31L - 1);
  return result_bits(p.d, static_cast<double>(sum));
}

/// Elements packed into registers of 32 bits (f64: 64).
std::uint64_t packed(const std::string &type, unsigned word,
                     const std::function<std::uint64_t(unsigned i)> &bits) {
  const unsigned width = element_bits(type), each = width >= 32 ? 1 : 32 / width;
  std::uint64_t value = 0;
  for (unsigned i = 0; i < each; ++i) value |= bits(word * each + i) << (i * width);
  return value;
}
unsigned registers(const std::string &type, unsigned elements) {
  const unsigned width = element_bits(type);
  return width >= 32 ? elements : elements * width / 32;
}

std::string braces(const std::string &letter, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += (i ? ", %" : "%") + letter + std::to_string(i);
  return text + "}";
}

Judge judge_of(const Product &p) {
  if (p.plain || p.d == "s32") return Judge::exact;
  return p.d == "f64" ? Judge::exact : p.d == "f16" ? Judge::f16x2 : Judge::f32;
}

WarpCase product(const Product &p) {
  const unsigned na = registers(p.a, p.shape.a_elements), nb = registers(p.b, p.shape.b_elements),
                 nc = registers(p.c, p.shape.c_elements), nd = registers(p.d, p.shape.c_elements);
  const bool bits = p.a == "b1";
  const std::string saturates = p.extra == ".satfinite" ? p.extra : "";
  const std::string opcode = "mma.sync.aligned." + p.shape.name + "." + p.layouts + saturates + "." + p.d +
                             "." + p.a + "." + p.b + "." + p.c + (bits ? p.extra : "");
  const std::string type = p.a == "f64" ? "b64 " : "b32 ";
  Recipe recipe{.name = opcode + (p.plain ? "" : " random")};
  for (unsigned i = 0; i < na; ++i) recipe.in.push_back(type + "a" + std::to_string(i));
  for (unsigned i = 0; i < nb; ++i) recipe.in.push_back(type + "b" + std::to_string(i));
  for (unsigned i = 0; i < nc; ++i) recipe.in.push_back(type + "c" + std::to_string(i));
  for (unsigned i = 0; i < nd; ++i) recipe.out.push_back(type + "d" + std::to_string(i));
  recipe.body = "  " + opcode + " " + braces("d", nd) + ", " + braces("a", na) + ", " + braces("b", nb) +
                ", " + braces("c", nc) + ";\n";
  recipe.input = [=](unsigned lane, unsigned slot) {
    if (slot < na) return packed(p.a, slot, [&](unsigned i) { return element(p, 'a', p.shape.a(lane, i)); });
    if (slot < na + nb)
      return packed(p.b, slot - na, [&](unsigned i) { return element(p, 'b', p.shape.b(lane, i)); });
    return packed(p.c, slot - na - nb, [&](unsigned i) { return element(p, 'c', p.shape.c(lane, i)); });
  };
  recipe.expected = [=](unsigned lane, unsigned slot) {
    return packed(p.d, slot, [&](unsigned i) { return wanted(p, p.shape.c(lane, i)); });
  };
  recipe.judges.assign(nd, judge_of(p));
  // Terms are below 4: hardware may lose what is below the last place of the largest partial sum.
  recipe.tolerance = p.d == "f16" ? 0x1p-5 : 0x1p-17;
  return make_case(recipe);
}

void add_floats(std::vector<WarpCase> &cases) {
  for (bool plain : {true, false}) {
    for (const Shape &shape : {half_k8(), half_k16()}) {
      cases.push_back(product({shape, "f16", "f16", "f32", "f32", "row.col", "", plain}));
      cases.push_back(product({shape, "f16", "f16", "f16", "f16", "row.col", "", plain}));
      cases.push_back(product({shape, "bf16", "bf16", "f32", "f32", "row.col", "", plain}));
    }
    for (const Shape &shape : {tensor_k4(), tensor_k8()})
      cases.push_back(product({shape, "tf32", "tf32", "f32", "f32", "row.col", "", plain}));
    Shape k4 = tensor_k4(), k8 = tensor_k8();
    for (const Shape &shape : {double_8(), k4, k8, double_k16()})
      cases.push_back(product({shape, "f64", "f64", "f64", "f64", "row.col", "", plain}));
    for (const char *a : {"e4m3", "e5m2"})
      for (const char *b : {"e4m3", "e5m2"})
        cases.push_back(product({byte_k32(), a, b, "f32", "f32", "row.col", "", plain}));
    for (const Shape &shape : {byte_k16(), byte_k32()}) {
      cases.push_back(product({shape, "e4m3", "e5m2", "f16", "f16", "row.col", "", plain}));
      cases.back().gpu = false;  // later instruction sets
    }
  }
  for (bool a_by_column : {false, true})
    for (bool b_by_row : {false, true})
      for (const char *type : {"f16", "f32"})
        cases.push_back(
            product({quads(a_by_column, b_by_row, type == std::string("f32")), "f16", "f16", type, type,
                     std::string(a_by_column ? "col" : "row") + (b_by_row ? ".row" : ".col")}));
}

void add_integers(std::vector<WarpCase> &cases) {
  for (const char *extra : {"", ".satfinite"}) {
    for (const Shape &shape : {byte_8(), byte_k16(), byte_k32()})
      for (const char *a : {"s8", "u8"})
        for (const char *b : {"s8", "u8"})
          cases.push_back(product({shape, a, b, "s32", "s32", "row.col", extra}));
    for (const Shape &shape : {nibble_8(), nibble_k32(), nibble_k64()})
      for (const char *a : {"s4", "u4"})
        for (const char *b : {"s4", "u4"})
          cases.push_back(product({shape, a, b, "s32", "s32", "row.col", extra}));
  }
  for (const Shape &shape : {bit_8(), bit_k128(), bit_k256()})
    for (const char *extra : {".xor.popc", ".and.popc"})
      cases.push_back(product({shape, "b1", "b1", "s32", "s32", "row.col", extra}));
}

// Matrices of 16-bit elements: element (row, column) of matrix j.
std::uint16_t element_of(unsigned j, unsigned row, unsigned column) {
  return static_cast<std::uint16_t>(scrambled(j * 64 + row * 8 + column));
}
std::uint64_t pair_of(unsigned j, unsigned lane, bool transposed) {
  const unsigned outer = lane / 4, inner = lane % 4 * 2;
  if (transposed)
    return element_of(j, inner, outer) | static_cast<std::uint64_t>(element_of(j, inner + 1, outer)) << 16;
  return element_of(j, outer, inner) | static_cast<std::uint64_t>(element_of(j, outer, inner + 1)) << 16;
}
std::vector<std::byte> matrices(unsigned count) {
  std::vector<std::byte> bytes(512);
  for (unsigned j = 0; j < count; ++j)
    for (unsigned i = 0; i < 64; ++i) {
      const std::uint16_t value = element_of(j, i / 8, i % 8);
      std::memcpy(bytes.data() + j * 128 + i * 2, &value, 2);
    }
  return bytes;
}

constexpr const char *kCopyIn =
    "  mul.wide.u32 %far, %thread, 16;\n  mov.u64 %near, buffer;\n  add.u64 %near, %near, %far;\n"
    "  add.u64 %far, %memory, %far;\n  ld.global.v4.b32 {%x0, %x1, %x2, %x3}, [%far];\n"
    "  st.shared.v4.b32 [%near], {%x0, %x1, %x2, %x3};\n  bar.sync 0;\n";
constexpr const char *kCopyOut =
    "  bar.sync 0;\n  ld.shared.v4.b32 {%x0, %x1, %x2, %x3}, [%near];\n"
    "  st.global.v4.b32 [%far], {%x0, %x1, %x2, %x3};\n";
constexpr const char *kMoveRegisters = "  .reg .b64 %near, %far;\n  .reg .b32 %x<4>;\n  .reg .b32 %row;\n";

WarpCase move(bool load, unsigned count, bool transposed) {
  const std::string opcode = std::string(load ? "ldmatrix" : "stmatrix") + ".sync.aligned.m8n8.x" +
                             std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16";
  Recipe recipe{.name = opcode, .module_scope = ".shared .align 16 .b8 buffer[512];\n"};
  for (unsigned i = 0; i < count; ++i) (load ? recipe.out : recipe.in).push_back("b32 r" + std::to_string(i));
  const std::string address = "  mov.u32 %row, buffer;\n  mad.lo.u32 %row, %thread, 16, %row;\n";
  recipe.body = std::string(kMoveRegisters) + kCopyIn + address + "  " + opcode + " " +
                (load ? braces("r", count) + ", [%row];\n" : "[%row], " + braces("r", count) + ";\n") +
                kCopyOut;
  recipe.input =
      recipe.expected = [=](unsigned lane, unsigned slot) { return pair_of(slot, lane, transposed); };
  recipe.memory = load ? matrices(count) : std::vector<std::byte>(512);
  recipe.memory_expected = matrices(count);
  return make_case(recipe);
}

WarpCase transposition() {
  return make_case({.name = "movmatrix.sync.aligned.m8n8.trans.b16",
                    .in = {"b32 a"},
                    .out = {"b32 d"},
                    .body = "  movmatrix.sync.aligned.m8n8.trans.b16 %d, %a;\n",
                    .input = [](unsigned lane, unsigned) { return pair_of(0, lane, false); },
                    .expected = [](unsigned lane, unsigned) { return pair_of(0, lane, true); }});
}

}  // namespace

std::vector<WarpCase> matrix_cases() {
  std::vector<WarpCase> cases;
  add_floats(cases);
  add_integers(cases);
  for (bool load : {true, false})
    for (unsigned count : {1u, 2u, 4u})
      for (bool transposed : {false, true}) cases.push_back(move(load, count, transposed));
  cases.push_back(transposition());
  return cases;
}

}  // namespace cupilot::opcodes
