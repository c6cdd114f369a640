// SPDX-License-Identifier: Apache-2.0
//
// atom and red: each lane at an address of its own (the returned value and memory are compared), and all
// lanes at one address (memory only: the order of lanes is open on a GPU).

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "tests/emulate/warp_opcodes/small_numbers.h"
#include "tests/emulate/warp_opcodes/warp_case.h"

namespace cupilot::opcodes {
namespace {

using U64 = std::uint64_t;

/// An element type: its register, and how its numbers work.
struct Kind {
  std::string type;  ///< as in PTX
  unsigned bits = 32;
  char family = 'u';  ///< u s b f h (f16) g (bf16)
  std::string register_type() const { return "b" + std::to_string(bits); }
};

double number(const Kind &kind, U64 bits) {
  if (kind.family == 'h') return value_of_f16(static_cast<std::uint16_t>(bits));
  if (kind.family == 'g') return value_of_bf16(static_cast<std::uint16_t>(bits));
  return kind.bits == 64 ? std::bit_cast<double>(bits)
                         : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
U64 bits_of(const Kind &kind, double value) {
  if (kind.family == 'h') return f16_nearest(value);
  if (kind.family == 'g') return bf16_nearest(value);
  return kind.bits == 64 ? std::bit_cast<U64>(value)
                         : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

U64 trimmed(U64 value, unsigned bits) {
  return bits == 64 ? value : value & ((U64{1} << bits) - 1);
}

U64 integer_result(const Kind &kind, const std::string &operation, U64 old, U64 b, U64 c) {
  const auto as_signed = [&](U64 x) {
    return kind.bits == 64 ? static_cast<std::int64_t>(x)
                           : static_cast<std::int64_t>(static_cast<std::int32_t>(x));
  };
  const bool less = kind.family == 's' ? as_signed(old) < as_signed(b) : old < b;
  if (operation == "add") return trimmed(old + b, kind.bits);
  if (operation == "min") return less ? old : b;
  if (operation == "max") return less ? b : old;
  if (operation == "inc") return old >= b ? 0 : old + 1;
  if (operation == "dec") return old == 0 || old > b ? b : old - 1;
  if (operation == "and") return old & b;
  if (operation == "or") return old | b;
  if (operation == "xor") return old ^ b;
  if (operation == "exch") return b;
  return old == b ? c : old;
}

U64 result(const Kind &kind, const std::string &operation, U64 old, U64 b, U64 c = 0) {
  if (kind.family == 'u' || kind.family == 's' || kind.family == 'b')
    return integer_result(kind, operation, old, b, c);
  const double x = number(kind, old), y = number(kind, b);
  if (operation == "min") return x < y ? old : b;
  if (operation == "max") return x < y ? b : old;
  return bits_of(kind, x + y);
}

/// Start values and operands; floats are small multiples of 1/8, so sums are exact in any order.
U64 some(const Kind &kind, unsigned seed) {
  const U64 random = scrambled(seed);
  if (kind.family == 'f' || kind.family == 'h' || kind.family == 'g')
    return bits_of(kind, (static_cast<double>(random % 65) - 32) / 8);
  return trimmed(random % 3 == 0 ? random >> 32 : random % 100, kind.bits);
}

struct Bytes {
  std::vector<std::byte> of;
  explicit Bytes(std::size_t size) : of(size) {}
  void put(std::size_t at, U64 value, unsigned bits) { std::memcpy(of.data() + at, &value, bits / 8); }
};

/// How a space is reached: PTX that leaves the address of `bytes` of memory in %at, and brings it back.
struct Place {
  std::string name, qualifier;
  bool shared = false, window = false;
};
const Place kPlaces[] = {{"global", ".global", false, false},
                         {"generic global", "", false, false},
                         {"shared", ".shared", true, false},
                         {"generic shared", "", true, true}};

std::string prepare(const Place &place) {
  std::string text = "  .reg .b64 %at, %near, %far;\n  .reg .b32 %x;\n  .reg .pred %go;\n";
  if (!place.shared) return text + "  mov.b64 %at, %memory;\n";
  text +=
      "  mul.wide.u32 %far, %thread, 64;\n  mov.u64 %near, buffer;\n  add.u64 %near, %near, %far;\n  add.u64 "
      "%far, %memory, %far;\n";
  for (int i = 0; i < 64; i += 4)
    text += "  ld.global.b32 %x, [%far+" + std::to_string(i) + "];\n  st.shared.b32 [%near+" +
            std::to_string(i) + "], %x;\n";
  text += "  bar.sync 0;\n  mov.u64 %at, buffer;\n";
  if (place.window) text += "  cvta.shared.u64 %at, %at;\n";
  return text;
}
std::string finish(const Place &place) {
  if (!place.shared) return "";
  std::string text = "  bar.sync 0;\n";
  for (int i = 0; i < 64; i += 4)
    text += "  ld.shared.b32 %x, [%near+" + std::to_string(i) + "];\n  st.global.b32 [%far+" +
            std::to_string(i) + "], %x;\n";
  return text;
}

struct Form {
  Kind kind;
  std::string operation, qualifiers;  ///< ".relaxed.gpu", ".noftz"
  unsigned elements = 1;
  bool returns = true, together = false;  ///< together: all lanes at the first address
};

std::string vector_of(const Form &form, const std::string &letter) {
  if (form.elements == 1) return "%" + letter + "0";
  std::string text = "{";
  for (unsigned i = 0; i < form.elements; ++i) text += (i ? ", %" : "%") + letter + std::to_string(i);
  return text + "}";
}

std::string instruction(const Form &form, const Place &place) {
  const bool compare = form.operation == "cas";
  std::string text = "  " + std::string(form.returns ? "atom" : "red");
  const bool ordered = form.qualifiers.starts_with(".relaxed") || form.qualifiers.starts_with(".acq") ||
                       form.qualifiers.starts_with(".rel");
  if (ordered) text += form.qualifiers;
  text += place.qualifier + "." + form.operation + (ordered ? "" : form.qualifiers);
  if (form.elements > 1) text += ".v" + std::to_string(form.elements);
  text += "." + form.kind.type + " ";
  if (form.returns) text += vector_of(form, "d") + ", ";
  return text + "[%at], " + vector_of(form, "b") + (compare ? ", %c0" : "") + ";\n";
}

/// What one lane's element number `i` starts from and is combined with; cas meets its value in every other
/// lane.
struct Values {
  U64 old, b, c;
};
Values values_of(const Form &form, unsigned lane, unsigned i) {
  const unsigned where = form.together ? i : lane * 8 + i;
  Values v{some(form.kind, 1000 + where), some(form.kind, 5000 + lane * 8 + i), some(form.kind, 9000 + lane)};
  if (form.operation == "cas" && lane % 2 == 0) v.b = v.old;
  return v;
}

WarpCase atomic(const Form &form, const Place &place) {
  const unsigned width = form.kind.bits / 8, stride = std::max(16u, form.elements * width);
  Bytes before(32 * 64), after(32 * 64);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < form.elements; ++i) {
      const Values v = values_of(form, lane, i);
      const std::size_t at = (form.together ? 0 : lane * stride) + i * width;
      if (!form.together || lane == 0) {
        before.put(at, v.old, form.kind.bits);
        after.put(at, v.old, form.kind.bits);
      }
      U64 old = 0;
      std::memcpy(&old, after.of.data() + at, width);
      after.put(at, result(form.kind, form.operation, old, v.b, v.c), form.kind.bits);
    }
  const std::string type = form.kind.register_type();
  Recipe recipe{.name = instruction(form, place)};
  recipe.name = recipe.name.substr(2, recipe.name.find(' ', 2) - 2) + " " + place.name +
                (form.together ? ", one address" : "");
  for (const char *letter : {"b", "c"})
    for (unsigned i = 0; i < form.elements; ++i) recipe.in.push_back(type + " " + letter + std::to_string(i));
  for (unsigned i = 0; form.returns && !form.together && i < form.elements; ++i)
    recipe.out.push_back(type + " d" + std::to_string(i));
  recipe.body = prepare(place);
  if (form.together && form.returns)
    for (unsigned i = 0; i < form.elements; ++i)
      recipe.body += "  .reg ." + type + " %d" + std::to_string(i) + ";\n";
  if (!form.together) recipe.body += "  mad.wide.u32 %at, %thread, " + std::to_string(stride) + ", %at;\n";
  recipe.body += instruction(form, place) + finish(place);
  recipe.input = [=](unsigned lane, unsigned slot) {
    const Values v = values_of(form, lane, slot % form.elements);
    return slot < form.elements ? v.b : v.c;
  };
  recipe.expected = [=](unsigned lane, unsigned slot) { return values_of(form, lane, slot).old; };
  recipe.memory = before.of;
  recipe.memory_expected = after.of;
  if (place.shared) recipe.module_scope = ".shared .align 16 .b8 buffer[2048];\n";
  return make_case(recipe);
}

void add_scalars(std::vector<WarpCase> &cases, const Kind &kind,
                 std::initializer_list<const char *> operations, const std::string &qualifiers = "") {
  for (const char *operation : operations)
    for (const Place &place : kPlaces) {
      Form form{.kind = kind, .operation = operation, .qualifiers = qualifiers};
      cases.push_back(atomic(form, place));
      const std::string name = operation;
      if (name == "exch" || name == "cas" || qualifiers.starts_with(".acq")) continue;
      form.returns = false;
      cases.push_back(atomic(form, place));
      form.together = name != "inc" && name != "dec";
      if (form.together) cases.push_back(atomic(form, place));
    }
}

/// 16 bytes at once: through b64 halves.
WarpCase wide(const std::string &operation) {
  const bool compare = operation == "cas";
  Bytes before(32 * 16), after(32 * 16);
  const auto word = [](unsigned lane, unsigned i, unsigned salt) { return scrambled(lane * 7 + i + salt); };
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 2; ++i) {
      before.put(lane * 16 + i * 8, word(lane, i, 0), 64);
      const bool meets = !compare || lane % 2 == 0;
      after.put(lane * 16 + i * 8, meets ? word(lane, i, 2000) : word(lane, i, 0), 64);
    }
  return make_case({.name = "atom.global." + operation + ".b128",
                    .in = {"b64 b0", "b64 b1", "b64 c0", "b64 c1"},
                    .out = {"b64 d0", "b64 d1"},
                    .body = "  .reg .b64 %at;\n  .reg .b128 %b, %c, %d;\n  mad.wide.u32 %at, %thread, 16, "
                            "%memory;\n  mov.b128 %b, {%b0, %b1};\n"
                            "  mov.b128 %c, {%c0, %c1};\n  atom.global." +
                            operation + ".b128 %d, [%at], %b" + (compare ? ", %c" : "") +
                            ";\n"
                            "  mov.b128 {%d0, %d1}, %d;\n",
                    .input = [=](unsigned lane, unsigned slot) -> U64 {
                      if (slot >= 2) return word(lane, slot - 2, 2000);
                      if (!compare) return word(lane, slot, 2000);
                      return word(lane, slot, 0) + (lane % 2 != 0 && slot == 1);
                    },
                    .expected = [=](unsigned lane, unsigned slot) { return word(lane, slot, 0); },
                    .memory = before.of,
                    .memory_expected = after.of});
}

/// f16x2 and bf16x2: two numbers of a register.
WarpCase packed(const std::string &type, const Place &place, bool returns) {
  const Kind half{.type = type, .bits = 16, .family = type == "f16x2" ? 'h' : 'g'};
  const auto pair = [=](unsigned seed) { return some(half, seed) | some(half, seed + 500) << 16; };
  Bytes before(32 * 64), after(32 * 64);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const U64 old = pair(lane), b = pair(lane + 50);
    before.put(lane * 4, old, 32);
    after.put(lane * 4,
              result(half, "add", old & 0xffff, b & 0xffff) | result(half, "add", old >> 16, b >> 16) << 16,
              32);
  }
  const std::string opcode = std::string(returns ? "atom" : "red") + place.qualifier + ".add.noftz." + type;
  Recipe recipe{.name = opcode + " " + place.name, .in = {"b32 b"}};
  if (returns) recipe.out = {"b32 d"};
  recipe.body = prepare(place) + "  mad.wide.u32 %at, %thread, 4, %at;\n  " + opcode +
                (returns ? " %d, [%at], %b;\n" : " [%at], %b;\n") + finish(place);
  recipe.input = [=](unsigned lane, unsigned) { return pair(lane + 50); };
  recipe.expected = [=](unsigned lane, unsigned) { return pair(lane); };
  recipe.memory = before.of;
  recipe.memory_expected = after.of;
  if (place.shared) recipe.module_scope = ".shared .align 16 .b8 buffer[2048];\n";
  return make_case(recipe);
}

/// f32 in global memory flushes subnormal numbers, in shared memory it does not.
WarpCase subnormal(const Place &place) {
  Bytes before(32 * 64), after(32 * 64);
  before.put(0, 0x00000003, 32);
  after.put(0, place.shared ? 0x00000003 + 32 * 2 : 0, 32);
  Recipe recipe{.name = "red" + place.qualifier + ".add.f32 " + place.name + ", subnormal", .in = {"b32 b"}};
  recipe.body = prepare(place) + "  red" + place.qualifier + ".add.f32 [%at], %b;\n" + finish(place);
  recipe.input = [](unsigned, unsigned) { return U64{2}; };
  recipe.memory = before.of;
  recipe.memory_expected = after.of;
  if (place.shared) recipe.module_scope = ".shared .align 16 .b8 buffer[2048];\n";
  return make_case(recipe);
}

void add_vectors(std::vector<WarpCase> &cases) {
  const Kind f32{"f32", 32, 'f'}, f16{"f16", 16, 'h'}, bf16{"bf16", 16, 'g'};
  for (bool returns : {true, false}) {
    for (unsigned elements : {2u, 4u})
      cases.push_back(atomic({f32, "add", "", elements, returns}, kPlaces[0]));
    for (const Kind &kind : {f16, bf16})
      for (unsigned elements : {2u, 4u, 8u})
        for (const char *operation : {"add", "min", "max"})
          cases.push_back(atomic({kind, operation, ".noftz", elements, returns}, kPlaces[0]));
  }
}

}  // namespace

