// SPDX-License-Identifier: Apache-2.0
//
// Video instructions on whole registers and on their bytes and halves.

#include "tests/emulate/opcodes/build.h"

namespace cupilot::opcodes {
namespace {

i128 element(u32 word, int lanes, int lane, bool sign) {
  const u64 count = u64{1} << (32 / lanes);
  u64 value = word;
  for (int i = 0; i < lane; ++i) value /= count;
  value %= count;
  return sign && value >= count / 2 ? static_cast<i128>(value) - count : static_cast<i128>(value);
}
i128 limited(i128 value, int lanes, bool sign) {
  const i128 count = i128{1} << (32 / lanes);
  const i128 most = sign ? count / 2 - 1 : count - 1, least = sign ? -count / 2 : 0;
  return value > most ? most : value < least ? least : value;
}
i128 operated(const std::string &name, i128 a, i128 b) {
  if (name == "add") return a + b;
  if (name == "sub") return a - b;
  if (name == "absdiff") return a > b ? a - b : b - a;
  if (name == "min") return std::min(a, b);
  return std::max(a, b);
}
std::string types_of(bool result, bool a, bool b) {
  return std::string(result ? ".s32" : ".u32") + (a ? ".s32" : ".u32") + (b ? ".s32" : ".u32");
}

void scalars(std::vector<Form> &all) {
  for (const std::string name : {"add", "sub", "absdiff", "min", "max"}) {
    for (int types = 0; types < 8; ++types) {
      const bool r = types & 1, sa = types & 2, sb = types & 4;
      for (const bool saturate : {false, true}) {
        const auto f = [=](u32 a, u32 b) {
          const i128 value = operated(name, element(a, 1, 0, sa), element(b, 1, 0, sb));
          return static_cast<u32>(saturate ? limited(value, 1, r) : value);
        };
        const std::string words = "v" + name + types_of(r, sa, sb) + (saturate ? ".sat" : "");
        all.push_back(form("video", words, f));
        if (types != 0 && types != 7) continue;
        all.push_back(form("video", words + ".add", [f](u32 a, u32 b, u32 c) { return f(a, b) + c; }));
        all.push_back(form("video", words + ".max", [f, r](u32 a, u32 b, u32 c) {
          const u32 value = f(a, b);
          return r ? static_cast<u32>(std::max(static_cast<i32>(value), static_cast<i32>(c)))
                   : std::max(value, c);
        }));
      }
    }
  }
}

void shifts(std::vector<Form> &all) {
  for (const bool left : {false, true}) {
    for (const bool sign : {false, true}) {
      for (const bool wrap : {false, true}) {
        for (const bool saturate : {false, true}) {
          const std::string words = std::string(left ? "vshl" : "vshr") + types_of(sign, sign, false) +
                                    (saturate ? ".sat" : "") + (wrap ? ".wrap" : ".clamp");
          all.push_back(with(form("video", words,
                                  [=](u32 a, u32 b) {
                                    const int amount = static_cast<int>(wrap ? b % 32 : std::min(b, 32U));
                                    i128 value = element(a, 1, 0, sign);
                                    for (int i = 0; i < amount; ++i)
                                      value = left ? value * 2 : (value - (value & 1)) / 2;
                                    return static_cast<u32>(saturate ? limited(value, 1, sign) : value);
                                  }),
                             {Values::integer, Values::amount}));
        }
      }
    }
  }
}

void products(std::vector<Form> &all) {
  for (const bool sign : {false, true}) {
    for (const bool one : {false, true}) {
      for (const bool saturate : {false, true}) {
        for (const int shift : {0, 7, 15}) {
          const std::string words = std::string("vmad") + types_of(sign, sign, sign) + (one ? ".po" : "") +
                                    (saturate ? ".sat" : "") + (shift ? ".shr" + std::to_string(shift) : "");
          all.push_back(form("video", words, [=](u32 a, u32 b, u32 c) {
            i128 value = element(a, 1, 0, sign) * element(b, 1, 0, sign) + element(c, 1, 0, sign) + one;
            value >>= shift;
            return static_cast<u32>(saturate ? limited(value, 1, sign) : value);
          }));
        }
      }
    }
  }
}

bool holds(const std::string &name, i128 a, i128 b) {
  if (name == "eq") return a == b;
  if (name == "ne") return a != b;
  if (name == "lt") return a < b;
  if (name == "le") return a <= b;
  return name == "gt" ? a > b : a >= b;
}
void comparisons(std::vector<Form> &all) {
  for (const std::string name : {"eq", "ne", "lt", "le", "gt", "ge"}) {
    for (const bool sign : {false, true}) {
      const std::string types = sign ? ".s32.s32." : ".u32.u32.";
      all.push_back(form("video", "vset" + types + name, [=](u32 a, u32 b) -> u32 {
        return holds(name, element(a, 1, 0, sign), element(b, 1, 0, sign));
      }));
      for (const int lanes : {2, 4}) {
        for (const bool add : {false, true}) {
          all.push_back(form("video", "vset" + std::to_string(lanes) + types + name + (add ? ".add" : ""),
                             [=](u32 a, u32 b, u32 c) -> u32 {
                               u32 sum = 0, packed = 0;
                               for (int i = lanes - 1; i >= 0; --i) {
                                 const bool yes =
                                     holds(name, element(a, lanes, i, sign), element(b, lanes, i, sign));
                                 sum += yes;
                                 packed = (lanes == 2 ? packed << 16 : packed << 8) + yes;
                               }
                               return add ? sum + c : packed;
                             }));
        }
      }
    }
  }
}

void vectors(std::vector<Form> &all) {
  for (const std::string name : {"add", "sub", "absdiff", "min", "max"}) {
    for (const int lanes : {2, 4}) {
      for (const bool sign : {false, true}) {
        for (const std::string end : {"", ".sat", ".add"}) {
          all.push_back(form("video", "v" + name + std::to_string(lanes) + types_of(sign, sign, sign) + end,
                             [=](u32 a, u32 b, u32 c) -> u32 {
                               u32 sum = 0, packed = 0;
                               for (int i = lanes - 1; i >= 0; --i) {
                                 i128 value =
                                     operated(name, element(a, lanes, i, sign), element(b, lanes, i, sign));
                                 if (end == ".sat") value = limited(value, lanes, sign);
                                 sum += static_cast<u32>(value);
                                 const u32 part = static_cast<u32>(value) & ((u32{1} << (32 / lanes)) - 1);
                                 packed = (lanes == 2 ? packed << 16 : packed << 8) + part;
                               }
                               return end == ".add" ? sum + c : packed;
                             }));
        }
      }
    }
  }
}

}  // namespace

std::vector<Form> video_forms() {
  std::vector<Form> all;
  scalars(all);
  shifts(all);
  products(all);
  comparisons(all);
  vectors(all);
  return all;
}

}  // namespace cupilot::opcodes
