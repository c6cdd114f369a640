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
  if (name == "avrg") return (a + b + (a + b < 0 ? 0 : 1)) >> 1;
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
        all.push_back(form("video", words + ".max", [f, r, name](u32 a, u32 b, u32 c) {
          // Compared with more than 32 bits: an absolute difference is never negative.
          const i128 value = element(f(a, b), 1, 0, r && name != "absdiff");
          return static_cast<u32>(std::max(value, element(c, 1, 0, r)));
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
                                    // Intermediate values have 34 bits.
                                    value = ((value % (i128{1} << 34)) + (i128{1} << 34)) % (i128{1} << 34);
                                    if (value >= i128{1} << 33) value -= i128{1} << 34;
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
  for (const std::string name : {"add", "sub", "avrg", "absdiff", "min", "max"}) {
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

/// "h1", "b3" or the word.
i128 part_of(u32 word, const std::string &part, bool sign) {
  if (part.empty()) return element(word, 1, 0, sign);
  return element(word, part[0] == 'h' ? 2 : 4, part[1] - '0', sign);
}
u32 inserted(u32 word, const std::string &part, u32 value) {
  const int lanes = part[0] == 'h' ? 2 : 4;
  u32 r = 0;
  for (int i = lanes - 1; i >= 0; --i) {
    const i128 own = i == part[1] - '0' ? static_cast<i128>(value) : element(word, lanes, i, false);
    r = (lanes == 2 ? r << 16 : r << 8) + static_cast<u32>(own & ((i128{1} << (32 / lanes)) - 1));
  }
  return r;
}

/// Operands and results that are parts of registers.
void scalar_parts(std::vector<Form> &all) {
  struct Parts {
    std::string d, a, b;
  };
  for (const Parts &parts : {Parts{"", "b0", "b3"}, Parts{"", "h1", "h0"}, Parts{"b2", "b1", ""},
                             Parts{"h1", "h0", "b2"}, Parts{"h0", "", ""}}) {
    for (const std::string name : {"add", "sub", "absdiff", "max"}) {
      for (int types = 0; types < 8; types += 7) {
        for (const bool saturate : {false, true}) {
          const bool sign = types != 0;
          const int lanes = parts.d.empty() ? 1 : parts.d[0] == 'h' ? 2 : 4;
          const std::string words = "v" + name + types_of(sign, sign, sign) + (saturate ? ".sat" : "");
          const auto dotted = [](const std::string &part) { return part.empty() ? part : "." + part; };
          Form each =
              form("video", words + " d" + dotted(parts.d) + " a" + dotted(parts.a) + " b" + dotted(parts.b),
                   [=](u32 a, u32 b, u32 c) -> u32 {
                     i128 value = operated(name, part_of(a, parts.a, sign), part_of(b, parts.b, sign));
                     if (saturate) value = limited(value, lanes, sign);
                     return parts.d.empty() ? static_cast<u32>(value)
                                            : inserted(c, parts.d, static_cast<u32>(value));
                   });
          each.text = words + " %d0" + dotted(parts.d) + ", %a0" + dotted(parts.a) + ", %a1" +
                      dotted(parts.b) + (parts.d.empty() ? ";" : ", %a2;");
          all.push_back(each);
        }
      }
    }
  }
}

void vector_parts(std::vector<Form> &all) {
  struct Parts {
    int lanes;
    std::string d, a, b;
  };
  for (const Parts &parts : {Parts{2, "h1", "h01", "h23"}, Parts{2, "h10", "h33", "h12"},
                             Parts{4, "b20", "b0123", "b7654"}, Parts{4, "b3", "b7070", "b1111"}}) {
    for (const std::string name : {"add", "absdiff", "min"}) {
      const int lanes = parts.lanes;
      const std::string words = "v" + name + std::to_string(lanes) + ".s32.s32.s32.sat";
      const auto chosen = [lanes](const std::string &part, int lane, u32 a, u32 b) {
        const int digit = part[static_cast<std::size_t>(lanes - lane)] - '0';
        return element(digit < lanes ? a : b, lanes, digit % lanes, true);
      };
      Form each = form(
          "video", words + " " + parts.d + " " + parts.a + " " + parts.b, [=](u32 a, u32 b, u32 c) -> u32 {
            u32 r = c;
            for (int i = 0; i < lanes; ++i) {
              if (parts.d.find(static_cast<char>('0' + i)) == std::string::npos) continue;
              const i128 value =
                  limited(operated(name, chosen(parts.a, i, a, b), chosen(parts.b, i, a, b)), lanes, true);
              r = inserted(r, (lanes == 2 ? "h" : "b") + std::to_string(i), static_cast<u32>(value));
            }
            return r;
          });
      each.text = words + " %d0." + parts.d + ", %a0." + parts.a + ", %a1." + parts.b + ", %a2;";
      all.push_back(each);
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
  scalar_parts(all);
  vector_parts(all);
  for (Form &each : all) {
    const bool carries = each.name.find(".u32") == 4 || each.name.find(".u32") == 8;
    if (each.name.starts_with("vmad.u32"))
      each.known_difference = "the driver's routine takes unsigned words as signed ones";
    else if (carries && each.name.find(".sat") != std::string::npos)
      each.known_difference = "the driver's routine does not saturate what does not fit into 32 bits";
    else if (carries && each.name.ends_with(".max"))
      each.known_difference = "the driver's routine compares unsigned words in another way";
    else if (each.name.find(" d.") != std::string::npos)
      each.known_difference = "the driver's routine saturates and merges parts of a word in another way";
  }
  return all;
}

}  // namespace cupilot::opcodes
