// SPDX-License-Identifier: Apache-2.0
//
// The judge as the search sees it: it takes a batch of individuals and returns a verdict for each. The
// program uses a bundle on an executor (bundle_judge.h); tests use a simulated landscape in memory.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/bundle/executor.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/model/bundle.h"
#include "evolution/model/individual.h"
#include "evolution/model/verdict.h"

namespace cupilot::search {

struct Batch {
  std::string id;
  std::filesystem::path folder;
  std::vector<model::Individual> individuals;
  std::uint64_t seed = 0;
  bool profile = false;
  bool finalist = false;  ///< JudgeRequest::finalist; the cases then include the hold-outs
};

class BatchJudge {
public:
  virtual ~BatchJudge() = default;
  /// Behaves like Executor::judge. Each verdict is reported through `events` as soon as it is known. After a
  /// stop some verdicts are missing. An error means that no candidate can be judged here.
  virtual Result<std::vector<model::Verdict>> judge(const Batch &batch,
                                                    judge::bundle::JudgeEvents &events) = 0;
  /// The cases on which a batch with this `finalist` flag is judged; `draw` is in every verdict.
  virtual Result<std::vector<model::Case>> cases(const judge::cases::Draw &draw, bool finalist) = 0;
};

}  // namespace cupilot::search
