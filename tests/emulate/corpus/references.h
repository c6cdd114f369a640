// SPDX-License-Identifier: Apache-2.0
//
// What the correct kernels compute, in plain C++: each changes the arguments' bytes as the launch should.

#pragma once

#include <string_view>
#include <vector>

#include "tests/emulate/corpus/case.h"

namespace cupilot::corpus {

using Reference = void (*)(const Case &shape, std::vector<Argument> &arguments);
/// Null: there is none of that name.
Reference reference(std::string_view name);

struct NamedReference {
  std::string_view name;
  Reference run;
};
/// Tables of references_*.cpp.
extern const std::vector<NamedReference> kReductions, kMatrices, kStencils, kAtomics, kModels, kLanguage,
    kAlgorithms;

inline std::uint64_t blocks_of(const Case &c) {
  return std::uint64_t{c.grid[0]} * c.grid[1] * c.grid[2];
}
inline std::uint64_t threads_of(const Case &c) {
  return std::uint64_t{c.block[0]} * c.block[1] * c.block[2];
}

}  // namespace cupilot::corpus
