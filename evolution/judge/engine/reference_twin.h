// SPDX-License-Identifier: Apache-2.0
//
// The twin's part of the reference: a child of its own runs it on everything the original was run on, and the
// distance between the two is kept. A twin that does not build, run or fit, or that disagrees with the
// original so much that one of them must be wrong, is no error: those inputs are judged against the original,
// and a note says why.

#pragma once

#include <functional>
#include <map>
#include <memory>
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

namespace cupilot {

class ReferenceTwin {
public:
  /// The plan outlives this.
  ReferenceTwin(const Engine &engine, const Bundle &bundle, const Plan &plan, const DeviceReport &device);

  /// `built` is null where the bundle has no twin.
  void start(const Result<Built> *built);

  /// The original on other data: its outputs, empty when it could not be run.
  using RunOriginal = std::function<std::vector<std::byte>(const RunOrder &)>;
  /// Runs the twin as `order` says, for Plan::inputs[index]: one a buffer of the layout, empty ones for what
  /// is no floating output. Nothing when the original must rule.
  std::vector<KeptTwin> measure(std::size_t index, const RunOrder &order, std::span<const std::byte> original,
                                const RunOriginal &run_original);
  /// After all runs, by index: what was measured on few numbers is measured on those of all cases together.
  void pool(const std::map<std::size_t, std::vector<KeptTwin> *> &measured);

  /// Verdict::oracle.
  std::string oracle() const;
  /// The original is far from the twin on the user's own data, and its roundings are why. With figures.
  const std::string &disagreement() const { return disagreement_; }

private:
  Result<> connect();
  /// The outputs stand in the child's slot until the next run.
  Result<std::span<const std::byte>> run(const RunOrder &order, PrecisionKind operands);
  Result<std::vector<KeptTwin>> compared(std::size_t index, const RunOrder &order,
                                         std::span<const std::byte> original);
  void draw_more(std::size_t index, RunOrder order, std::vector<KeptTwin> &kept,
                 const RunOriginal &run_original);
  bool believable(std::size_t index, const std::vector<KeptTwin> &kept,
                  const std::function<std::vector<CompareLimits>()> &spread);
  void note(const std::string &reason);
  bool fits(std::size_t case_index) const;

  const Engine &engine_;
  const Bundle &bundle_;
  const Plan &plan_;
  const DeviceReport &device_;
  std::vector<CaseLayout> layouts_;  ///< promoted, by case
  std::filesystem::path library_;
  std::unique_ptr<ChildProcess> child_;
  std::string missing_;   ///< why there is no twin at all
  std::string left_out_;  ///< why some inputs have none
  std::size_t with_ = 0, without_ = 0;
  std::string disagreement_;
  int restarts_ = 0;
};

}  // namespace cupilot
