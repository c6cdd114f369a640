// SPDX-License-Identifier: Apache-2.0
//
// The plan: all runs of a bundle, that is every case with its input families and placements, and the memory
// they need. Pure.
//
// The size of a case determines its runs. A case of at most kSmallCaseBytes runs with all its families, and
// at moved and at misaligned addresses (a neighbour at one of four shifts, in turn; a workload also with each
// pointer shifted alone, and the smallest of them with all pointers shifted by amounts of their own). A
// larger case runs with its first family (`user`) and one more, which rotates over the large cases, and at
// moved addresses; it runs misaligned only if the bundle has no small case. A size drawn at random runs once.
// Probes of single regions are added (probe_plan.h). If the kernel may get the same buffer as input and
// output, every workload also runs in place, and small neighbours do so in turn at aligned and at shifted
// addresses. The expected outputs that must be kept should take 8 GiB at most. If they take more, first most
// probes are dropped, then the second family of large cases; what is left may take the whole budget.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/case_layout.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::cases {

inline constexpr std::uint64_t kSmallCaseBytes = 16u << 20;

inline constexpr std::size_t kNoInputs = ~std::size_t{0};

/// One set of inputs of one case. Each has one expected output.
struct PlannedInputs {
  std::size_t case_index = 0;
  std::string family;
  std::uint64_t seed = 0;
  /// Index of other inputs of the same case, or kNoInputs. They differ in one region (for a probe) or
  /// entirely (for a second draw of a workload's own data), and the checks of the original look at whether
  /// its output differs too.
  std::size_t compared_with = kNoInputs;
};

struct PlannedRun {
  std::size_t inputs = 0;  ///< index into Plan::inputs
  Placement placement = Placement::base;
  bool reference_only = false;  ///< only the original runs it, since its output is needed; candidates skip it
  bool other_poison = false;    ///< Setting::other_poison
  Shifts shifts = 0;            ///< Setting::shifts
};

struct Plan {
  std::vector<CaseLayout> layouts;  ///< one per case, at Placement::base
  std::vector<PlannedInputs> inputs;
  /// In this order consecutive runs of a case share addresses, and misaligned runs are last.
  std::vector<PlannedRun> runs;
  /// Indices of the inputs used for timing; their data differ from the verified inputs. Those of one case are
  /// adjacent.
  std::vector<std::size_t> timing;
  std::vector<std::size_t> estimated;  ///< case indices; replaces `timing` if the device only estimates
  std::uint64_t dump_bytes = 0;        ///< largest output of a single run
  std::uint64_t expected_bytes = 0;    ///< size of all expected outputs together
};

/// It is an error if even the smallest plan exceeds `budget_bytes`, or if a case does not match the
/// parameters. `estimates`: Engine::estimates.
Result<Plan> make_plan(const model::Bundle &bundle, std::uint64_t budget_bytes, bool estimates = false);

/// The seed from which all seeds of data are derived: a mix of the chosen seed and the secret.
std::uint64_t data_seed(const model::JudgeRequest &request);

/// Whether the case is a workload of the user or its smaller stand-in. All other cases are generated and
/// optional.
bool is_users_own(const model::Case &which);

/// Shuffles the runs by `seed`, so that a candidate cannot learn anything from their order. Cases of the
/// workloads come before their neighbours, each with its first run in front; then come probes, then
/// misaligned runs.
std::vector<PlannedRun> shuffled(const Plan &plan, std::vector<PlannedRun> runs, const model::Bundle &bundle,
                                 std::uint64_t seed);

/// Device memory that one case needs: buffers, copies of inout buffers, flush buffer, and a reserve for the
/// context.
std::uint64_t device_bytes(const CaseLayout &layout, std::uint64_t l2_bytes);

/// How many other processes may have a device context while one runs the largest case; at least one.
std::size_t contexts_beside(const Plan &plan, const model::DeviceReport &device);

/// Machine code for "sm_90" runs on a device of the same major and no lower minor version; code for "sm_90a"
/// runs on sm_90 only.
bool runs_on(const std::string &built_for, const std::string &device);

/// "1.5 GiB".
std::string readable_bytes(std::uint64_t bytes);

}  // namespace cupilot::judge::cases
