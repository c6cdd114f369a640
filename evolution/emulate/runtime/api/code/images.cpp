// SPDX-License-Identifier: Apache-2.0
//
// Loads one program from the containers in the process's memory. A relocatable build (-rdc=true) has its PTX
// in the containers of its objects, which are linked by name.

#include "evolution/emulate/runtime/api/code/images.h"

#include <fmt/format.h>

#include "evolution/emulate/ptx/parser.h"
#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/ptx_link.h"

namespace cupilot::emulate::runtime {
namespace {

Result<std::vector<FatEntry>> entries_at(const void *container) {
  return read_container({static_cast<const std::byte *>(container), readable_bytes(container)});
}

bool has_ptx(const std::vector<FatEntry> &entries) {
  for (const auto &entry : entries)
    if (entry.kind == FatKind::ptx) return true;
  return false;
}

/// The containers that PTX is to be taken from. A linked program's own container has machine code only; its
/// objects' have the PTX. An object without device code of its own has neither.
Result<std::vector<std::vector<FatEntry>>> sources(const std::vector<const void *> &containers) {
  std::vector<std::vector<FatEntry>> all;
  for (const auto *container : containers) {
    CUPILOT_TRY(entries, entries_at(container));
    all.push_back(std::move(entries));
  }
  if (all.size() > 1 && !has_ptx(all[0])) all.erase(all.begin());
  std::erase_if(all, [](const auto &entries) { return entries.empty(); });
  return all;
}

}  // namespace

Result<std::vector<std::vector<FatEntry>>> Image::sources() const {
  if (own_.empty()) return runtime::sources(containers_);
  CUPILOT_TRY(entries, read_container(own_));
  return std::vector<std::vector<FatEntry>>{std::move(entries)};
}

Result<ptx::Module> Image::parse_best(const std::vector<FatEntry> &entries, unsigned architecture) {
  code_ = abi::kNoKernelImageForDevice;
  CUPILOT_TRY(entry, choose_ptx(entries, architecture));
  code_ = abi::kInvalidKernelImage;
  CUPILOT_TRY(text, ptx_text(entry));
  code_ = abi::kInvalidPtx;
  return ptx::parse(std::move(text), fmt::format("PTX for compute_{}", entry.architecture));
}

Result<std::shared_ptr<machine::LoadedProgram>> Image::load() {
  auto &device = current_device();
  code_ = abi::kInvalidPtx;
  if (containers_.empty() && own_.empty()) return device.load_ptx(ptx_, "PTX");
  code_ = abi::kInvalidKernelImage;
  CUPILOT_TRY(from, sources());
  std::vector<ptx::Module> modules;
  for (const auto &entries : from) {
    CUPILOT_TRY(module, parse_best(entries, device.model().architecture));
    modules.push_back(std::move(module));
  }
  if (modules.empty()) return user_error("the program's fat binary contains no device code");
  CUPILOT_TRY(linked, link_modules(std::move(modules)));
  return device.load_module(std::move(linked));
}

Result<std::shared_ptr<machine::LoadedProgram>> Image::try_program() {
  if (program_) return program_;
  CUPILOT_TRY(loaded, load());
  code_ = abi::kSuccess;
  return program_ = std::move(loaded);
}

std::shared_ptr<machine::LoadedProgram> Image::program(int &code) {
  if (!program_ && code_ == abi::kSuccess) {
    if (const auto loaded = try_program(); !loaded) say(loaded.error().message);
  }
  code = code_;
  return program_;
}

Result<VariablePlace> find_variable(const machine::LoadedProgram &program, const std::string &name) {
  const auto &variables = program.program->module->variables;
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i].name == name) {
      if (program.variables[i] == 0) break;
      return VariablePlace{program.variables[i], variables[i].bytes};
    }
  return fail(fmt::format("the device code has no variable '{}'", name));
}

}  // namespace cupilot::emulate::runtime
