// SPDX-License-Identifier: Apache-2.0
//
// Parses what compute-sanitizer's tools print into findings with a place. Pure functions. Format: "Compute
// Sanitizer User Manual", NVIDIA. The wording differs a little between versions, so unknown lines are
// skipped, and the count in the summary line shows whether something was missed.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cupilot::judge::tools {

struct SanitizerFinding {
  std::string kind;           ///< "Invalid __global__ write of size 4 bytes"
  std::string kernel{};       ///< without its arguments: "norm_kernel"
  std::string place{};        ///< "variant.cuh:12"; empty without line information
  std::string other_place{};  ///< the other side of a race
  std::string thread{};       ///< "thread (3,0,0) in block (0,0,0)"
  std::string detail{};       ///< "out of bounds, 4 bytes after the nearest allocation of size 512 bytes"
  bool warning = false;       ///< reported only; no reason to reject
  std::size_t times = 1;      ///< reports of this kind at this place
};

struct SanitizerReport {
  std::vector<SanitizerFinding> findings;  ///< one for each kind and place, in the order first seen
  std::size_t errors = 0;                  ///< as the summary counts them
  bool complete = false;                   ///< the output has a summary
  std::string trouble;                     ///< why the tool itself failed, if it says so
};

SanitizerReport parse_sanitizer_output(std::string_view text);

/// "Invalid __global__ write of size 4 bytes in norm_kernel at variant.cuh:12, thread (3,0,0) in block
/// (0,0,0): ...".
std::string describe(const SanitizerFinding &finding);

/// Removes the findings that the original has too, which are not the candidate's fault. Findings of the same
/// kind are equal, whatever their line.
std::vector<SanitizerFinding> without(std::vector<SanitizerFinding> findings,
                                      const std::vector<SanitizerFinding> &known);

}  // namespace cupilot::judge::tools
