// SPDX-License-Identifier: Apache-2.0
//
// Reads the parts of an ELF file that patching needs. The file is the user's program, so its content is not
// trusted.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::emulate::runtime::preload {

struct ElfFunction {
  std::string name;
  std::uint64_t address = 0, bytes = 0;  ///< as linked; add the load address
};

struct ElfContent {
  std::vector<ElfFunction> functions;  ///< defined functions whose name begins with one of the `prefixes`
  bool has_symbols = false;            ///< a .symtab: it is not stripped
  bool has_device_code = false;        ///< a .nv_fatbin section
  bool imports_runtime = false;        ///< __cudaRegisterFatBinary comes from a shared library
};

Result<ElfContent> read_elf(std::span<const std::byte> file, std::span<const std::string_view> prefixes);
Result<ElfContent> read_elf_file(const std::string &path, std::span<const std::string_view> prefixes);

}  // namespace cupilot::emulate::runtime::preload
