// SPDX-License-Identifier: Apache-2.0
//
// An error that a checked run found in a kernel, as plain data for the output of `cupilot check`, SARIF files
// and verdicts.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::machine {

enum class FindingKind : std::uint8_t {
  out_of_bounds,
  misaligned,
  shared_race,
  global_race,
  divergent_barrier,
  bad_shuffle_mask,
  warp_race,
  shared_overrun,
  uninitialised_read,
  endless_loop,
  scratch_misuse,
  invalid_launch,
  assertion,
  trap,
  out_of_memory,
  unsupported
};
const char *to_string(FindingKind kind);  ///< "shared-race": also the SARIF rule id

struct ThreadPlace {
  std::array<std::uint32_t, 3> block{}, thread{};
};

struct Finding {
  FindingKind kind = FindingKind::out_of_bounds;
  std::string kernel;   ///< the mangled PTX name; readers demangle it
  std::string message;  ///< one sentence: "reads 4 bytes 12 bytes past the end of 'x' (4096 bytes)"
  program::SourcePlace place;
  ThreadPlace thread;
  std::optional<program::SourcePlace> other_place;  ///< the other access of a race
  std::optional<ThreadPlace> other_thread;
  std::uint64_t times = 1;  ///< number of findings of the same kind at the same place
};

/// "norm.cu:12: error: shared-race: ... [block (0,0,0) thread (3,0,0)]"; a second line names the other access
/// of a race.
std::string describe(const Finding &finding);

}  // namespace cupilot::emulate::machine
