// SPDX-License-Identifier: Apache-2.0
//
// Two runs overlap: while the child executes one, the parent compares the outputs of the run before.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/run_orders.h"
#include "evolution/judge/engine/stages.h"
#include "evolution/model/bundle_json.h"

namespace cupilot::judge::engine {

namespace {

class CorrectStage {
public:
  explicit CorrectStage(Judging &judging) : judging_(judging) {}

  bool prepare(const std::filesystem::path &library) {
    const auto ready = judging_.child.receive(in_seconds(kStartSeconds));
    if (!ready) return judging_.lost("start", ready.error().message);
    judging_.child.watch_processes();
    model::Bundle shown = judging_.bundle;
    shown.request.seed = shown.request.secret = 0;  // the child learns the inputs one run at a time
    return judging_.ask_done({Order::What::setup, model::to_json(shown)}, "setting up") &&
           judging_.ask_done(load_order(library), "loading");
  }

  bool verify() {
    const auto runs = cases::shuffled(
        judging_.reference.plan(), judging_.reference.runs(), judging_.bundle,
        data::derived_seed(cases::data_seed(judging_.bundle.request), "runs/" + judging_.verdict.candidate));
    const auto deadline = in_seconds(judging_.bundle.request.run_seconds);
    if (!runs.empty()) (void)judging_.child.send(order_for(runs[0], 0));
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i + 1 < runs.size()) (void)judging_.child.send(order_for(runs[i + 1], i + 1));
      const cases::PlannedInputs &inputs = judging_.reference.plan().inputs[runs[i].inputs];
      const std::string where =
          correct::describe_run(judging_.bundle, inputs.case_index, inputs.family, runs[i].placement);
      const auto line = judging_.child.receive(deadline);
      if (!line) return judging_.lost(where, line.error().message);
      const auto report = run_from_line(*line);
      if (!report) return judging_.lost(where, report.error().message);
      if (!accept(*report, runs[i], inputs, where, static_cast<int>(i % 2))) return false;
    }
    if (const std::string forbidden = judging_.child.forbidden_now(); !forbidden.empty())
      return judging_.decide(model::VerdictKind::rejected, forbidden);
    if (!declined_stand_in_.empty()) return decide_declined();
    list_passed_cases();
    return true;
  }

private:
  /// A candidate must launch kernels of its own: those of the original are named as forbidden.
  Order load_order(const std::filesystem::path &library) const {
    Order order{Order::What::load, library.string(), EntryRole::candidate};
    order.kernels = judging_.setting.original.kernels;
    return order;
  }

  Order order_for(const cases::PlannedRun &run, std::size_t number) const {
    Order order{Order::What::run};
    order.run = run_order(judging_.bundle, judging_.reference.plan(), run, judging_.reference.waived());
    order.run.setting.instruction_budget = judging_.reference.instruction_budget(run.inputs);
    order.run.slot = static_cast<int>(number % 2);
    return order;
  }

  bool accept(const launches::RunReport &report, const cases::PlannedRun &run,
              const cases::PlannedInputs &inputs, const std::string &where, int slot) {
    const model::Case &which = judging_.bundle.cases[inputs.case_index];
    judging_.verdict.scratch_bytes = std::max(judging_.verdict.scratch_bytes, report.scratch_bytes);
    if (!report.faults.empty()) return judging_.decide_by(report.faults, where);
    if (!report.stained.empty())
      return judging_.decide(model::VerdictKind::wrong,
                             fmt::format("{} on {}", report.stained.front(), where));
    if (!report.modified.empty())
      return judging_.decide(model::VerdictKind::wrong, fmt::format("changes the read-only input '{}' on {}",
                                                                    report.modified.front(), where));
    if (report.declined) {
      if (cases::is_misaligned(run.placement) || cases::is_in_place(run.placement)) return true;
      declined_.insert(inputs.case_index);
      if (stands_in(which)) declined_stand_in_ = fmt::format("{} ({})", where, which.shrunk);
      if (!which.timed) return true;
      return judging_.decide(
          model::VerdictKind::rejected,
          fmt::format("declines {}: launch() returned false for a workload it is made for", where));
    }
    const cases::CaseLayout &layout = judging_.reference.plan().layouts[inputs.case_index];
    const correct::ExpectedOutputs expected = judging_.reference.expected(run.inputs);
    const bool patched = run.other_poison && judging_.reference.leaves_unwritten(run.inputs);
    const auto outputs = judging_.child.slot(slot).first(layout.dump_bytes);
    const auto usual =
        patched ? correct::with_usual_poison(layout, expected.bytes, outputs) : std::vector<std::byte>();
    const auto check = correct::check_outputs(judging_.bundle, layout, which.id, inputs.family, expected,
                                              patched ? std::span<const std::byte>(usual) : outputs);
    if (check.wrong.empty()) {
      for (const model::OutputError &error : check.errors) judging_.remember(error);
      std::string &strict = judging_.verdict.strict;
      if (strict.empty() && !check.strict.empty())
        strict = fmt::format("would fail precision(same): {}; on {}", check.strict, where);
      return true;
    }
    judging_.verdict.errors = check.errors;
    return judging_.decide(model::VerdictKind::wrong,
                           fmt::format("{}; on {}", explained(check, run, inputs), where));
  }

  /// Adds what the kind of run says about the cause.
  std::string explained(const correct::OutputCheck &check, const cases::PlannedRun &run,
                        const cases::PlannedInputs &inputs) const {
    if (const auto probe = data::probe_of(inputs.family))
      return fmt::format(
          "{} does not influence '{}' as it does in the original: some of this input is not read, or not "
          "used; {}",
          data::describe_region(*probe), check.errors.front().parameter, check.wrong);
    if (cases::is_in_place(run.placement))
      return "gives another result where an output is in the memory of an input, which the original allows "
             "(no __restrict__): read everything before writing, or decline when the two pointers are "
             "equal; " +
             check.wrong;
    return check.wrong;
  }

  /// True when a timed workload is verified on this smaller case only.
  bool stands_in(const model::Case &which) const {
    return !which.shrunk.empty() && std::ranges::any_of(judging_.bundle.cases, [&](const model::Case &other) {
      return other.workload == which.workload && other.timed;
    });
  }

  void list_passed_cases() {
    std::set<std::size_t> seen;
    for (const cases::PlannedRun &run : judging_.reference.runs())
      seen.insert(judging_.reference.plan().inputs[run.inputs].case_index);
    for (const std::size_t index : seen) {
      const model::Case &which = judging_.bundle.cases[index];
      if (declined_.contains(index)) continue;
      judging_.verdict.cases_passed.push_back(which.id);
      if (!which.shrunk.empty())
        judging_.verdict.limits.push_back(fmt::format("{} verified at {}", which.workload, which.shrunk));
    }
  }

  /// For a candidate that declines the smaller case. If it also declines the workload itself, the estimate
  /// rejects it; otherwise the CPU cannot verify it.
  bool decide_declined() {
    if (!estimate_candidate(judging_)) return false;
    judging_.verdict.estimates.clear();
    judging_.verdict.cases_passed.clear();
    return judging_.decide(
        model::VerdictKind::not_evaluated,
        fmt::format("declines {}, and the workload itself is too large to be verified on the CPU",
                    declined_stand_in_));
  }

  Judging &judging_;
  std::set<std::size_t> declined_;
  std::string declined_stand_in_;
};

}  // namespace

bool verify_candidate(Judging &judging, const std::filesystem::path &library) {
  CorrectStage stage(judging);
  return stage.prepare(library) && stage.verify();
}

}  // namespace cupilot::judge::engine
