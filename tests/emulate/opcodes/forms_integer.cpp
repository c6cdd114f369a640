// SPDX-License-Identifier: Apache-2.0
//
// Integer arithmetic, carries, and packed 16-bit forms.

#include "tests/emulate/opcodes/build.h"

namespace cupilot::opcodes {
namespace {

template <class T>
using Wide = std::conditional_t<std::is_signed_v<T>, i128, u128>;

template <class T>
void basic(std::vector<Form> &all, const std::string &type) {
  using W = Wide<T>;
  constexpr int kBits = 8 * sizeof(T);
  const auto add = [&](const std::string &name, auto f) {
    all.push_back(form("integer", name + "." + type, f));
  };
  add("add", [](T a, T b) -> T { return static_cast<T>(static_cast<u128>(a) + static_cast<u128>(b)); });
  add("sub", [](T a, T b) -> T { return static_cast<T>(static_cast<u128>(a) - static_cast<u128>(b)); });
  add("mul.lo", [](T a, T b) -> T { return static_cast<T>(static_cast<u128>(a) * static_cast<u128>(b)); });
  add("mul.hi",
      [](T a, T b) -> T { return static_cast<T>((static_cast<W>(a) * static_cast<W>(b)) >> kBits); });
  add("mad.lo", [](T a, T b, T c) -> T {
    return static_cast<T>(static_cast<u128>(a) * static_cast<u128>(b) + static_cast<u128>(c));
  });
  add("mad.hi", [](T a, T b, T c) -> T {
    return static_cast<T>(static_cast<u128>((static_cast<W>(a) * static_cast<W>(b)) >> kBits) +
                          static_cast<u128>(c));
  });
  add("sad", [](T a, T b, T c) -> T {
    const W difference =
        a > b ? static_cast<W>(a) - static_cast<W>(b) : static_cast<W>(b) - static_cast<W>(a);
    return static_cast<T>(static_cast<u128>(c) + static_cast<u128>(difference));
  });
  add("min", [](T a, T b) -> T { return b < a ? b : a; });
  add("max", [](T a, T b) -> T { return b > a ? b : a; });
  all.push_back(with(
      form("integer", "div." + type, [](T a, T b) -> T { return static_cast<T>(static_cast<W>(a) / b); }),
      {Values::integer, Values::nonzero}));
  all.push_back(with(
      form("integer", "rem." + type, [](T a, T b) -> T { return static_cast<T>(static_cast<W>(a) % b); }),
      {Values::integer, Values::nonzero}));
  if constexpr (std::is_signed_v<T>) {
    add("abs", [](T a) -> T { return static_cast<T>(a < 0 ? -static_cast<W>(a) : a); });
    add("neg", [](T a) -> T { return static_cast<T>(-static_cast<W>(a)); });
  }
}

template <class T, class D>
void widening(std::vector<Form> &all, const std::string &type) {
  all.push_back(form("integer", "mul.wide." + type,
                     [](T a, T b) -> D { return static_cast<D>(static_cast<Wide<T>>(a) * b); }));
  all.push_back(form("integer", "mad.wide." + type, [](T a, T b, D c) -> D {
    return static_cast<D>(static_cast<u128>(static_cast<Wide<T>>(a) * b) + static_cast<u128>(c));
  }));
}

i32 to_s32(i128 x) {
  return x > 0x7fffffff ? 0x7fffffff : x < -i128{0x80000000} ? i32(-0x7fffffff - 1) : i32(x);
}
template <class T>
i128 low24(T a) {
  const i64 low = static_cast<i64>(static_cast<u32>(a) & 0xffffff);
  return std::is_signed_v<T> && (low & 0x800000) ? low - 0x1000000 : low;
}

template <class T>
void narrow24(std::vector<Form> &all, const std::string &type) {
  all.push_back(
      form("integer", "mul24.lo." + type, [](T a, T b) -> T { return static_cast<T>(low24(a) * low24(b)); }));
  all.push_back(form("integer", "mul24.hi." + type,
                     [](T a, T b) -> T { return static_cast<T>((low24(a) * low24(b)) >> 16); }));
  all.push_back(form("integer", "mad24.lo." + type,
                     [](T a, T b, T c) -> T { return static_cast<T>(low24(a) * low24(b) + c); }));
  all.push_back(form("integer", "mad24.hi." + type,
                     [](T a, T b, T c) -> T { return static_cast<T>(((low24(a) * low24(b)) >> 16) + c); }));
}

void saturating(std::vector<Form> &all) {
  all.push_back(form("integer", "add.sat.s32", [](i32 a, i32 b) { return to_s32(i128{a} + b); }));
  all.push_back(form("integer", "sub.sat.s32", [](i32 a, i32 b) { return to_s32(i128{a} - b); }));
  all.push_back(form("integer", "mad.hi.sat.s32",
                     [](i32 a, i32 b, i32 c) { return to_s32(((i128{a} * b) >> 32) + c); }));
  all.push_back(form("integer", "mad24.hi.sat.s32",
                     [](i32 a, i32 b, i32 c) { return to_s32(((low24(a) * low24(b)) >> 16) + c); }));
  all.push_back(form("integer", "min.relu.s32", [](i32 a, i32 b) { return std::max(std::min(a, b), 0); }));
  all.push_back(form("integer", "max.relu.s32", [](i32 a, i32 b) { return std::max(std::max(a, b), 0); }));
}

template <class T>
u32 each_half(u32 a, u32 b, T (*f)(T, T)) {
  const T low = f(static_cast<T>(a & 0xffff), static_cast<T>(b & 0xffff));
  const T high = f(static_cast<T>(a / 65536), static_cast<T>(b / 65536));
  return static_cast<u16>(low) + 65536U * static_cast<u16>(high);
}
template <class T>
void packed(std::vector<Form> &all, const std::string &type) {
  all.push_back(form("integer", "add." + type, [](u32 a, u32 b) {
    return each_half<T>(a, b, [](T x, T y) { return static_cast<T>(x + y); });
  }));
  all.push_back(form("integer", "min." + type, [](u32 a, u32 b) {
    return each_half<T>(a, b, [](T x, T y) { return std::min(x, y); });
  }));
  all.push_back(form("integer", "max." + type, [](u32 a, u32 b) {
    return each_half<T>(a, b, [](T x, T y) { return std::max(x, y); });
  }));
  if (!std::is_signed_v<T>) return;
  all.push_back(form("integer", "min.relu." + type, [](u32 a, u32 b) {
    return each_half<T>(a, b, [](T x, T y) { return std::max(std::min(x, y), static_cast<T>(0)); });
  }));
  all.push_back(form("integer", "max.relu." + type, [](u32 a, u32 b) {
    return each_half<T>(a, b, [](T x, T y) { return std::max(std::max(x, y), static_cast<T>(0)); });
  }));
}

/// Two-word sums: what addc and subc are for.
template <class U>
void carries(std::vector<Form> &all, const std::string &type) {
  constexpr int kBits = 8 * sizeof(U);
  const std::string t = "." + type;
  const auto two_words = [&](const std::string &name, const std::string &text, auto f) {
    Form each = form("integer", name + t, [](U, U, U, U) -> U { return 0; });
    each.text = text;
    for (std::size_t at = each.text.find('$'); at != std::string::npos; at = each.text.find('$'))
      each.text.replace(at, 1, t);
    each.results = {slot_of<U>(), slot_of<U>(), slot_of<U>()};
    each.tolerances.resize(3);
    each.lane = [f](const Row &a, Row &d) {
      U words[3];
      f(static_cast<U>(a[0]), static_cast<U>(a[1]), static_cast<U>(a[2]), static_cast<U>(a[3]), words);
      for (int i = 0; i < 3; ++i) d[static_cast<std::size_t>(i)] = words[i];
    };
    all.push_back(each);
  };
  two_words("add.cc addc.cc addc", "add.cc$ %d0, %a0, %a2; addc.cc$ %d1, %a1, %a3; addc$ %d2, %a0, 0;",
            [](U a, U b, U c, U d, U *r) {
              const u128 low = u128{a} + c, high = u128{b} + d + (low >> kBits);
              r[0] = static_cast<U>(low);
              r[1] = static_cast<U>(high);
              r[2] = static_cast<U>(a + static_cast<U>(high >> kBits));
            });
  two_words("sub.cc subc.cc subc", "sub.cc$ %d0, %a0, %a2; subc.cc$ %d1, %a1, %a3; subc$ %d2, %a0, 0;",
            [](U a, U b, U c, U d, U *r) {
              const i128 low = i128{a} - c, high = i128{b} - d - (low < 0);
              r[0] = static_cast<U>(low);
              r[1] = static_cast<U>(high);
              r[2] = static_cast<U>(a - static_cast<U>(high < 0));
            });
  two_words("mad.lo.cc madc.hi.cc addc",
            "mad.lo.cc$ %d0, %a0, %a1, %a2; madc.hi.cc$ %d1, %a0, %a1, %a3; addc$ %d2, 0, 0;",
            [](U a, U b, U c, U d, U *r) {
              const u128 product = u128{a} * b, low = (product & static_cast<U>(-1)) + u128{c};
              const u128 high = (product >> kBits) + d + (low >> kBits);
              r[0] = static_cast<U>(low);
              r[1] = static_cast<U>(high);
              r[2] = static_cast<U>(high >> kBits);
            });
  two_words("mad.hi.cc madc.lo.cc madc.hi",
            "mad.hi.cc$ %d0, %a0, %a1, %a2; madc.lo.cc$ %d1, %a0, %a1, %a3; madc.hi$ %d2, %a2, %a3, %a0;",
            [](U a, U b, U c, U d, U *r) {
              const u128 product = u128{a} * b, first = (product >> kBits) + c;
              const u128 second = (product & static_cast<U>(-1)) + d + (first >> kBits);
              r[0] = static_cast<U>(first);
              r[1] = static_cast<U>(second);
              r[2] = static_cast<U>(((u128{c} * d) >> kBits) + a + (second >> kBits));
            });
}

template <class A, class B>
void dot(std::vector<Form> &all, const std::string &types) {
  all.push_back(form("integer", "dp4a." + types, [](u32 a, u32 b, u32 c) -> u32 {
    i64 sum = c;
    for (int i = 0; i < 4; ++i) sum += i64{static_cast<A>(a >> 8 * i)} * static_cast<B>(b >> 8 * i);
    return static_cast<u32>(sum);
  }));
  using A2 = std::conditional_t<std::is_signed_v<A>, i16, u16>;
  for (const bool high : {false, true}) {
    all.push_back(form(
        "integer", std::string("dp2a.") + (high ? "hi." : "lo.") + types, [high](u32 a, u32 b, u32 c) -> u32 {
          i64 sum = c;
          for (int i = 0; i < 2; ++i)
            sum += i64{static_cast<A2>(a >> 16 * i)} * static_cast<B>(b >> (8 * i + (high ? 16 : 0)));
          return static_cast<u32>(sum);
        }));
  }
}

}  // namespace

std::vector<Form> integer_forms() {
  std::vector<Form> all;
  basic<u16>(all, "u16");
  basic<i16>(all, "s16");
  basic<u32>(all, "u32");
  basic<i32>(all, "s32");
  basic<u64>(all, "u64");
  basic<i64>(all, "s64");
  widening<u16, u32>(all, "u16");
  widening<i16, i32>(all, "s16");
  widening<u32, u64>(all, "u32");
  widening<i32, i64>(all, "s32");
  narrow24<u32>(all, "u32");
  narrow24<i32>(all, "s32");
  saturating(all);
  packed<u16>(all, "u16x2");
  packed<i16>(all, "s16x2");
  carries<u32>(all, "u32");
  carries<u64>(all, "u64");
  dot<u8, u8>(all, "u32.u32");
  dot<u8, i8>(all, "u32.s32");
  dot<i8, u8>(all, "s32.u32");
  dot<i8, i8>(all, "s32.s32");
  return all;
}

}  // namespace cupilot::opcodes
