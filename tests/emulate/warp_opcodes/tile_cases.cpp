// SPDX-License-Identifier: Apache-2.0
//
// wmma: fragments loaded from memory, multiplied, changed element by element, stored: for every shape, type,
// layout and space. How a fragment lies in registers is not looked at.

#include <algorithm>
#include <cstring>

#include "tests/emulate/warp_opcodes/matrix_numbers.h"

namespace cupilot::opcodes {
namespace {

struct Tile {
  unsigned m, n, k;
  std::string a, c, d;  ///< element types; b as a
  std::string a_layout = "row", b_layout = "col", c_layout = "row", space = "global";
  unsigned padding = 0;  ///< elements between rows (columns)
  std::string extra{};
};

struct Part {
  unsigned rows, columns;
  std::string type, layout;
  unsigned stride, base;  ///< elements, bytes

  unsigned bytes() const { return (layout == "row" ? rows : columns) * stride * element_bits(type) / 8; }
  std::size_t index(unsigned row, unsigned column) const {
    return layout == "row" ? std::size_t{row} * stride + column : std::size_t{column} * stride + row;
  }
};

/// Writes element number `index` (4-bit and single-bit ones too).
void put(std::vector<std::byte> &memory, const Part &part, std::size_t index, std::uint64_t value) {
  const std::size_t width = element_bits(part.type);
  if (width >= 8) {
    std::memcpy(memory.data() + part.base + index * width / 8, &value, width / 8);
    return;
  }
  std::byte &byte = memory[part.base + index * width / 8];
  byte |= static_cast<std::byte>(value << (index * width % 8));
}

struct Parts {
  Part a, b, c, d;
};
unsigned aligned(unsigned bytes) {
  return (bytes + 255) / 256 * 256;
}

Parts parts_of(const Tile &t) {
  const auto make = [&](unsigned rows, unsigned columns, const std::string &type, const std::string &layout,
                        unsigned base) {
    return Part{rows, columns, type, layout, (layout == "row" ? columns : rows) + t.padding, base};
  };
  Parts p{};
  p.a = make(t.m, t.k, t.a, t.a_layout, 0);
  p.b = make(t.k, t.n, t.a, t.b_layout, aligned(p.a.bytes()));
  p.c = make(t.m, t.n, t.c, t.c_layout, p.b.base + aligned(p.b.bytes()));
  p.d = make(t.m, t.n, t.d, t.c_layout, p.c.base + aligned(p.c.bytes()));
  return p;
}

std::uint64_t element(const std::string &type, unsigned salt, unsigned row, unsigned column) {
  return random_element(type, salt * 1000003u + row * 1009u + column, true);
}

unsigned fragment_registers(const Tile &t, char part) {
  if (part == 'c' || part == 'd') {
    const std::string &type = part == 'c' ? t.c : t.d;
    return t.m * t.n / 32 / (type == "f16" ? 2 : 1);
  }
  if (t.a == "f16") return 8;  // the instruction wants eight, whatever the shape
  const unsigned outer = part == 'a' ? t.m : t.n, width = element_bits(t.a);
  return outer * t.k * width / (width == 64 ? 64 : 32) / 32;
}

std::string vector_of(char letter, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += (i ? ", %" : "%") + std::string(1, letter) + std::to_string(i);
  return text + "}";
}

std::string shape_of(const Tile &t) {
  return "m" + std::to_string(t.m) + "n" + std::to_string(t.n) + "k" + std::to_string(t.k);
}

std::string move(const Tile &t, char letter, const Part &part) {
  const std::string vector = vector_of(letter, fragment_registers(t, letter)),
                    address = "[%at+" + std::to_string(part.base) + "]";
  const std::string space = t.space.empty() ? "" : "." + t.space;
  std::string text = letter == 'd' ? "  wmma.store.d" : std::string("  wmma.load.") + letter;
  text += ".sync.aligned." + part.layout + "." + shape_of(t) + space + "." + part.type + " ";
  text += letter == 'd' ? address + ", " + vector : vector + ", " + address;
  const bool packed_stride = t.padding == 0 && t.extra.empty();
  return text + (packed_stride ? "" : ", " + std::to_string(part.stride)) + ";\n";
}

std::string multiplication(const Tile &t) {
  const bool bits = t.a == "b1";
  std::string text = std::string("  wmma.mma") + (bits ? t.extra : "") + ".sync.aligned." + t.a_layout + "." +
                     t.b_layout + "." + shape_of(t);
  text += t.a == "f16" ? "." + t.d + "." + t.c : "." + t.d + "." + t.a + "." + t.a + "." + t.c;
  if (t.extra == ".satfinite") text += t.extra;
  for (char letter : {'d', 'a', 'b', 'c'})
    text += (letter == 'd' ? " " : ", ") + vector_of(letter, fragment_registers(t, letter));
  return text + ";\n";
}

std::uint64_t wanted(const Tile &t, unsigned row, unsigned column) {
  double sum = element_value(t.c, element(t.c, 3, row, column));
  for (unsigned k = 0; k < t.k; ++k) {
    const auto x = element(t.a, 1, row, k), y = element(t.a, 2, k, column);
    if (t.a == "b1")
      sum += static_cast<double>(t.extra == ".xor.popc" ? x ^ y : x & y);
    else
      sum += element_value(t.a, x) * element_value(t.a, y);
  }
  return result_bits(t.d, sum);
}

std::string declare(const Tile &t) {
  std::string text = "  .reg .b64 %at, %near, %far;\n  .reg .b32 %x;\n  .reg .pred %go;\n";
  for (char letter : {'a', 'b', 'c', 'd'})
    text += std::string("  .reg .") + (t.a == "f64" ? "b64" : "b32") + " %" + letter + "<" +
            std::to_string(fragment_registers(t, letter)) + ">;\n";
  return text;
}

/// All of `bytes` between global memory and the shared buffer, four bytes a lane at a time.
std::string carry(bool in, unsigned bytes) {
  std::string text =
      "  mov.u64 %near, buffer;\n  mad.wide.u32 %near, %thread, 4, %near;\n  mad.wide.u32 %far, %thread, 4, "
      "%memory;\n";
  for (unsigned at = 0; at < bytes; at += 128) {
    const std::string offset = "+" + std::to_string(at) + "]";
    text += in ? "  ld.global.b32 %x, [%far" + offset + ";\n  st.shared.b32 [%near" + offset + ", %x;\n"
               : "  ld.shared.b32 %x, [%near" + offset + ";\n  st.global.b32 [%far" + offset + ", %x;\n";
  }
  return text + "  bar.sync 0;\n";
}

WarpCase tile(const Tile &t) {
  const Parts p = parts_of(t);
  const unsigned bytes = p.d.base + aligned(p.d.bytes());
  Recipe recipe{.name = "wmma " + shape_of(t) + " " + t.a_layout + "." + t.b_layout + "." + t.c_layout + " " +
                        t.d + "." + t.a + "." + t.c + t.extra + " " +
                        (t.space.empty() ? "generic" : t.space) + " stride +" + std::to_string(t.padding)};
  recipe.memory.resize(bytes);
  for (unsigned i = 0; i < t.m; ++i)
    for (unsigned j = 0; j < t.k; ++j) put(recipe.memory, p.a, p.a.index(i, j), element(t.a, 1, i, j));
  for (unsigned i = 0; i < t.k; ++i)
    for (unsigned j = 0; j < t.n; ++j) put(recipe.memory, p.b, p.b.index(i, j), element(t.a, 2, i, j));
  recipe.memory_expected.clear();
  for (unsigned i = 0; i < t.m; ++i)
    for (unsigned j = 0; j < t.n; ++j) put(recipe.memory, p.c, p.c.index(i, j), element(t.c, 3, i, j));
  recipe.memory_expected = recipe.memory;
  for (unsigned i = 0; i < t.m; ++i)
    for (unsigned j = 0; j < t.n; ++j) put(recipe.memory_expected, p.d, p.d.index(i, j), wanted(t, i, j));
  const bool shared = t.space == "shared";
  recipe.body =
      declare(t) + (shared ? carry(true, bytes) + "  mov.u64 %at, buffer;\n" : "  mov.u64 %at, %memory;\n");
  for (char letter : {'a', 'b', 'c'})
    recipe.body += move(t, letter, letter == 'a' ? p.a : letter == 'b' ? p.b : p.c);
  recipe.body +=
      multiplication(t) + move(t, 'd', p.d) + (shared ? "  bar.sync 0;\n" + carry(false, bytes) : "");
  if (shared) recipe.module_scope = ".shared .align 256 .b8 buffer[" + std::to_string(bytes) + "];\n";
  return make_case(recipe);
}

/// Every element of the accumulator is halved between load and store.
WarpCase element_wise() {
  Tile t{16, 16, 16, "f16", "f32", "f32"};
  WarpCase one = tile(t);
  std::string halves;
  for (int i = 0; i < 8; ++i)
    halves += "  mul.rn.f32 %d" + std::to_string(i) + ", %d" + std::to_string(i) + ", 0f3f000000;\n";
  one.ptx.insert(one.ptx.find("  wmma.store"), halves);
  one.name += ", halved";
  const Part d = parts_of(t).d;
  for (unsigned i = 0; i < 256; ++i) {
    float value = 0;
    std::memcpy(&value, one.memory_expected.data() + d.base + i * 4, 4);
    value /= 2;
    std::memcpy(one.memory_expected.data() + d.base + i * 4, &value, 4);
  }
  return one;
}

}  // namespace

std::vector<WarpCase> tile_cases() {
  std::vector<WarpCase> cases;
  constexpr unsigned kShapes[][3] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
  for (const auto &[m, n, k] : kShapes) {
    for (const char *a : {"row", "col"})
      for (const char *b : {"row", "col"}) {
        cases.push_back(tile({m, n, k, "f16", "f32", "f32", a, b}));
        cases.push_back(tile({m, n, k, "bf16", "f32", "f32", a, b}));
        for (const char *type : {"s8", "u8"}) cases.push_back(tile({m, n, k, type, "s32", "s32", a, b}));
      }
    for (const char *c : {"f16", "f32"})
      for (const char *d : {"f16", "f32"})
        for (const char *layout : {"row", "col"})
          cases.push_back(tile({m, n, k, "f16", c, d, "row", "row", layout, "shared", 8}));
    cases.push_back(tile({m, n, k, "s8", "s32", "s32", "row", "col", "col", "", 16, ".satfinite"}));
  }
  for (const char *a : {"row", "col"})
    for (const char *b : {"row", "col"})
      for (const char *space : {"global", "shared", ""}) {
        cases.push_back(tile({16, 16, 8, "tf32", "f32", "f32", a, b, a, space, 4}));
        cases.push_back(tile({8, 8, 4, "f64", "f64", "f64", a, b, b, space, 2}));
      }
  for (const char *type : {"s4", "u4"}) cases.push_back(tile({8, 8, 32, type, "s32", "s32"}));
  for (const char *operation : {".xor.popc", ".and.popc"})
    cases.push_back(tile({8, 8, 128, "b1", "s32", "s32", "row", "col", "row", "global", 0, operation}));
  cases.push_back(element_wise());
  return cases;
}

}  // namespace cupilot::opcodes