std::vector<WarpCase> atomic_cases() {
  std::vector<WarpCase> cases;
  add_scalars(cases, {"u32", 32, 'u'}, {"add", "min", "max", "inc", "dec"});
  add_scalars(cases, {"s32", 32, 's'}, {"add", "min", "max"});
  add_scalars(cases, {"u64", 64, 'u'}, {"add", "min", "max"});
  add_scalars(cases, {"s64", 64, 's'}, {"min", "max"});
  add_scalars(cases, {"b32", 32, 'b'}, {"and", "or", "xor", "exch", "cas"});
  add_scalars(cases, {"b64", 64, 'b'}, {"and", "or", "xor", "exch", "cas"});
  add_scalars(cases, {"b16", 16, 'b'}, {"cas"});
  add_scalars(cases, {"f32", 32, 'f'}, {"add"});
  add_scalars(cases, {"f64", 64, 'f'}, {"add"});
  add_scalars(cases, {"f16", 16, 'h'}, {"add"}, ".noftz");
  add_scalars(cases, {"bf16", 16, 'g'}, {"add"}, ".noftz");
  for (const char *order : {".relaxed.gpu", ".acq_rel.cta", ".release.sys"})
    add_scalars(cases, {"u32", 32, 'u'}, {"add"}, order);
  for (const char *type : {"f16x2", "bf16x2"})
    for (const Place &place : kPlaces)
      for (bool returns : {true, false}) cases.push_back(packed(type, place, returns));
  for (const Place &place : kPlaces) cases.push_back(subnormal(place));
  cases.push_back(wide("exch"));
  cases.push_back(wide("cas"));
  add_vectors(cases);
  return cases;
}

}  // namespace cupilot::opcodes
