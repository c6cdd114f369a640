// SPDX-License-Identifier: Apache-2.0
//
// What a shared library says of itself: 64-bit little-endian ELF, read strictly. The file comes from our own
// compiler run, but of a source that somebody hostile may have written.

#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot {

struct SharedLibrary {
  std::set<std::string> undefined;         ///< symbols it takes from others, without versions
  std::set<std::string> defined;           ///< functions and objects it has, local ones too
  std::set<std::string> writable;          ///< objects that can be written after loading
  std::set<std::string> chosen_at_load;    ///< functions a resolver of its own picks (ifunc)
  std::set<std::string> needed;            ///< other libraries
  std::size_t constructors = 0;            ///< functions run at loading
  bool changes_code = false;               ///< text relocations, or segments both writable and executable
  std::span<const std::byte> device_code;  ///< section .nv_fatbin, inside the file's bytes
};

Result<SharedLibrary> read_shared_library(std::span<const std::byte> file);

}  // namespace cupilot
