// SPDX-License-Identifier: Apache-2.0
//
// The kernels of reference_kernels.cu with the launches they are measured and estimated at. `fresh` kernels
// were written after the first 30 and are never used to fit the model.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/emulate/estimate/reference_fill.h"

namespace cupilot::reference {

struct Argument {
  enum class Kind { buffer, integer, real } kind = Kind::integer;
  std::uint64_t bytes = 0;  ///< of a buffer
  Fill fill = Fill::none;
  std::uint32_t limit = 0;
  std::int32_t integer = 0;
  float real = 0;
};

struct ReferenceCase {
  std::string name, kernel;  ///< several launches of one kernel have different names
  bool fresh = false;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint32_t shared_bytes = 0;
  std::vector<Argument> arguments;
};

std::vector<ReferenceCase> reference_cases();

}  // namespace cupilot::reference
