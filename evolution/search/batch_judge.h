// SPDX-License-Identifier: Apache-2.0
//
// The judge as the search sees it: a batch of individuals in, a verdict for each out. In the program a bundle
// on an executor (bundle_judge.h), in tests a landscape in memory.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/bundle/executor.h"
#include "evolution/model/bundle.h"
#include "evolution/model/individual.h"
#include "evolution/model/verdict.h"

namespace cupilot {

struct Batch {
  std::string id;
  std::filesystem::path folder;
  std::vector<Individual> individuals;
  std::uint64_t seed = 0;
  bool profile = false;
  bool finalist = false;  ///< JudgeRequest::finalist, and hold-outs are among the cases
};

class BatchJudge {
public:
  virtual ~BatchJudge() = default;
  /// Same promises as Executor::judge: verdicts come through `events` as they are known, after a stop some
  /// are missing, an error means that nothing here can be judged.
  virtual Result<std::vector<Verdict>> judge(const Batch &batch, JudgeEvents &events) = 0;
  /// The cases a batch like this is judged on.
  virtual Result<std::vector<Case>> cases(std::uint64_t seed, bool finalist) = 0;
};

}  // namespace cupilot
