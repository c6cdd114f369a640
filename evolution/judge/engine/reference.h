// SPDX-License-Identifier: Apache-2.0
//
// What the original gives: run first, in a child of its own, and kept in the parent's memory, where no
// candidate can look. Also the device's description and the original's counters.

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/engine/engine.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/judge/tools/build.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot {

class Reference {
public:
  /// Runs the original through the plan. An error means that no candidate can be judged: it names workload
  /// and reason, and what the developer can do: for the original fails there, is not deterministic, races or
  /// reads memory nobody wrote (unless Bundle::waived has the rule), or gives outputs that do not depend on
  /// its inputs. What the original does not tolerate of ours (a neighbour, an input family, misaligned
  /// pointers, outputs in place of inputs) is taken out of the plan instead. `library` is asked for the
  /// original's build once the device has been described: until then it may be built. What it points to
  /// outlives the call.
  using Library = std::function<Result<const Built *>(const Plan &, const DeviceReport &)>;
  /// The twin's build, null where the bundle has none.
  using TwinLibrary = std::function<const Result<Built> *()>;
  static Result<Reference> make(const Engine &engine, const Bundle &bundle, const Library &library,
                                const TwinLibrary &twin, Plan plan);

  const Plan &plan() const { return plan_; }
  /// Verdict::oracle: what stands for the exact result.
  const std::string &oracle() const { return oracle_; }
  const DeviceReport &device() const { return device_; }
  const std::map<std::string, Profile> &profiles() const { return profiles_; }
  /// Of the cases in Plan::estimated.
  const std::map<std::size_t, EstimatedTime> &estimates() const { return estimates_; }
  /// Checks of the emulated device that the original itself does not pass: off for everybody.
  const std::vector<std::string> &waived() const { return waived_; }
  /// Warp instructions one block of a candidate may take on Plan::inputs[index]; 0: no limit.
  std::uint64_t instruction_budget(std::size_t index) const;
  /// The outputs for Plan::inputs[index], laid out by dump_offsets().
  ExpectedOutputs expected(std::size_t index) const { return expected_[index].outputs(); }
  /// Whether the original leaves elements of these outputs as they were.
  bool leaves_unwritten(std::size_t index) const { return expected_[index].unwritten; }
  /// Runs candidates go through: the plan's, without what was taken out and what only the reference needs.
  const std::vector<PlannedRun> &runs() const { return runs_; }

private:
  friend class ReferenceMaker;
  struct Kept {
    std::unique_ptr<std::byte[]> data;
    std::size_t size = 0;
    std::vector<CompareLimits> spread, change;
    std::vector<KeptTwin> twin;
    std::uint64_t warp_instructions = 0;
    bool unwritten = false;
    ExpectedOutputs outputs() const { return {{data.get(), size}, spread, twin, change}; }
  };
  Plan plan_;
  std::string oracle_;
  DeviceReport device_;
  std::map<std::string, Profile> profiles_;  ///< by case id
  std::map<std::size_t, EstimatedTime> estimates_;
  std::vector<std::string> waived_;
  std::vector<Kept> expected_;
  std::vector<PlannedRun> runs_;
};

/// Memory for expected outputs: half of what the machine has free, at most 8 GiB.
std::uint64_t expected_budget_bytes();

/// An estimate executes some blocks at full size, several at a time: it may take this many runs' limit.
inline constexpr double kEstimateRuns = 3;

/// An order for these data.
RunOrder run_order(const PlannedInputs &inputs);
/// A run's order as both sides of the comparison give it.
RunOrder run_order(const Bundle &bundle, const Plan &plan, const PlannedRun &run,
                   const std::vector<std::string> &waived);

/// The order for Bundle::cases[index]; the caller adds role and kernels.
RunOrder estimate_order(const Bundle &bundle, std::size_t index, const std::vector<std::string> &waived);

}  // namespace cupilot
