// SPDX-License-Identifier: Apache-2.0
//
// State of one candidate on its way through the stages: the verdict so far, the child that runs it, and the
// ways in which a stage can end. Each stage is a function of stages.h that takes this object.

#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/cases/plan.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/engine/candidate.h"
#include "evolution/judge/engine/child_process.h"
#include "evolution/judge/engine/excerpt_answer.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/judge/engine/reference.h"
#include "evolution/judge/screen/binary_screen.h"
#include "evolution/judge/tools/build.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::engine {

std::string microseconds(double value);

class Judging {
public:
  Judging(const JudgeSetting &of, model::Verdict begun, const tools::Built &built, ChildProcess &running)
      : setting(of),
        bundle(of.bundle),
        reference(of.reference),
        kernels(built.kernels),
        host(built.host),
        verdict(std::move(begun)),
        child(running) {}

  /// These functions set the verdict and always return false, so that a step can `return decide(...)`.
  bool decide(model::VerdictKind kind, const std::string &reason);
  /// Rejects the candidate because of its last measurement. The samples stay as evidence; the speedup is
  /// cleared, so that it cannot be used.
  bool reject_time(const std::string &reason);
  /// The child failed or ended while doing `what`.
  bool lost(const std::string &what, const std::string &message);
  /// Decides by the faults that a checked run found. The first fault sets the kind; all faults of that kind
  /// are reported.
  bool decide_by(std::vector<launches::Fault> faults, const std::string &where);

  /// True when the child answered "done".
  bool ask_done(const Order &order, const std::string &what);
  /// What these outputs must be. `flushed`: RunReport::flushed of the candidate's run.
  correct::ExpectedOutputs expected(const Reference &of, std::size_t inputs, std::uint64_t flushed);
  /// Compares the outputs of one of the runs of `known`, which are runs of the cases of `of`.
  correct::OutputCheck check(const model::Bundle &of, const Reference &known, const cases::PlannedRun &run,
                             std::uint64_t flushed, std::span<const std::byte> outputs);
  /// Keeps the largest error of each output, measured as a share of its limit.
  void remember(const model::OutputError &error);

  const JudgeSetting &setting;
  const model::Bundle &bundle;
  const Reference &reference;
  const std::vector<launches::KernelResources> &kernels;
  const tools::Built::TracedHost &host;
  model::Verdict verdict;
  ChildProcess &child;
  screen::InstructionClasses classes;  ///< that the original's code does not use; set by stage "screen"
  screen::FlushingCode flushing;       ///< set by stage "screen"
  double flushing_allowed = 0;         ///< largest deviation that flushing was allowed to explain
  std::vector<std::string> impatient;  ///< CodeScreen::impatient, likewise
  std::map<std::size_t, ExcerptAnswer> at_full_size;  ///< by case index
};

}  // namespace cupilot::judge::engine
