// SPDX-License-Identifier: Apache-2.0
//
// Judges batches through bundles. Candidates that pass the static check are written to a bundle folder, which
// is given to the executor.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/search/batch_judge.h"

namespace cupilot::search {

class BundleJudge final : public BatchJudge {
public:
  /// `estimates`: the executor is the CPU, and the work is limited as described in evolution/judge/cases.
  BundleJudge(judge::bundle::Executor &executor, const spec::KernelSpec &spec, std::string architecture,
              bool estimates = false, std::vector<std::string> waived = {})
      : executor_(executor),
        spec_(spec),
        architecture_(std::move(architecture)),
        estimates_(estimates),
        waived_(std::move(waived)) {}
  Result<std::vector<model::Verdict>> judge(const Batch &batch, judge::bundle::JudgeEvents &events) override;
  Result<std::vector<model::Case>> cases(const judge::cases::Draw &draw, bool finalist) override;

private:
  judge::bundle::Executor &executor_;
  const spec::KernelSpec &spec_;
  std::string architecture_;
  bool estimates_;
  bool original_checked_ = false;
  std::vector<std::string> waived_;
};

}  // namespace cupilot::search
