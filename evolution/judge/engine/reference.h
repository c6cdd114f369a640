// SPDX-License-Identifier: Apache-2.0
//
// The reference: the outputs of the original kernel for every run of the plan. The original runs first, in a
// child process of its own; its outputs stay in the parent's memory, where no candidate can read them. Also
// holds the device's description and the original's hardware counters.

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/correct/needed_bytes.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/engine/engine.h"
#include "evolution/judge/launches/device_code.h"
#include "evolution/judge/tools/build.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::engine {

class Reference {
public:
  /// Runs the original through the plan. An error means that no candidate can be judged; its text names the
  /// workload, the reason and how to fix it. Reasons: the original fails there, is not deterministic, has a
  /// race or reads uninitialised memory (unless Bundle::waived names the rule), or its outputs do not depend
  /// on its inputs. If the original fails only on something that the judge added (a neighbour, an input
  /// family, misaligned pointers, outputs in place of inputs), that is removed from the plan instead.
  /// `library` is called for the original's build after the device has been described, so the build may take
  /// until then. What it returns must outlive the call.
  using Library =
      std::function<Result<const tools::Built *>(const cases::Plan &, const model::DeviceReport &)>;
  /// Returns the twin's build, or null when the bundle has no twin.
  using TwinLibrary = std::function<const Result<tools::Built> *()>;
  static Result<Reference> make(const Engine &engine, const model::Bundle &bundle, const Library &library,
                                const TwinLibrary &twin, cases::Plan plan);

  const cases::Plan &plan() const { return plan_; }
  /// Text of Verdict::oracle: what stands for the exact result.
  const std::string &oracle() const { return oracle_; }
  const model::DeviceReport &device() const { return device_; }
  const std::map<std::string, model::Profile> &profiles() const { return profiles_; }
  /// What a timed case needs of its buffers.
  correct::NeededBytes needed_bytes(std::size_t case_index) const;
  /// By case index, for the cases in Plan::estimated.
  const std::map<std::size_t, model::EstimatedTime> &estimates() const { return estimates_; }
  /// Checks of the emulated device that the original itself fails and the developer has waived. They are off
  /// for all candidates.
  const std::vector<std::string> &waived() const { return waived_; }
  /// Whether the original itself writes this variable of its module.
  bool changes(const std::string &symbol) const {
    return changed_.contains(launches::symbol_of_any_file(symbol));
  }
  /// Warp instructions that one block of a candidate may execute on Plan::inputs[index]; 0: no limit.
  std::uint64_t instruction_budget(std::size_t index) const;
  /// Subnormal numbers that the original's float atomics turned into zero on Plan::inputs[index].
  std::uint64_t flushed(std::size_t index) const { return expected_[index].flushed; }
  /// The outputs for Plan::inputs[index], laid out by dump_offsets().
  correct::ExpectedOutputs expected(std::size_t index) const {
    correct::ExpectedOutputs outputs = expected_[index].outputs();
    outputs.moved = moves_only_;
    return outputs;
  }
  /// Whether the original leaves some elements of these outputs unwritten.
  bool leaves_unwritten(std::size_t index) const { return expected_[index].unwritten; }
  /// The runs that candidates go through: the plan's runs without those that were removed and those that only
  /// the reference needs.
  const std::vector<cases::PlannedRun> &runs() const { return runs_; }

private:
  friend class ReferenceMaker;
  struct Kept {
    std::unique_ptr<std::byte[]> data;
    std::size_t size = 0;
    std::vector<correct::CompareLimits> spread, change;
    std::vector<correct::KeptTwin> twin;
    std::vector<std::vector<float>> exact;  ///< ExpectedOutputs::exact
    std::uint64_t warp_instructions = 0, flushed = 0;
    bool unwritten = false;
    correct::ExpectedOutputs outputs() const {
      return {.bytes = {data.get(), size}, .spread = spread, .twin = twin, .change = change, .exact = exact};
    }
  };
  cases::Plan plan_;
  std::string oracle_;
  model::DeviceReport device_;
  std::map<std::string, model::Profile> profiles_;  ///< by case id
  std::map<std::size_t, model::EstimatedTime> estimates_;
  std::map<std::size_t, correct::NeededBytes> needed_bytes_;  ///< by case index
  std::vector<std::string> waived_;
  std::set<std::string> changed_;  ///< symbols of any file
  std::vector<Kept> expected_;
  bool moves_only_ = false;  ///< the original's code has no floating arithmetic
  std::vector<cases::PlannedRun> runs_;
};

/// Memory for expected outputs: half of the machine's free memory, at most 32 GiB.
std::uint64_t expected_budget_bytes();

}  // namespace cupilot::judge::engine
