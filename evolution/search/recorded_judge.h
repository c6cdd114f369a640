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

namespace cupilot {

class RecordedJudge final : public BatchJudge {
public:
  /// `estimates` as for BundleJudge. The recording and the spec must outlive the judge.
  RecordedJudge(const Recording &recording, const KernelSpec &spec, bool estimates = false);
  /// A recording of another kernel is a caller's error.
  Result<std::vector<Verdict>> judge(const Batch &batch, JudgeEvents &events) override;
  Result<std::vector<Case>> cases(std::uint64_t seed, bool finalist) override;

private:
  Verdict verdict_about(const Individual &individual, std::uint64_t seed) const;

  const Recording &recording_;
  const KernelSpec &spec_;
  bool estimates_;
  std::map<std::pair<std::string, std::uint64_t>, const Verdict *> verdicts_;  ///< by variant and seed
  DeviceReport device_;
};

}  // namespace cupilot
