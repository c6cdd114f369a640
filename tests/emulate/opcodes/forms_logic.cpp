// SPDX-License-Identifier: Apache-2.0
//
// Logic, selection, comparison, moves.

#include <cmath>

#include "tests/emulate/opcodes/build.h"

namespace cupilot::opcodes {
namespace {

const char *const kBooleans[] = {"and", "or", "xor"};
bool boolean(int how, bool a, bool b) {
  return how == 0 ? a && b : how == 1 ? a || b : a != b;
}

template <class U>
void bitwise(std::vector<Form> &all, const std::string &type) {
  const auto add = [&](const std::string &name, auto f) { all.push_back(form("logic", name + type, f)); };
  add("and.", [](U a, U b) -> U { return static_cast<U>(~(~a | ~b)); });
  add("or.", [](U a, U b) -> U { return static_cast<U>(~(~a & ~b)); });
  add("xor.", [](U a, U b) -> U { return static_cast<U>((a | b) & ~(a & b)); });
  add("not.", [](U a) -> U { return static_cast<U>(static_cast<U>(-1) - a); });
  add("cnot.", [](U a) -> U { return a == 0 ? 1 : 0; });
  add("selp.", [](U a, U b, bool p) -> U { return p ? a : b; });
  add("mov.", [](U a) -> U { return a; });
}

void predicates(std::vector<Form> &all) {
  all.push_back(form("logic", "and.pred", [](bool a, bool b) { return a && b; }));
  all.push_back(form("logic", "or.pred", [](bool a, bool b) { return a || b; }));
  all.push_back(form("logic", "xor.pred", [](bool a, bool b) { return a != b; }));
  all.push_back(form("logic", "not.pred", [](bool a) { return !a; }));
  all.push_back(form("logic", "mov.pred", [](bool a) { return a; }));
}

u32 table_value(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
  return r;
}
void lookups(std::vector<Form> &all) {
  for (const u32 table :
       {0x00U, 0x80U, 0xfeU, 0x96U, 0xe8U, 0xcaU, 0xd8U, 0x1eU, 0x6aU, 0xf8U, 0x39U, 0xffU}) {
    Form each = form("logic", "lop3.b32 " + std::to_string(table),
                     [table](u32 a, u32 b, u32 c) -> u32 { return table_value(a, b, c, table); });
    each.text = "lop3.b32 %d0, %a0, %a1, %a2, " + std::to_string(table) + ";";
    all.push_back(each);
  }
  for (int how = 0; how < 2; ++how) {
    Form each = form("logic", std::string("lop3.") + kBooleans[how] + ".b32",
                     [](u32, u32, u32, bool) -> u32 { return 0; });
    each.text = std::string("lop3.") + kBooleans[how] + ".b32 %d0|%d1, %a0, %a1, %a2, 0x68, %a3;";
    each.results.push_back(slot_of<bool>());
    each.tolerances.push_back({});
    each.lane = [how](const Row &a, Row &d) {
      d[0] = table_value(static_cast<u32>(a[0]), static_cast<u32>(a[1]), static_cast<u32>(a[2]), 0x68);
      d[1] = boolean(how, d[0] != 0, a[3] != 0);
    };
    all.push_back(each);
  }
}

template <class T>
bool integer_compare(const std::string &name, T a, T b) {
  if (name == "eq") return !(a < b) && !(b < a);
  if (name == "ne") return a < b || b < a;
  if (name == "lt" || name == "lo") return b > a;
  if (name == "le" || name == "ls") return !(a > b);
  if (name == "gt" || name == "hi") return b < a;
  return !(a < b);
}
float without_subnormal(float a) {
  return std::fpclassify(a) == FP_SUBNORMAL ? 0.0F : a;
}
double without_subnormal(double a) {
  return a;
}
template <class T>
bool real_compare(const std::string &name, T a, T b) {
  const bool unordered = std::isunordered(a, b);
  if (name == "num") return !unordered;
  if (name == "nan") return unordered;
  const bool or_unordered = name.size() == 3;
  if (unordered) return or_unordered;
  const std::string base = name.substr(0, 2);
  if (base == "eq") return a == b;
  if (base == "ne") return a != b;
  if (base == "lt") return std::isless(a, b);
  if (base == "le") return std::islessequal(a, b);
  if (base == "gt") return std::isgreater(a, b);
  return std::isgreaterequal(a, b);
}

/// setp alone, with a pair of results, with each combination; set to a word.
template <class T, class F>
void comparison(std::vector<Form> &all, const std::string &name, const std::string &type, F f) {
  const std::string plain = "setp." + name + type;
  all.push_back(form("compare", plain, [f](T a, T b) -> bool { return f(a, b); }));
  for (int how = 0; how < 3; ++how) {
    Form each = form("compare", "setp." + name + "." + kBooleans[how] + type,
                     [](T, T, bool) -> bool { return false; });
    each.results.push_back(slot_of<bool>());
    each.tolerances.push_back({});
    const bool negated = how == 1;
    each.text =
        "setp." + name + "." + kBooleans[how] + type + " %d0|%d1, %a0, %a1, " + (negated ? "!" : "") + "%a2;";
    each.lane = [f, how, negated](const Row &a, Row &d) {
      const bool result = f(from_word<T>(a[0]), from_word<T>(a[1])), c = (a[2] != 0) != negated;
      d[0] = boolean(how, result, c);
      d[1] = boolean(how, !result, c);
    };
    all.push_back(each);
  }
  all.push_back(form("compare", "set." + name + ".u32" + type,
                     [f](T a, T b) -> u32 { return f(a, b) ? 0xffffffff : 0; }));
  all.push_back(form("compare", "set." + name + ".f32" + type,
                     [f](T a, T b) -> float { return f(a, b) ? 1.0F : 0.0F; }));
  Form combined = form("compare", "set." + name + ".xor.s32" + type,
                       [f](T a, T b, bool c) -> u32 { return f(a, b) != c ? 0xffffffff : 0; });
  all.push_back(combined);
}

template <class T>
void integer_comparisons(std::vector<Form> &all, const std::string &type,
                         std::initializer_list<const char *> names) {
  for (const std::string name : names)
    comparison<T>(all, name, "." + type, [name](T a, T b) { return integer_compare(name, a, b); });
}
template <class T>
void real_comparisons(std::vector<Form> &all, const std::string &type, bool flush) {
  for (const std::string name :
       {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) {
    const auto f = [name, flush](T a, T b) {
      return flush ? real_compare(name, without_subnormal(a), without_subnormal(b))
                   : real_compare(name, a, b);
    };
    if (!flush)
      comparison<T>(all, name, "." + type, f);
    else
      all.push_back(
          form("compare", "setp." + name + ".ftz." + type, [f](T a, T b) -> bool { return f(a, b); }));
  }
}

template <class T>
void classes(std::vector<Form> &all, const std::string &type) {
  const auto add = [&](const std::string &name, auto f) {
    all.push_back(form("logic", "testp." + name + "." + type, f));
  };
  add("finite", [](T a) -> bool { return std::isfinite(a); });
  add("infinite", [](T a) -> bool { return std::isinf(a); });
  add("number", [](T a) -> bool { return !std::isnan(a); });
  add("notanumber", [](T a) -> bool { return std::isnan(a); });
  add("normal", [](T a) -> bool { return std::isnormal(a) || a == 0; });
  add("subnormal", [](T a) -> bool { return std::fpclassify(a) == FP_SUBNORMAL; });
}

template <class U>
void by_sign(std::vector<Form> &all, const std::string &type) {
  all.push_back(form("logic", "slct." + type + ".s32", [](U a, U b, i32 c) -> U { return c < 0 ? b : a; }));
  all.push_back(form("logic", "slct." + type + ".f32",
                     [](U a, U b, float c) -> U { return std::isnan(c) || c < 0 ? b : a; }));
  all.push_back(form("logic", "slct.ftz." + type + ".f32", [](U a, U b, float c) -> U {
    return std::isnan(c) || without_subnormal(c) < 0 ? b : a;
  }));
}

/// mov between a register and its pieces, low piece first.
void pieces(std::vector<Form> &all, const std::string &type, char whole, char piece, int count, int bits) {
  std::string list;
  for (int i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + std::string("%a") + std::to_string(i);
  const u64 mask = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
  Form pack;
  pack.family = "logic";
  pack.name = "mov." + type + " pack " + std::to_string(count);
  pack.text = "mov." + type + " %d0, {" + list + "};";
  pack.operands.assign(static_cast<std::size_t>(count), Slot{piece});
  pack.results = {Slot{whole}};
  pack.tolerances.resize(1);
  pack.lane = [count, bits, mask](const Row &a, Row &d) {
    d[0] = 0;
    for (int i = 0; i < count; ++i) d[0] += (a[static_cast<std::size_t>(i)] & mask) << bits * i;
  };
  all.push_back(pack);
  Form unpack = pack;
  unpack.name = "mov." + type + " unpack " + std::to_string(count);
  for (char &c : list) c = c == 'a' ? 'd' : c;
  unpack.text = "mov." + type + " {" + list + "}, %a0;";
  std::swap(unpack.operands, unpack.results);
  unpack.tolerances.resize(static_cast<std::size_t>(count));
  unpack.lane = [count, bits, mask](const Row &a, Row &d) {
    for (int i = 0; i < count; ++i) d[static_cast<std::size_t>(i)] = a[0] >> bits * i & mask;
  };
  all.push_back(unpack);
}

void wide_moves(std::vector<Form> &all) {
  Form each;
  each.family = "logic";
  each.name = "mov.b128";
  each.declarations = "  .reg .b128 %q0, %q1;\n";
  each.text = "mov.b128 %q0, {%a0, %a1}; mov.b128 %q1, %q0; mov.b128 {%d0, %d1}, %q1;";
  each.operands = {{'d'}, {'d'}};
  each.results = each.operands;
  each.tolerances.resize(2);
  each.lane = [](const Row &a, Row &d) { d = a; };
  all.push_back(each);
  Form half;
  half.family = "logic";
  half.name = "mov.b64 unpack one";
  half.text = "mov.b64 {%d0, _}, %a0;";
  half.operands = {{'d'}};
  half.results = {{'w'}};
  half.tolerances.resize(1);
  half.lane = [](const Row &a, Row &d) { d[0] = a[0] & 0xffffffff; };
  all.push_back(half);
}

}  // namespace

std::vector<Form> logic_forms() {
  std::vector<Form> all;
  bitwise<u16>(all, "b16");
  bitwise<u32>(all, "b32");
  bitwise<u64>(all, "b64");
  predicates(all);
  lookups(all);
  all.push_back(form("logic", "selp.f32", [](float a, float b, bool p) { return p ? a : b; }));
  all.push_back(form("logic", "selp.f64", [](double a, double b, bool p) { return p ? a : b; }));
  all.push_back(form("logic", "mov.f32", [](u32 a) { return a; }));
  all.push_back(form("logic", "mov.f64", [](u64 a) { return a; }));
  by_sign<u16>(all, "u16");
  by_sign<u32>(all, "s32");
  by_sign<u64>(all, "b64");
  by_sign<u32>(all, "f32");
  by_sign<u64>(all, "f64");
  classes<float>(all, "f32");
  classes<double>(all, "f64");
  integer_comparisons<u16>(all, "b16", {"eq", "ne"});
  integer_comparisons<u32>(all, "b32", {"eq", "ne"});
  integer_comparisons<u64>(all, "b64", {"eq", "ne"});
  for (const auto &names : {std::initializer_list<const char *>{"eq", "ne", "lt", "le", "gt", "ge"}}) {
    integer_comparisons<u16>(all, "u16", names);
    integer_comparisons<u32>(all, "u32", names);
    integer_comparisons<u64>(all, "u64", names);
    integer_comparisons<i16>(all, "s16", names);
    integer_comparisons<i32>(all, "s32", names);
    integer_comparisons<i64>(all, "s64", names);
  }
  integer_comparisons<u16>(all, "u16", {"lo", "ls", "hi", "hs"});
  integer_comparisons<u32>(all, "u32", {"lo", "ls", "hi", "hs"});
  integer_comparisons<u64>(all, "u64", {"lo", "ls", "hi", "hs"});
  real_comparisons<float>(all, "f32", false);
  real_comparisons<float>(all, "f32", true);
  real_comparisons<double>(all, "f64", false);
  pieces(all, "b32", 'w', 'h', 2, 16);
  pieces(all, "b64", 'd', 'w', 2, 32);
  pieces(all, "b64", 'd', 'h', 4, 16);
  wide_moves(all);
  return all;
}

}  // namespace cupilot::opcodes
