// SPDX-License-Identifier: Apache-2.0
//
// Two runs overlap: while the child executes one, the parent compares the outputs of the run before.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "evolution/judge/correct/flushing.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/beside.h"
#include "evolution/judge/engine/run_orders.h"
#include "evolution/judge/engine/stages.h"
#include "evolution/judge/launches/launch_check.h"

namespace cupilot::judge::engine {

namespace {

class CorrectStage {
public:
  CorrectStage(Judging &judging, const model::Bundle &bundle, const Reference &reference)
      : judging_(judging), bundle_(bundle), reference_(reference) {}

  bool prepare(const std::filesystem::path &library) {
    const auto ready = judging_.child.receive(in_seconds(kStartSeconds));
    if (!ready) return judging_.lost("start", ready.error().message);
    judging_.child.watch_processes();
    return set_up() && judging_.ask_done(load_order(library), "loading");
  }

  bool set_up() { return judging_.ask_done(setup_order(bundle_), "setting up"); }

  bool verify() {
    const auto runs = cases::shuffled(
        reference_.plan(), reference_.runs(), bundle_,
        data::derived_seed(cases::data_seed(bundle_.request), "runs/" + judging_.verdict.candidate));
    if (!run_all(runs)) return false;
    if (const std::string forbidden = judging_.child.forbidden_now(); !forbidden.empty())
      return judging_.decide(model::VerdictKind::rejected, forbidden);
    if (!declined_stand_in_.empty()) return decide_declined();
    list_passed_cases();
    return true;
  }

private:
  /// The child runs the next one while the last one's outputs are compared.
  bool run_all(const std::vector<cases::PlannedRun> &runs) {
    const auto turn = judging_.child.turn_beside();
    const auto deadline = in_seconds(bundle_.request.run_seconds);
    if (!runs.empty()) (void)judging_.child.send(order_for(runs[0], 0));
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i + 1 < runs.size()) (void)judging_.child.send(order_for(runs[i + 1], i + 1));
      const cases::PlannedInputs &inputs = reference_.plan().inputs[runs[i].inputs];
      const std::string where =
          correct::describe_run(bundle_, inputs.case_index, inputs.family, runs[i].placement, runs[i].shifts);
      const auto line = judging_.child.receive(deadline);
      if (!line) return judging_.lost(where, line.error().message);
      const auto report = run_from_line(*line);
      if (!report) return judging_.lost(where, report.error().message);
      if (!accept(*report, runs[i], inputs, where, static_cast<int>(i % 2))) return false;
    }
    return true;
  }

  /// A candidate must launch kernels of its own: those of the original are named as forbidden.
  Order load_order(const std::filesystem::path &library) const {
    Order order{Order::What::load, library.string(), EntryRole::candidate};
    order.kernels = judging_.setting.original.kernels;
    order.traced = judging_.host.library.string();
    order.impatient = judging_.impatient;
    return order;
  }

  Order order_for(const cases::PlannedRun &run, std::size_t number) const {
    Order order{Order::What::run};
    order.run = run_order(bundle_, reference_.plan(), run, reference_.waived());
    order.run.setting.instruction_budget = reference_.instruction_budget(run.inputs);
    order.run.slot = static_cast<int>(number % 2);
    order.run.setting.covered = true;
    return order;
  }

  bool accept(const launches::RunReport &report, const cases::PlannedRun &run,
              const cases::PlannedInputs &inputs, const std::string &where, int slot) {
    const model::Case &which = bundle_.cases[inputs.case_index];
    judging_.verdict.scratch_bytes = std::max(judging_.verdict.scratch_bytes, report.scratch_bytes);
    if (!report.faults.empty()) return judging_.decide_by(report.faults, where);
    if (!report.stained.empty())
      return judging_.decide(model::VerdictKind::wrong,
                             fmt::format("{} on {}", report.stained.front(), where));
    if (!report.modified.empty())
      return judging_.decide(model::VerdictKind::wrong, fmt::format("changes the read-only input '{}' on {}",
                                                                    report.modified.front(), where));
    for (const std::string &symbol : report.changed)
      if (!judging_.reference.changes(symbol))
        return judging_.decide_by({launches::changes_a_constant(symbol)}, where);
    if (report.declined) {
      if (cases::is_misaligned(run.placement) || cases::is_in_place(run.placement)) return true;
      declined_.insert(inputs.case_index);
      if (stands_in(which)) declined_stand_in_ = fmt::format("{} ({})", where, which.shrunk);
      if (!which.timed) return true;
      return judging_.decide(
          model::VerdictKind::rejected,
          fmt::format("declines {}: launch() returned false for a workload it is made for", where));
    }
    const auto outputs =
        judging_.child.slot(slot).first(reference_.plan().layouts[inputs.case_index].dump_bytes);
    const auto check = judging_.check(bundle_, reference_, run, report.flushed, outputs);
    if (check.wrong.empty()) {
      for (const model::OutputError &error : check.errors) judging_.remember(error);
      std::string &strict = judging_.verdict.strict;
      if (strict.empty() && !check.strict.empty())
        strict = fmt::format("would fail precision(same): {}; on {}", check.strict, where);
      return true;
    }
    if (is_luck(run)) return true;
    judging_.verdict.errors = check.errors;
    return judging_.decide(model::VerdictKind::wrong,
                           fmt::format("{}; on {}", explained(check, run, inputs), where));
  }

