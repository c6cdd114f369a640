// SPDX-License-Identifier: Apache-2.0
// Maps a step back to the user's source.

#include "evolution/emulate/program/program.h"

#include <algorithm>
#include <functional>

namespace cupilot::emulate::program {
namespace {

/// The statement from its opcode to the semicolon, blanks collapsed. Opcodes made by the parser are not in
/// the text.
std::string statement_text(const ptx::Module &module, const ptx::Instruction &instruction) {
  const std::string_view opcode = instruction.opcode;
  const std::less_equal<const char *> not_after;
  if (!module.text || !opcode.data()) return std::string(opcode);
  const char *begin = module.text->data(), *end = begin + module.text->size();
  if (!not_after(begin, opcode.data()) || !not_after(opcode.data(), end)) return std::string(opcode);
  std::string text;
  constexpr std::size_t kLongest = 200;
  for (const char *at = opcode.data(); at != end && *at != ';' && text.size() < kLongest; ++at) {
    const bool blank = *at == ' ' || *at == '\t' || *at == '\n' || *at == '\r';
    if (!blank)
      text += *at;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// Files of the toolkit and of compilers: an error inside them is attributed to the calling code.
bool is_system(std::string_view file) {
  for (const std::string_view part : {"/lib/clang/", "/cuda-", "/cuda/", "-linux/include/", "/cccl/"})
    if (file.find(part) != std::string_view::npos) return true;
  return file.starts_with("/usr/");
}

/// Out of inlined functions of system headers, to the first line that is the user's own, if there is one.
ptx::Location users_own(const ptx::Module &module, std::uint32_t index) {
  const ptx::Location innermost = module.locations[index];
  ptx::Location at = innermost;
  // Compilers nest calls a few levels deep; the bound is against circles in damaged texts.
  for (int depth = 0; depth < 100; ++depth) {
    if (at.file >= module.files.size() || !is_system(module.files[at.file])) return at;
    if (at.inlined_at == 0 || at.inlined_at > module.locations.size()) break;
    at = module.locations[at.inlined_at - 1];
  }
  return innermost;
}

}  // namespace

SourcePlace place_of(const ptx::Module &module, const ptx::Instruction &instruction) {
  SourcePlace place;
  place.text = statement_text(module, instruction);
  const bool known = instruction.location > 0 && instruction.location < module.locations.size();
  const ptx::Location location = known ? users_own(module, instruction.location) : ptx::Location{};
  if (location.line > 0 && location.file < module.files.size() && !module.files[location.file].empty()) {
    place.file = module.files[location.file];
    place.line = location.line;
    place.column = location.column;
  } else {
    place.file = "ptx";
    place.line = instruction.line;
  }
  return place;
}

SourcePlace Program::place(std::uint32_t pc) const {
  if (pc >= info.size()) return {};
  const StepInfo &step = info[pc];
  const ptx::Function &function = module->functions[step.function];
  if (step.instruction < function.body.size()) return place_of(*module, function.body[step.instruction]);
  // A step that the decoder added has the place of the instruction it was added for.
  ptx::Instruction added;
  added.location = step.location;
  added.line = function.line;
  return place_of(*module, added);
}

bool is_special(std::string_view name) {
  constexpr std::string_view kTriples[] = {"%tid",       "%ntid",       "%ctaid",         "%nctaid",
                                           "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};
  constexpr std::string_view kSingle[] = {"%laneid",
                                          "%warpid",
                                          "%nwarpid",
                                          "%smid",
                                          "%nsmid",
                                          "%gridid",
                                          "%lanemask_eq",
                                          "%lanemask_lt",
                                          "%lanemask_le",
                                          "%lanemask_gt",
                                          "%lanemask_ge",
                                          "%clock",
                                          "%clock_hi",
                                          "%clock64",
                                          "%globaltimer",
                                          "%globaltimer_lo",
                                          "%globaltimer_hi",
                                          "%dynamic_smem_size",
                                          "%total_smem_size",
                                          "%aggr_smem_size",
                                          "%reserved_smem_offset_begin",
                                          "%reserved_smem_offset_end",
                                          "%reserved_smem_offset_cap",
                                          "%reserved_smem_offset_0",
                                          "%reserved_smem_offset_1",
                                          "%is_explicit_cluster",
                                          "%cluster_ctarank",
                                          "%cluster_nctarank",
                                          "%current_graph_exec"};
  if (std::find(std::begin(kSingle), std::end(kSingle), name) != std::end(kSingle)) return true;
  if (name.starts_with("%envreg")) return true;
  if (name.size() < 2 || !(name.ends_with(".x") || name.ends_with(".y") || name.ends_with(".z")))
    return false;
  const std::string_view triple = name.substr(0, name.size() - 2);
  return std::find(std::begin(kTriples), std::end(kTriples), triple) != std::end(kTriples);
}

bool is_builtin(std::string_view function) {
  return function == "vprintf" || function == "__assertfail" || function == "malloc" || function == "free";
}

}  // namespace cupilot::emulate::program
