// SPDX-License-Identifier: Apache-2.0
//
// Reads a shared library (64-bit little-endian ELF) strictly. Our own compiler run made the file, but its
// source may be hostile.

#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::judge::screen {

struct SharedLibrary {
  std::set<std::string> undefined;         ///< symbols it imports, without versions
  std::set<std::string> defined;           ///< functions and objects it defines, including local ones
  std::set<std::string> writable;          ///< objects that are still writable after loading
  std::set<std::string> chosen_at_load;    ///< functions that a resolver picks at load time (ifunc)
  std::set<std::string> needed;            ///< libraries it depends on
  std::size_t constructors = 0;            ///< number of functions that run at load time
  bool changes_code = false;               ///< text relocations, or segments both writable and executable
  std::span<const std::byte> device_code;  ///< section .nv_fatbin, inside the file's bytes
};

Result<SharedLibrary> read_shared_library(std::span<const std::byte> file);

}  // namespace cupilot::judge::screen
