// SPDX-License-Identifier: Apache-2.0
//
// A form as a PTX module, and the values it is tried with.
//
// Entry `form`: parameters in, out (addresses), mask: thread t of the launch reads row t of `in` and writes
// row t of `out` (kMostSlots words each). Blocks of one warp, so that `%scratch` and shared memory are the
// warp's own.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/emulate/opcodes/form.h"

namespace cupilot::opcodes {

enum class Variant : std::uint8_t {
  plain,
  guarded,  ///< under @%guard: lanes of the parameter `mask`; the others keep what `out` held
  aliased,  ///< the first result's register is the first operand of its kind
};

/// False: the form has no such variant.
bool has_variant(const Form &form, Variant variant);
std::string module_text(const Form &form, Variant variant, const std::string &version = "8.0");

/// Rows of operands for `warps` warps; the same for the same form.
std::vector<WarpRows> operand_rows(const Form &form, int warps);
/// What the reference says of them.
std::vector<WarpRows> reference_rows(const Form &form, const std::vector<WarpRows> &operands);

}  // namespace cupilot::opcodes
