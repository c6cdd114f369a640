// SPDX-License-Identifier: Apache-2.0
//
// Judges one built candidate: correctness, then time and hardware counters. Orders go to the candidate's
// child process, the comparisons are made here, and the result is one verdict.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "evolution/judge/engine/child_process.h"
#include "evolution/judge/engine/reference.h"
#include "evolution/judge/tools/build.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::engine {

/// What all candidates of a bundle share.
struct JudgeSetting {
  const model::Bundle &bundle;
  const Reference &reference;
  const tools::Built &original;
  bool estimates = false;  ///< Engine::estimates
};

/// Completes a verdict in which `candidate` and `build` are set. `child` has just been started and may still
/// be creating its context; the caller ends it afterwards. `before_timing` is called once. From then on no
/// other process may use the device, so a caller that creates contexts in parallel waits for them in this
/// call.
model::Verdict judge_candidate(const JudgeSetting &setting, model::Verdict verdict, const tools::Built &built,
                               ChildProcess &child, const std::function<void()> &before_timing);

}  // namespace cupilot::judge::engine
