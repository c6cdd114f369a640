// SPDX-License-Identifier: Apache-2.0
//
// One built candidate through correctness, time and profile: orders to its child, comparisons here, one
// verdict.

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

namespace cupilot {

/// What stays the same for all candidates of a bundle.
struct JudgeSetting {
  const Bundle &bundle;
  const Reference &reference;
  const Built &original;
  bool estimates = false;  ///< Engine::estimates
};

/// Takes a verdict that has `candidate` and `build` and completes it. `child` has just been started (its
/// context may still be in the making); what is left of it afterwards is the caller's to end. `before_timing`
/// is called once, when the device must be quiet from then on: whoever creates contexts beside this waits for
/// them there.
Verdict judge_candidate(const JudgeSetting &setting, Verdict verdict, const Built &built, ChildProcess &child,
                        const std::function<void()> &before_timing);

}  // namespace cupilot
