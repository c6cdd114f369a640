// SPDX-License-Identifier: Apache-2.0
//
// A judge that takes its verdicts from a recording, so that a search can be replayed without the machine it
// was judged on. A candidate without a verdict in the recording is `not_evaluated`, with that reason.

#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/provider/recording.h"
#include "evolution/search/batch_judge.h"

namespace cupilot::search {

class RecordedJudge final : public BatchJudge {
public:
  /// `estimates` as for BundleJudge. The recording and the spec must outlive the judge.
  RecordedJudge(const provider::Recording &recording, const spec::KernelSpec &spec, bool estimates = false);
  /// A recording of another kernel is a caller's error.
  Result<std::vector<model::Verdict>> judge(const Batch &batch, judge::bundle::JudgeEvents &events) override;
  Result<std::vector<model::Case>> cases(const judge::cases::Draw &draw, bool finalist) override;

private:
  model::Verdict verdict_about(const model::Individual &individual, std::uint64_t seed) const;

  const provider::Recording &recording_;
  const spec::KernelSpec &spec_;
  bool estimates_;
  std::map<std::pair<std::string, std::uint64_t>, const model::Verdict *> verdicts_;  ///< by variant and seed
  model::DeviceReport device_;
};

}  // namespace cupilot::search
