// SPDX-License-Identifier: Apache-2.0
// Cases: PTX around an instruction, and the comparison of results.

#include "tests/emulate/warp_opcodes/warp_case.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "tests/emulate/warp_opcodes/small_numbers.h"

namespace cupilot::opcodes {
namespace {

struct Slot {
  std::string type, name;
  unsigned bits() const {
    if (type == "pred") return 1;
    if (type.ends_with("16")) return 16;
    return type.ends_with("64") ? 64 : 32;
  }
};

Slot slot_of(const std::string &text) {
  const std::size_t blank = text.find(' ');
  return {text.substr(0, blank), text.substr(blank + 1)};
}

std::string load_slot(const Slot &slot, std::size_t place) {
  const std::string from = "[%input+" + std::to_string(8 * place) + "];\n";
  if (slot.type == "pred")
    return "  ld.global.u32 %word, " + from + "  setp.ne.u32 %" + slot.name + ", %word, 0;\n";
  return "  ld.global.b" + std::to_string(slot.bits()) + " %" + slot.name + ", " + from;
}

std::string store_slot(const Slot &slot, std::size_t place) {
  const std::string to = "[%output+" + std::to_string(8 * place) + "], ";
  if (slot.type == "pred")
    return "  selp.u32 %word, 1, 0, %" + slot.name + ";\n  st.global.u32 " + to + "%word;\n";
  return "  st.global.b" + std::to_string(slot.bits()) + " " + to + "%" + slot.name + ";\n";
}

std::string program(const Recipe &recipe, const std::vector<Slot> &in, const std::vector<Slot> &out) {
  std::string text =
      ".version 8.4\n.target " + std::string(recipe.gpu ? "sm_90" : "sm_100a") + "\n.address_size 64\n" +
      recipe.module_scope +
      ".visible .entry form(.param .u64 p_input, .param .u64 p_output, .param .u64 p_memory) {\n"
      "  .reg .b64 %input, %output, %memory;\n  .reg .b32 %thread, %word;\n";
  std::string declared = " ";
  for (const auto *slots : {&in, &out})
    for (const Slot &slot : *slots) {
      if (declared.find(" " + slot.name + " ") != std::string::npos) continue;
      declared += slot.name + " ";
      text += "  .reg ." + slot.type + " %" + slot.name + ";\n";
    }
  text +=
      "  mov.u32 %thread, %tid.x;\n  ld.param.u64 %input, [p_input];\n  ld.param.u64 %output, [p_output];\n"
      "  ld.param.u64 %memory, [p_memory];\n  mad.wide.u32 %input, %thread, " +
      std::to_string(8 * in.size()) + ", %input;\n  mad.wide.u32 %output, %thread, " +
      std::to_string(8 * out.size()) + ", %output;\n";
  for (std::size_t i = 0; i < in.size(); ++i) text += load_slot(in[i], i);
  text += recipe.body;
  for (std::size_t i = 0; i < out.size(); ++i) text += store_slot(out[i], i);
  return text + "  ret;\n}\n";
}

double number_of(Judge judge, std::uint64_t bits) {
  switch (judge) {
    case Judge::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case Judge::f64:
      return std::bit_cast<double>(bits);
    case Judge::f16:
      return value_of_f16(static_cast<std::uint16_t>(bits));
    case Judge::bf16:
      return value_of_bf16(static_cast<std::uint16_t>(bits));
    default:
      return 0;
  }
}

bool close(Judge judge, std::uint64_t got, std::uint64_t wanted, double tolerance) {
  if (judge == Judge::ignored) return true;
  if (judge == Judge::exact) return got == wanted;
  if (judge == Judge::f16x2 || judge == Judge::bf16x2) {
    const Judge half = judge == Judge::f16x2 ? Judge::f16 : Judge::bf16;
    return close(half, got & 0xffff, wanted & 0xffff, tolerance) &&
           close(half, got >> 16 & 0xffff, wanted >> 16 & 0xffff, tolerance);
  }
  const double x = number_of(judge, got), y = number_of(judge, wanted);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return x == y || std::fabs(x - y) <= tolerance;
}

unsigned bytes_of(Judge judge) {
  switch (judge) {
    case Judge::f64:
      return 8;
    case Judge::f16:
    case Judge::bf16:
      return 2;
    case Judge::exact:
    case Judge::ignored:
      return 1;
    default:
      return 4;
  }
}

std::string hexadecimal(std::uint64_t value) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 15];
  const std::size_t first = text.find_first_not_of('0');
  return "0x" + (first == std::string::npos ? "0" : text.substr(first));
}

std::string differs(std::string where, std::uint64_t got, std::uint64_t wanted) {
  return where + ": " + hexadecimal(got) + ", expected " + hexadecimal(wanted);
}

}  // namespace

std::uint64_t scrambled(std::uint64_t seed) {
  seed += 0x9e3779b97f4a7c15;
  seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
  return seed ^ seed >> 31;
}

WarpCase make_case(const Recipe &recipe) {
  std::vector<Slot> in, out;
  for (const std::string &text : recipe.in) in.push_back(slot_of(text));
  for (const std::string &text : recipe.out) out.push_back(slot_of(text));
  WarpCase one{.name = recipe.name,
               .ptx = program(recipe, in, out),
               .threads = recipe.threads,
               .out_slots = out.size()};
  for (unsigned thread = 0; thread < recipe.threads; ++thread) {
    for (unsigned slot = 0; slot < in.size(); ++slot) one.input.push_back(recipe.input(thread, slot));
    for (unsigned slot = 0; slot < out.size(); ++slot) one.expected.push_back(recipe.expected(thread, slot));
  }
  for (const Slot &slot : out)
    one.masks.push_back(slot.bits() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << slot.bits()) - 1);
  one.judges = recipe.judges;
  one.judges.resize(out.size(), Judge::exact);
  one.memory = recipe.memory;
  one.memory_expected = recipe.memory_expected;
  one.memory_judge = recipe.memory_judge;
  one.tolerance = recipe.tolerance;
  one.gpu = recipe.gpu;
  return one;
}

std::string compare(const WarpCase &one, const std::vector<std::uint64_t> &output,
                    const std::vector<std::byte> &memory) {
  for (std::size_t i = 0; i < one.expected.size(); ++i) {
    const std::size_t slot = i % one.out_slots;
    const std::uint64_t mask = one.masks[slot], got = output[i] & mask, wanted = one.expected[i] & mask;
    if (!close(one.judges[slot], got, wanted, one.tolerance))
      return differs("thread " + std::to_string(i / one.out_slots) + " value " + std::to_string(slot), got,
                     wanted);
  }
  const std::size_t step = bytes_of(one.memory_judge);
  for (std::size_t at = 0; at + step <= one.memory_expected.size(); at += step) {
    std::uint64_t got = 0, wanted = 0;
    std::memcpy(&got, memory.data() + at, step);
    std::memcpy(&wanted, one.memory_expected.data() + at, step);
    if (!close(one.memory_judge, got, wanted, one.tolerance))
      return differs("memory byte " + std::to_string(at), got, wanted);
  }
  return {};
}

std::vector<WarpCase> all_warp_cases() {
  std::vector<WarpCase> all;
  for (auto cases : {exchange_cases(), atomic_cases(), matrix_cases(), tile_cases(), async_cases()})
    for (WarpCase &one : cases) all.push_back(std::move(one));
  return all;
}

}  // namespace cupilot::opcodes
