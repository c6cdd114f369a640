// SPDX-License-Identifier: Apache-2.0
//
// One candidate on its way through the stages: the verdict so far, the child that runs it, and the ways a
// stage can end. Each stage is one function of stages.h over this.

#pragma once

#include <string>
#include <vector>

#include "evolution/judge/cases/plan.h"
#include "evolution/judge/engine/candidate.h"
#include "evolution/judge/engine/child_process.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/judge/engine/reference.h"
#include "evolution/judge/screen/binary_screen.h"
#include "evolution/judge/tools/build.h"
#include "evolution/model/verdict.h"

namespace cupilot {

std::string microseconds(double value);

class Judging {
public:
  Judging(const JudgeSetting &of, Verdict begun, const Built &built, ChildProcess &running)
      : setting(of),
        bundle(of.bundle),
        reference(of.reference),
        kernels(built.kernels),
        verdict(std::move(begun)),
        child(running) {}

  /// All of these are false, so that steps can `return decide(...)`.
  bool decide(VerdictKind kind, const std::string &reason);
  /// A rejected time stays as evidence, but nobody may take its ratio for a speedup.
  bool reject_time(const std::string &reason);
  /// The child failed or ended while doing `what`.
  bool lost(const std::string &what, const std::string &message);
  /// What the checks of the emulated device found: the first fault decides, all of that kind are told.
  bool decide_by(std::vector<Fault> faults, const std::string &where);

  /// True when the child answered "done".
  bool ask_done(const Order &order, const std::string &what);
  /// Keeps the largest error of each output, by the share of its limit.
  void remember(const OutputError &error);

  const JudgeSetting &setting;
  const Bundle &bundle;
  const Reference &reference;
  const std::vector<KernelResources> &kernels;
  Verdict verdict;
  ChildProcess &child;
  InstructionClasses classes;  ///< what the original's code has not, by stage "screen"
};

}  // namespace cupilot
