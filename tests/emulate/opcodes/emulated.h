// SPDX-License-Identifier: Apache-2.0
//
// Forms run on the emulator, and results compared.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/emulate/program/program.h"
#include "tests/emulate/opcodes/form_ptx.h"

namespace cupilot::opcodes {

/// Results of every warp; `mask` is for Variant::guarded. `out` holds what was there before and receives the
/// results. An error: what the pre-flight or the launch said.
Result<> run_emulated(const Form &form, Variant variant, emulate::program::Isa isa,
                      const std::vector<WarpRows> &operands, std::uint32_t mask, std::vector<WarpRows> &out);

enum class Agreement : std::uint8_t { equal, near, different };
Agreement compare(const Tolerance &tolerance, std::uint64_t expected, std::uint64_t got);

/// What the tables count, by family.
struct Counts {
  unsigned forms = 0, refused = 0, failed_forms = 0;
  std::uint64_t values = 0, equal = 0, near = 0, different = 0;
  std::uint64_t known = 0;  ///< different where Form::known_difference says so
};
using Table = std::map<std::string, Counts>;
std::string to_string(const Table &table);

/// Results of all threads of one form against what is expected; mismatches, at most 5, in `said`.
/// `mask`: lanes that count.
Counts compare_rows(const Form &form, const std::vector<WarpRows> &operands,
                    const std::vector<WarpRows> &expected, const std::vector<WarpRows> &got,
                    const std::string &title, std::string &said);

}  // namespace cupilot::opcodes