  /// Where the original races with itself, as it may in place, or takes what nobody has written for the work
  /// of other blocks, as it may where tickets are no zeros, a GPU may give the right result all the same.
  bool is_luck(const cases::PlannedRun &run) const {
    const JudgeSetting &setting = judging_.setting;
    const std::size_t which = reference_.plan().inputs[run.inputs].case_index;
    const bool refilled = std::ranges::any_of(bundle_.cases[which].buffers, &model::CaseBuffer::refilled);
    const bool may_be = cases::is_in_place(run.placement) || refilled;
    if (setting.estimates || !may_be || !setting.original_beside) return false;
    const Order order = beside_order(bundle_, reference_.plan(), run, reference_.waived());
    return setting.original_beside->fails_on(bundle_, order);
  }

  /// Adds what the kind of run says about the cause.
  std::string explained(const correct::OutputCheck &check, const cases::PlannedRun &run,
                        const cases::PlannedInputs &inputs) const {
    if (const auto probe = data::probe_of(inputs.family))
      return fmt::format(
          "{} does not influence '{}' as it does in the original: some of this input is not read, or not "
          "used; {}",
          data::describe_region(*probe), check.errors.front().parameter, check.wrong);
    for (const model::CaseBuffer &buffer : bundle_.cases[inputs.case_index].buffers) {
      if (!buffer.same_as.empty() && buffer.role == spec::BufferRole::in)
        return fmt::format("gives another result where '{}' {} '{}', as a program may call it; {}",
                           buffer.parameter, buffer.begins ? "begins within" : "is the same buffer as",
                           buffer.same_as, check.wrong);
      if (buffer.refilled)
        return fmt::format(
            "gives another result where '{}', which is inout, does not hold what the workload fills it "
            "with: its content counts; {}",
            buffer.parameter, check.wrong);
    }
    if (cases::is_in_place(run.placement))
      return "gives another result where an output is in the memory of an input, which the original allows "
             "(no __restrict__): read everything before writing, or decline when the two pointers are "
             "equal; " +
             check.wrong;
    if (data::has_non_finite(inputs.family)) return check.wrong + finite_instead(inputs);
    return check.wrong;
  }

  /// The way out where NaN and infinities never occur.
  std::string finite_instead(const cases::PlannedInputs &inputs) const {
    for (const model::CaseBuffer &buffer : bundle_.cases[inputs.case_index].buffers) {
      const auto parameter = std::ranges::find(bundle_.parameters, buffer.parameter, &spec::Parameter::name);
      const bool read = buffer.role == spec::BufferRole::in || buffer.role == spec::BufferRole::inout;
      if (read && !buffer.finite && parameter != bundle_.parameters.end() &&
          data::family_changes(inputs.family, buffer.fill, parameter->element))
        return fmt::format(
            "; these inputs hold NaN or infinities: where '{0}' never does, the pragma may say "
            "assume(finite({0}))",
            buffer.parameter);
    }
    return "";
  }

  /// True when a timed workload is verified on this smaller case only.
  bool stands_in(const model::Case &which) const {
    return !which.shrunk.empty() && std::ranges::any_of(bundle_.cases, [&](const model::Case &other) {
      return other.workload == which.workload && other.timed;
    });
  }

  /// What the pragma promises of data, once for each buffer.
  void list_promises() {
    for (const model::CaseBuffer &buffer : bundle_.cases.front().buffers) {
      if (!buffer.finite) continue;
      const std::string text =
          buffer.range.size() == 2
              ? fmt::format("range({}, {:g}, {:g})", buffer.parameter, buffer.range[0], buffer.range[1])
              : fmt::format("finite({})", buffer.parameter);
      judging_.verdict.limits.push_back(fmt::format(
          "{} is a promise of the pragma: no other data were tried, and no launch is tested for it", text));
    }
  }

  void list_passed_cases() {
    if (!bundle_.cases.empty()) list_promises();
    if (judging_.flushing_allowed > 0)
      judging_.verdict.limits.push_back(correct::flushing_text(judging_.flushing_allowed));
    std::set<std::size_t> seen;
    for (const cases::PlannedRun &run : reference_.runs())
      seen.insert(reference_.plan().inputs[run.inputs].case_index);
    for (const std::size_t index : seen) {
      const model::Case &which = bundle_.cases[index];
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
  const model::Bundle &bundle_;
  const Reference &reference_;
  std::set<std::size_t> declined_;
  std::string declined_stand_in_;
};

}  // namespace

bool verify_candidate(Judging &judging, const std::filesystem::path &library) {
  CorrectStage stage(judging, judging.bundle, judging.reference);
  return stage.prepare(library) && stage.verify();
}

bool verify_further(Judging &judging, const FurtherCases &further) {
  CorrectStage stage(judging, further.bundle, further.reference);
  return stage.set_up() && stage.verify() &&
         CorrectStage(judging, judging.bundle, judging.reference).set_up();
}

}  // namespace cupilot::judge::engine
