// SPDX-License-Identifier: Apache-2.0
//
// What is run for a bundle: every case with its input families and placements, and how much memory that
// takes. Pure.
//
// Sizes decide how much: a case of at most kSmallCaseBytes runs with all its families, at moved and at
// misaligned addresses. A larger one runs with its first family (`user`) and one more, taken in turn over the
// large cases, and at moved addresses; it is misaligned only when the bundle has no small case. Probes of
// single regions come on top (probe_plan.h). Where the kernel may be given the same buffer for an input and
// an output, every workload runs so, too. What must be kept of the original's outputs has a budget: beyond it
// most probes go first, then the second family of large cases.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/case_layout.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot {

inline constexpr std::uint64_t kSmallCaseBytes = 16u << 20;

inline constexpr std::size_t kNoInputs = ~std::size_t{0};

/// One set of inputs of one case, and so one expected output.
struct PlannedInputs {
  std::size_t case_index = 0;
  std::string family;
  std::uint64_t seed = 0;
  /// Inputs of the same case that differ in one region (for a probe) or in everything (for the second draw of
  /// a workload's own data): what the original makes of the difference is looked at. None: kNoInputs.
  std::size_t compared_with = kNoInputs;
};

struct PlannedRun {
  std::size_t inputs = 0;  ///< index into Plan::inputs
  Placement placement = Placement::base;
  bool reference_only = false;  ///< the original's output is wanted, for timing; candidates skip it
  bool other_poison = false;    ///< Setting::other_poison
};

struct Plan {
  std::vector<CaseLayout> layouts;  ///< by case, at Placement::base
  std::vector<PlannedInputs> inputs;
  std::vector<PlannedRun>
      runs;  ///< in order: consecutive runs of a case share addresses; misaligned ones last
  /// Inputs of timed cases, other data than those verified with; several of a case follow each other.
  std::vector<std::size_t> timing;
  std::vector<std::size_t> estimated;  ///< instead of `timing` where the device only estimates: cases
  std::uint64_t dump_bytes = 0;        ///< the largest output of one run
  std::uint64_t expected_bytes = 0;    ///< all of the original's outputs together
};

/// An error when even the least plan does not fit `budget_bytes`, or a case does not fit the parameters.
/// `estimates`: Engine::estimates.
Result<Plan> make_plan(const Bundle &bundle, std::uint64_t budget_bytes, bool estimates = false);

/// What every seed of data is derived from: the seed one can choose and the secret nobody can.
std::uint64_t data_seed(const JudgeRequest &request);

/// The user's own data: a workload, or its smaller stand-in. Everything else is ours and may be left out.
bool is_users_own(const Case &which);

/// The runs in an order that only `seed` decides, so that it tells nothing: the workloads' own cases before
/// their neighbours, each with its first run in front; then probes, then misaligned runs.
std::vector<PlannedRun> shuffled(const Plan &plan, std::vector<PlannedRun> runs, const Bundle &bundle,
                                 std::uint64_t seed);

/// Device memory one case needs beside its buffers: flush buffer, pool, copies of inout buffers.
std::uint64_t device_bytes(const CaseLayout &layout, std::uint64_t l2_bytes);

/// How many processes may have a context beside one that runs the largest case; at least one.
std::size_t contexts_beside(const Plan &plan, const DeviceReport &device);

/// Machine code for "sm_90" runs on a device of the same major and no lower minor version; "sm_90a" on that
/// one only.
bool runs_on(const std::string &built_for, const std::string &device);

/// "1.5 GiB".
std::string readable_bytes(std::uint64_t bytes);

}  // namespace cupilot
