// SPDX-License-Identifier: Apache-2.0
//
// The twin's part of the reference. A child process of its own runs the twin on all inputs that the original
// was run on, and the distance between the two is kept. It is not an error if the twin does not build, run or
// fit into memory, or is so far from the original that one of them must be wrong: those inputs are judged
// against the original, and a note says why. It is one if the device does not open for it.

#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/correct/compare_twin.h"
#include "evolution/judge/engine/child_process.h"
#include "evolution/judge/engine/engine.h"
#include "evolution/judge/tools/build.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::engine {

class ReferenceTwin {
public:
  /// The plan must outlive this object.
  ReferenceTwin(const Engine &engine, const model::Bundle &bundle, const cases::Plan &plan,
                const model::DeviceReport &device);

  /// Pauses before a twin is started again whose device did not open, in seconds: other programs may hold its
  /// memory for the moment.
  static constexpr std::array<double, 5> kPauses{1, 2, 4, 8, 16};
  /// `built` is null where the bundle has no twin. An error when the device does not open for it: the
  /// original runs there, so a judging against the original alone would be weaker by chance.
  Result<> start(const Result<tools::Built> *built, std::span<const double> pauses = kPauses);

  /// Runs the original on other data and returns its outputs; empty when it could not be run.
  using RunOriginal = std::function<std::vector<std::byte>(const RunOrder &)>;
  struct Measured {
    /// One element for each buffer of the layout, which is empty for a buffer that is not a floating-point
    /// output. Empty when these inputs must be judged against the original.
    std::vector<correct::KeptTwin> twin;
    /// Where the original is too far from the twin, and not on the user's own data: what the twin gives, for
    /// the same buffers. Else empty.
    std::vector<std::vector<float>> exact;
  };
  /// Runs the twin as `order` says, for Plan::inputs[index].
  Measured measure(std::size_t index, const RunOrder &order, std::span<const std::byte> original,
                   const RunOriginal &run_original);
  /// Whether the twin was believed on more sets of inputs than not.
  bool is_usually_believed() const { return with_ > without_; }
  /// Called after all runs, with the results by index. Errors that were measured on few numbers are replaced
  /// by the largest over all cases with the same kind of inputs.
  void pool(const std::map<std::size_t, std::vector<correct::KeptTwin> *> &measured);

  /// Text of Verdict::oracle.
  std::string oracle() const;
  /// Says, with figures, that the original is far from the twin on the user's own data because of its
  /// rounding errors; else empty.
  const std::string &disagreement() const { return disagreement_; }

private:
  Result<> connect();
  Result<> open_device();
  Result<> load();
  /// The outputs stay in the child's slot until the next run.
  Result<std::span<const std::byte>> run(const RunOrder &order, spec::PrecisionKind operands,
                                         const std::string &operand = {});
  /// The outputs with one operand rounded, for all operands but the last.
  Result<std::vector<std::vector<std::byte>>> run_alone(const RunOrder &order);
  Result<std::vector<correct::KeptTwin>> compared(std::size_t index, const RunOrder &order,
                                                  std::span<const std::byte> original);
  /// What the twin gives, one number for each of the original's.
  std::vector<std::vector<float>> exact_outputs(const RunOrder &order);
  void draw_more(std::size_t index, RunOrder order, std::vector<correct::KeptTwin> &kept,
                 const RunOriginal &run_original);
  /// What one rounding of the inputs does to the original's outputs, by buffer; empty where it did not run.
  struct Moved {
    std::vector<correct::CompareLimits> spread;
    std::vector<double> share;  ///< correct::moved_share
  };
  /// `scales` are the outputs' root mean squares, by buffer.
  Moved moved_by(std::size_t case_index, std::span<const double> scales, std::span<const std::byte> original,
                 std::span<const std::byte> outputs) const;
  bool believable(std::size_t index, const std::vector<correct::KeptTwin> &kept,
                  const std::function<const Moved &()> &moved);
  /// Patches of large equal numbers make nothing but rounding errors of what is taken from their mean, or
  /// where a sum passes through zero. How far the original's outputs move with its inputs shows that,
  /// whichever order it sums in.
  void widen_by(std::size_t index, std::vector<correct::KeptTwin> &kept,
                const std::function<const Moved &()> &moved) const;
  void note(const std::string &reason);
  bool fits(std::size_t case_index) const;

  const Engine &engine_;
  const model::Bundle &bundle_;
  const cases::Plan &plan_;
  const model::DeviceReport &device_;
  std::vector<cases::CaseLayout> layouts_;  ///< of the promoted parameters, by case
  std::filesystem::path library_;
  std::unique_ptr<ChildProcess> child_;
  std::string missing_;   ///< why there is no twin at all
  std::string left_out_;  ///< why some inputs have none
  std::size_t with_ = 0, without_ = 0;
  std::string disagreement_;
  std::set<std::size_t> rounds_often_;  ///< parameters of which some draw was not right to the last digit
  int restarts_ = 0;
};

}  // namespace cupilot::judge::engine
