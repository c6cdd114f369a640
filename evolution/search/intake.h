// SPDX-License-Identifier: Apache-2.0
//
// Receives the judge's events while a batch is judged. Each verdict is written to the run database before the
// search sees it. An error from this is kept until the judge returns.

#pragma once

#include <functional>
#include <set>
#include <string>

#include "evolution/search/batch_judge.h"
#include "evolution/search/tune.h"

namespace cupilot::search {

class Intake final : public judge::bundle::JudgeEvents {
public:
  using Taken = std::function<void(const model::Individual &, const model::Verdict &)>;
  /// `estimates`: only verdicts of the CPU executor are accepted; otherwise only verdicts of a GPU. All
  /// references must outlive the intake.
  Intake(const Batch &batch, const std::string &kernel, bool estimates, const TuneCollaborators &with,
         Taken taken)
      : batch_(batch), kernel_(kernel), estimates_(estimates), with_(with), taken_(std::move(taken)) {}

  void built(const std::string &candidate, double seconds) override;
  void waiting(const std::string &message) override;
  void verdict(const model::Verdict &verdict) override;

  bool complete() const { return seen_.size() == batch_.individuals.size(); }
  const Result<void> &problem() const { return problem_; }

private:
  Result<void> right_kind(const model::Verdict &verdict) const;

  const Batch &batch_;
  const std::string &kernel_;
  bool estimates_;
  const TuneCollaborators &with_;
  Taken taken_;
  std::set<std::string> seen_;
  Result<void> problem_;
};

}  // namespace cupilot::search
