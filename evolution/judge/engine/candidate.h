// SPDX-License-Identifier: Apache-2.0
//
// Judges one built candidate: correctness, then time and hardware counters. Orders go to the candidate's
// child process, the comparisons are made here, and the result is one verdict.

#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "evolution/judge/engine/child_process.h"
#include "evolution/judge/engine/reference.h"
#include "evolution/judge/tools/build.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::engine {

/// Cases beside those of the bundle, as a bundle of their own, and what the original gives on them.
struct FurtherCases {
  model::Bundle bundle;
  Reference reference;
};
class OriginalBeside;    // beside.h
class OriginalExcerpts;  // excerpt_check.h

/// What all candidates of a bundle share.
struct JudgeSetting {
  const model::Bundle &bundle;
  const Reference &reference;
  const tools::Built &original;
  bool estimates = false;                ///< Engine::estimates
  OriginalExcerpts *excerpts = nullptr;  ///< set if `estimates`
  /// What is needed to judge these cases. It is kept for the next candidate that asks.
  std::function<Result<const FurtherCases *>(const std::vector<model::Case> &)> further{};
  std::filesystem::path beside{};  ///< Engine::beside
  OriginalBeside *original_beside = nullptr;
};

/// Whether the gate of coverage is asked: a GPU cannot tell what is executed, so there it is left to
/// finalists, for which the emulated device is asked beside it. `estimates`: Engine::estimates.
inline bool looks_at_coverage(bool estimates, const model::Bundle &bundle) {
  return estimates || bundle.request.finalist;
}

/// Completes a verdict in which `candidate` and `build` are set. `child` has just been started and may still
/// be creating its context; the caller ends it afterwards. `before_timing` is called once. From then on no
/// other process may use the device, so a caller that creates contexts in parallel waits for them in this
/// call.
model::Verdict judge_candidate(const JudgeSetting &setting, model::Verdict verdict, const tools::Built &built,
                               ChildProcess &child, const std::function<void()> &before_timing);

}  // namespace cupilot::judge::engine
