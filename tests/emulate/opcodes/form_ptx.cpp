// SPDX-License-Identifier: Apache-2.0

#include "tests/emulate/opcodes/form_ptx.h"

#include <algorithm>

namespace cupilot::opcodes {
namespace {

const char *register_type(char kind) {
  switch (kind) {
    case 'p':
      return ".pred";
    case 'h':
      return ".b16";
    case 'd':
      return ".b64";
    default:
      return ".b32";
  }
}
const char *memory_type(char kind) {
  switch (kind) {
    case 'h':
      return "u16";
    case 'd':
      return "u64";
    default:
      return "u32";
  }
}

std::string declared(const char *prefix, const std::vector<Slot> &slots) {
  std::string text;
  for (std::size_t i = 0; i < slots.size(); ++i)
    text += std::string("  .reg ") + register_type(slots[i].kind) + " %" + prefix + std::to_string(i) + ";\n";
  return text;
}

std::string loaded(const char *prefix, const char *base, const std::vector<Slot> &slots) {
  std::string text;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const bool predicate = slots[i].kind == 'p';
    const std::string name = std::string("%") + prefix + std::to_string(i);
    text += std::string("  ld.global.") + memory_type(slots[i].kind) + " " + (predicate ? "%word" : name) +
            ", [" + base + "+" + std::to_string(8 * i) + "];\n";
    if (predicate) text += "  setp.ne.u32 " + name + ", %word, 0;\n";
  }
  return text;
}

std::string stored(const std::vector<Slot> &slots, const std::string &first) {
  std::string text;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::string name = i == 0 ? first : "%d" + std::to_string(i);
    const bool predicate = slots[i].kind == 'p';
    if (predicate) text += "  selp.u32 %word, 1, 0, " + name + ";\n";
    text += std::string("  st.global.") + memory_type(slots[i].kind) + " [%out+" + std::to_string(8 * i) +
            "], " + (predicate ? "%word" : name) + ";\n";
  }
  return text;
}

bool one_instruction(const Form &form) {
  return std::count(form.text.begin(), form.text.end(), ';') == 1 &&
         form.text.find(".reg") == std::string::npos;
}

/// The operand whose register the first result can take.
int alias_of(const Form &form) {
  if (form.results.empty()) return -1;
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    if (form.operands[i].kind == form.results[0].kind) return static_cast<int>(i);
  }
  return -1;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string prologue(std::uint32_t scratch_bytes) {
  const std::string row = std::to_string(8 * kMostSlots);
  return "  .reg .b32 %thread, %lane, %block, %word, %mask;\n  .reg .b64 %in, %out, %row, %scratch;\n"
         "  .reg .pred %guard;\n"
         "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n  ld.param.u64 %scratch, [scratch];\n"
         "  ld.param.u32 %mask, [mask];\n"
         "  mov.u32 %lane, %tid.x;\n  mov.u32 %block, %ctaid.x;\n  mad.lo.u32 %thread, %block, 32, %lane;\n"
         "  mul.wide.u32 %row, %thread, " +
         row +
         ";\n  add.u64 %in, %in, %row;\n  add.u64 %out, %out, %row;\n"
         "  mul.wide.u32 %row, %block, " +
         std::to_string(scratch_bytes) +
         ";\n  add.u64 %scratch, %scratch, %row;\n"
         "  shr.u32 %word, %mask, %lane;\n  and.b32 %word, %word, 1;\n  setp.ne.u32 %guard, %word, 0;\n";
}

}  // namespace

bool has_variant(const Form &form, Variant variant) {
  switch (variant) {
    case Variant::plain:
      return true;
    case Variant::guarded:
      return form.guarded && one_instruction(form);
    case Variant::aliased:
      return form.aliased && one_instruction(form) && alias_of(form) >= 0;
  }
  return false;
}

std::string module_text(const Form &form, Variant variant, const std::string &version) {
  std::string body = form.text, first = "%d0";
  if (variant == Variant::aliased) {
    first = "%a" + std::to_string(alias_of(form));
    body = replaced(body, "%d0", first);
  }
  std::string text =
      ".version " + version + "\n.target sm_" + form.architecture +
      "\n.address_size 64\n.visible .entry form(.param .u64 in, .param .u64 out, .param .u64 scratch, "
      ".param .u32 mask)\n{\n";
  text += prologue(form.scratch_bytes) + declared("a", form.operands) + declared("d", form.results) +
          form.declarations;
  text += loaded("a", "%in", form.operands);
  // A result that is not written keeps what was there.
  if (variant == Variant::guarded)
    text += loaded("d", "%out", form.results) + "  @%guard " + body + "\n";
  else
    text += "  " + body + "\n";
  return text + stored(form.results, first) + "  ret;\n}\n";
}

std::vector<WarpRows> reference_rows(const Form &form, const std::vector<WarpRows> &operands) {
  std::vector<WarpRows> all(operands.size());
  for (std::size_t warp = 0; warp < operands.size(); ++warp) {
    if (form.warp) {
      form.warp(operands[warp], all[warp]);
      continue;
    }
    for (int lane = 0; lane < kWarp; ++lane) form.lane(operands[warp][lane], all[warp][lane]);
  }
  return all;
}

}  // namespace cupilot::opcodes
