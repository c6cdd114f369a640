// SPDX-License-Identifier: Apache-2.0
//
// The child process that runs the original kernel. It can be started again after the original has ended it,
// and then has the same bundle and the same build.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/engine/child_process.h"
#include "evolution/judge/engine/engine.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/judge/tools/build.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::engine {

class OriginalProcess {
public:
  /// All arguments must outlive this object.
  OriginalProcess(const Engine &engine, const model::Bundle &bundle, const cases::Plan &plan)
      : engine_(engine), bundle_(bundle), plan_(plan) {}

  /// Starts the child and returns what it says of its device.
  Result<model::DeviceReport> connect();
  /// The device's description with its measured bandwidth.
  Result<model::DeviceReport> measure_bandwidth();
  /// `built` must outlive this object.
  Result<> load(const tools::Built &built);
  /// Replaces the child by a new one with the same build.
  Result<> restart();
  /// Whether the last run failed and no new child has been started since.
  bool lost() const { return lost_; }

  /// Runs the original. After an error the child is lost.
  Result<launches::RunReport> run(const RunOrder &order);
  /// The outputs of the last run; valid until the next one.
  std::span<const std::byte> outputs(std::size_t case_index) const;
  /// Runs the original on other data and returns its outputs. Empty when that run fails; a lost child has
  /// then been started again, if it does start.
  std::vector<std::byte> outputs_of(const RunOrder &order);
  Result<model::Profile> profile(const RunOrder &order);
  Result<launches::EstimateReport> estimate(const RunOrder &order);
  Result<launches::Excerpt> excerpt(const RunOrder &order, const std::vector<launches::Piece> &wanted);
  /// The values of the last excerpt; valid until the next run.
  std::span<const std::byte> excerpt_values(const launches::Excerpt &excerpt) const;
  /// ChildProcess::explain().
  launches::Fault explain(const launches::Fault &fault) { return child_->explain(fault); }

private:
  Result<> load_again();

  const Engine &engine_;
  const model::Bundle &bundle_;
  const cases::Plan &plan_;
  const tools::Built *built_ = nullptr;
  std::unique_ptr<ChildProcess> child_;
  bool lost_ = false;
};

}  // namespace cupilot::judge::engine
