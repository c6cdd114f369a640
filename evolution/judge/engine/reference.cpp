// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/reference.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>

#include "annotate/support/log.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/correct/reference_checks.h"
#include "evolution/judge/correct/repeats.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/child_process.h"
#include "evolution/judge/engine/reference_twin.h"
#include "evolution/judge/engine/waiver.h"
#include "evolution/model/bundle_json.h"

namespace cupilot {

namespace {

constexpr std::uint64_t kMostExpectedBytes = 8ull << 30;
/// A relative difference between repeats that no change in the order of a sum explains.
constexpr double kGrossRepeat = 0.01;
/// How often the original may fail on runs that can be left out, before that is an error.
constexpr int kMostRestarts = 6;
/// With many outputs, one run on nudged inputs shows how far they move. With fewer bytes than this, one run
/// may by chance show too little, so several are made.
constexpr std::uint64_t kFewOutputBytes = 64 << 10;
constexpr int kNudgesOfFew = 4;
/// Number of launches on the same data, the first one included.
constexpr int kRunsOfOriginal = 5;
/// A block of a candidate counts as endless after this many times the original's instructions plus the
/// reserve.
constexpr std::uint64_t kInstructionSlack = 64, kInstructionReserve = 4 << 20;
/// Share of the time limit after which the emulated device ends a launch itself, so that its report arrives
/// before the parent ends the child.
constexpr double kOwnLimitShare = 0.8;

}  // namespace

RunOrder run_order(const PlannedInputs &inputs) {
  RunOrder order{.case_index = inputs.case_index};
  order.setting.family = inputs.family;
  order.setting.seed = inputs.seed;
  return order;
}

RunOrder run_order(const Bundle &bundle, const Plan &plan, const PlannedRun &run,
                   const std::vector<std::string> &waived) {
  const PlannedInputs &inputs = plan.inputs[run.inputs];
  RunOrder order = run_order(inputs);
  order.setting.placement = run.placement;
  order.setting.waived = waived;
  order.setting.seconds = kOwnLimitShare * bundle.request.run_seconds;
  order.setting.other_poison = run.other_poison;
  return order;
}

RunOrder estimate_order(const Bundle &bundle, std::size_t index, const std::vector<std::string> &waived) {
  RunOrder order{.case_index = index};
  order.setting.family = "user";
  order.setting.seed = derived_seed(data_seed(bundle.request), bundle.cases[index].id + "/estimate");
  order.setting.waived = waived;
  order.setting.seconds = kOwnLimitShare * bundle.request.run_seconds;
  return order;
}

std::uint64_t Reference::instruction_budget(std::size_t index) const {
  const std::uint64_t known = expected_[index].warp_instructions;
  return known ? kInstructionSlack * known + kInstructionReserve : 0;
}

std::uint64_t expected_budget_bytes() {
  std::ifstream file("/proc/meminfo");
  std::uint64_t free_kib = 0;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("MemAvailable:")) free_kib = std::strtoull(line.c_str() + 13, nullptr, 10);
  return std::min<std::uint64_t>(kMostExpectedBytes, free_kib * 1024 / 2);
}

/// The steps of Reference::make. The object keeps the progress, so that the work continues after a child is
/// restarted.
class ReferenceMaker {
public:
  ReferenceMaker(const Engine &engine, const Bundle &bundle, Plan plan)
      : engine_(engine), bundle_(bundle), twin_(engine, bundle, reference_.plan_, reference_.device_) {
    reference_.plan_ = std::move(plan);
    reference_.expected_.resize(reference_.plan_.inputs.size());
  }

  Result<Reference> make(const Reference::Library &library, const Reference::TwinLibrary &twin) {
    CUPILOT_CHECKED(connect());
    CUPILOT_CHECKED(describe_device());
    CUPILOT_CHECKED(check_device_memory());
    CUPILOT_TRY(built, library(reference_.plan_, reference_.device_));
    built_ = built;
    CUPILOT_CHECKED(load());
    if (bundle_.request.profile) CUPILOT_CHECKED(profile());
    twin_.start(twin());
    for (const PlannedRun &run : reference_.plan_.runs) CUPILOT_CHECKED(one_run(run));
    pool_twin();
    CUPILOT_CHECKED(believe_original());
    const auto kept = [&](std::size_t index) { return reference_.expected(index); };
    CUPILOT_CHECKED(compare_draws(bundle_, reference_.plan_, kept));
    note_idle_inputs(bundle_, reference_.plan_, kept);
    for (const std::size_t index : reference_.plan_.estimated) CUPILOT_CHECKED(estimate(index));
    for (const PlannedRun &run : done_)
      if (!left_out(run) && !run.reference_only) reference_.runs_.push_back(run);
    return std::move(reference_);
  }

private:
  Result<> start_child() {
    CUPILOT_CHECKED(connect());
    return load();
  }

  Result<> connect() {
    CUPILOT_TRY(child, ChildProcess::start(engine_, bundle_.architecture, reference_.plan_.dump_bytes));
    child_ = std::move(child);
    CUPILOT_TRY(ready, child_->receive(in_seconds(kStartSeconds)));
    CUPILOT_TRY(device, device_from_line(ready));
    if (reference_.device_.name.empty()) reference_.device_ = device;
    return {};
  }

  Result<> load() {
    Bundle shown = bundle_;
    shown.request.seed = shown.request.secret = 0;
    CUPILOT_CHECKED(ask({Order::What::setup, to_json(shown)}));
    return ask({Order::What::load, built_->library.string(), EntryRole::original});
  }

  Result<> ask(const Order &order) {
    CUPILOT_TRY(line, child_->ask(order, in_seconds(kStartSeconds)));
    return done_from_line(line);
  }

  Result<> describe_device() {
    if (!runs_on(bundle_.architecture, reference_.device_.architecture))
      return fail("the bundle is for " + bundle_.architecture + ", this device (" + reference_.device_.name +
                  ") is " + reference_.device_.architecture);
    Order order{Order::What::bandwidth};
    CUPILOT_TRY(line, child_->ask(order, in_seconds(kStartSeconds)));
    CUPILOT_TRY(device, device_from_line(line));
    reference_.device_ = device;
    return {};
  }

  Result<> check_device_memory() {
    const DeviceReport &device = reference_.device_;
    for (std::size_t c = 0; c < bundle_.cases.size(); ++c) {
      const std::uint64_t needed = device_bytes(reference_.plan_.layouts[c], device.l2_bytes);
      if (needed > device.memory_bytes)
        return fail("workload '" + bundle_.cases[c].workload + "' (case '" + bundle_.cases[c].id +
                    "') needs " + readable_bytes(needed) + " of device memory, " + device.name + " has " +
                    readable_bytes(device.memory_bytes));
    }
    return {};
  }

  /// If the profiler fails or ends the process, only the counters are missing; the bundle is still judged.
  Result<> profile() {
    for (const std::size_t index : reference_.plan_.timing) {
      const PlannedInputs &inputs = reference_.plan_.inputs[index];
      const auto [known, added] = reference_.profiles_.try_emplace(bundle_.cases[inputs.case_index].id);
      if (!added) continue;  // the same case with other data
      Profile &profile = known->second;
      profile.workload = bundle_.cases[inputs.case_index].workload;
      Order order{Order::What::profile};
      order.role = EntryRole::original;
      order.run = run_order(inputs);
      const auto line = child_->ask(order, in_seconds(kStartSeconds));
      auto counted = line ? profile_from_line(*line) : Result<Profile>(std::unexpected(line.error()));
      if (counted) {
        profile = std::move(*counted);
        continue;
      }
      profile.note = "no hardware counters: " + counted.error().message;
      CUPILOT_CHECKED(start_child());
    }
    return {};
  }

  bool left_out(const PlannedRun &run) const {
    return bad_inputs_.contains(run.inputs) ||
           bad_cases_.contains(reference_.plan_.inputs[run.inputs].case_index) ||
           (run.placement == Placement::misaligned && !misaligned_ok_) ||
           apart_.contains({run.inputs, run.placement});
  }

  Result<> one_run(const PlannedRun &run) {
    if (left_out(run)) return {};
    const auto begun = std::chrono::steady_clock::now();
    const PlannedInputs &inputs = reference_.plan_.inputs[run.inputs];
    const Result<std::string> problem = attempt(run, inputs);
    if (!problem) return std::unexpected(problem.error());
    if (!problem->empty()) return leave_out(run, inputs, *problem);
    done_.push_back(run);
    if (reference_.expected_[run.inputs].spread.empty()) {
      CUPILOT_CHECKED(measure_error(run, inputs));
      CUPILOT_CHECKED(repeat(run, inputs));
    }
    if (log::debug_on())
      log::debug("original on " + describe_run(bundle_, inputs.case_index, inputs.family, run.placement) +
                 ": " + std::to_string(seconds_since(begun)) + " s");
    return {};
  }

  /// Repeats the run on the user's own data: a non-deterministic original cannot serve as the reference. The
  /// emulated device is deterministic; another order of blocks (Placement::moved) serves there instead.
  Result<> repeat(const PlannedRun &run, const PlannedInputs &inputs) {
    const Case &which = bundle_.cases[inputs.case_index];
    if (engine_.estimates || inputs.family != "user" || !is_users_own(which) || run.reference_only) return {};
    const CaseLayout &layout = reference_.plan_.layouts[inputs.case_index];
    const Reference::Kept &kept = reference_.expected_[run.inputs];
    Repeats repeats{.runs = 1, .spread = {}, .differs = {}, .told = {}};
    for (int i = 1; i < kRunsOfOriginal; ++i) {
      Order order{Order::What::run};
      order.role = EntryRole::original;
      order.run = run_order(bundle_, reference_.plan_, run, reference_.waived_);
      CUPILOT_TRY(line, child_->ask(order, in_seconds(bundle_.request.run_seconds)));
      CUPILOT_TRY(report, run_from_line(line));
      const auto again = child_->slot(0).first(layout.dump_bytes);
      add_repeat(repeats, bundle_, layout, kept.outputs().bytes, again);
      const auto check = check_outputs(bundle_, layout, which.id, inputs.family, kept.outputs(), again);
      // Limits derived from runs that differ between repeats would be as wide as these differences.
      const bool gross = std::ranges::any_of(
          repeats.spread, [](const CompareLimits &spread) { return spread.rms > kGrossRepeat; });
      if (!check.wrong.empty() || gross || (bundle_.deterministic && !repeats.bitwise()))
        return user_error(undetermined(which, check.wrong.empty() ? repeats.told : check.wrong));
    }
    return {};
  }

  std::string undetermined(const Case &which, const std::string &difference) const {
    const std::string of = "the original is not deterministic on workload '" + which.workload +
                           "': two launches on the same data differ: " + difference;
    if (bundle_.deterministic)
      return of + "; the directive says deterministic: mend the kernel, or take the clause away";
    return of +
           "; mend the kernel (a race, or memory nobody wrote), or make outputs of what does not depend "
           "on the order of threads";
  }

  /// Measures how exact the original is on these inputs: by its distance to the twin, or else by how far its
  /// outputs move when the inputs are nudged.
  Result<> measure_error(const PlannedRun &run, const PlannedInputs &inputs) {
    Reference::Kept &kept = reference_.expected_[run.inputs];
    const auto order = run_order(bundle_, reference_.plan_, run, reference_.waived_);
    const auto run_original = [&](const RunOrder &other) { return outputs_of(other); };
    kept.twin = twin_.measure(run.inputs, order, kept.outputs().bytes, run_original);
    if (kept.twin.empty()) return measure_spread(run, inputs);
    kept.spread.resize(kept.twin.size());
    return {};
  }

  /// The original's outputs on other data; empty when that run fails.
  std::vector<std::byte> outputs_of(const RunOrder &run) {
    Order order{Order::What::run};
    order.role = EntryRole::original;
    order.run = run;
    const auto line = child_->ask(order, in_seconds(bundle_.request.run_seconds));
    const auto report = line ? run_from_line(*line) : Result<RunReport>(std::unexpected(line.error()));
    if (!report) {
      if (!start_child()) lost_child_ = true;
      return {};
    }
    if (report->declined || !report->faults.empty()) return {};
    const auto outputs = child_->slot(0).first(reference_.plan_.layouts[run.case_index].dump_bytes);
    return {outputs.begin(), outputs.end()};
  }

  void pool_twin() {
    std::map<std::size_t, std::vector<KeptTwin> *> measured;
    for (std::size_t i = 0; i < reference_.expected_.size(); ++i)
      if (!reference_.expected_[i].twin.empty()) measured[i] = &reference_.expected_[i].twin;
    twin_.pool(measured);
    reference_.oracle_ = twin_.oracle();
  }

  /// Once for each set of inputs; with few outputs, the widest of several runs. If a run on nudged inputs
  /// fails, the spread is not widened and the limits stay strict.
  Result<> measure_spread(const PlannedRun &run, const PlannedInputs &inputs) {
    const CaseLayout &layout = reference_.plan_.layouts[inputs.case_index];
    Reference::Kept &kept = reference_.expected_[run.inputs];
    kept.spread.resize(layout.buffers.size());
    const bool any_floating = std::ranges::any_of(layout.buffers, [](const PlacedBuffer &buffer) {
      return buffer.dumped() && is_floating(buffer.element.type);
    });
    if (!any_floating) return {};  // integers are compared exactly
    Order order{Order::What::run};
    order.role = EntryRole::original;
    order.run = run_order(bundle_, reference_.plan_, run, reference_.waived_);
    const bool probe = probe_of(inputs.family).has_value();
    const int last = layout.dump_bytes < kFewOutputBytes && !probe ? kNudgesOfFew : 1;
    for (order.run.setting.nudge = 1; order.run.setting.nudge <= last; ++order.run.setting.nudge) {
      const auto line = child_->ask(order, in_seconds(bundle_.request.run_seconds));
      const auto report = line ? run_from_line(*line) : Result<RunReport>(std::unexpected(line.error()));
      if (!report) return start_child();
      if (!report->declined)
        widen(kept.spread,
              output_spread(layout, kept.outputs().bytes, child_->slot(0).first(layout.dump_bytes)));
    }
    if (!rounds_operands(bundle_.precision)) return {};
    RunOrder rounded = run_order(bundle_, reference_.plan_, run, reference_.waived_);
    rounded.setting.operands = bundle_.precision.kind;
    if (const auto outputs = outputs_of(rounded); !outputs.empty())
      kept.change = output_spread(layout, kept.outputs().bytes, outputs);
    return {};
  }

  static void widen(std::vector<CompareLimits> &spread, const std::vector<CompareLimits> &seen) {
    for (std::size_t i = 0; i < spread.size(); ++i)
      spread[i] = {std::max(spread[i].rms, seen[i].rms), std::max(spread[i].max, seen[i].max)};
  }

  /// Runs the original once. Returns what is wrong with the original on this run; empty when nothing is.
  Result<std::string> attempt(const PlannedRun &run, const PlannedInputs &inputs) {
    Order order{Order::What::run};
    order.role = EntryRole::original;
    order.run = run_order(bundle_, reference_.plan_, run, reference_.waived_);
    const auto line = child_->ask(order, in_seconds(bundle_.request.run_seconds));
    const auto report = line ? run_from_line(*line) : Result<RunReport>(std::unexpected(line.error()));
    if (!report) {
      lost_child_ = true;
      return report.error().message;
    }
    if (waive(report->faults)) return attempt(run, inputs);
    if (!report->faults.empty()) return fault_of_original(child_->explain(report->faults.front()));
    if (report->declined) return std::string("the launch was refused (cudaErrorInvalidValue)");
    reference_.expected_[run.inputs].warp_instructions = report->warp_instructions;
    if (!report->stained.empty())
      return "it " + report->stained.front() + ": the extent in the workload is too small";
    if (!report->modified.empty())
      return "it changes '" + report->modified.front() +
             "', which the workload declares as in(...): use inout(...)";
    return keep_or_compare(run, inputs);
  }

  /// Switches off the checks that the original fails and the developer has waived. True when there was such a
  /// check.
  bool waive(const std::vector<Fault> &faults) {
    bool any = false;
    for (const Fault &fault : faults) {
      const bool vouched = std::ranges::find(bundle_.waived, fault.rule) != bundle_.waived.end();
      if (!fault.waivable || !vouched || is_waived(fault.rule)) continue;
      log::warning("in the original kernel: " + fault.text +
                   "; waived: candidates are judged without the check '" + fault.rule + "'");
      reference_.waived_.push_back(fault.rule);
      any = true;
    }
    return any;
  }

  bool is_waived(const std::string &rule) const {
    return std::ranges::find(reference_.waived_, rule) != reference_.waived_.end();
  }

  /// An original whose outputs are far from the same kernel in double precision cannot serve as the
  /// reference.
  Result<> believe_original() const {
    const bool vouched =
        std::ranges::find(bundle_.waived, std::string(kOriginalError)) != bundle_.waived.end();
    if (twin_.disagreement().empty() || vouched) return {};
    return user_error(
        "the original is numerically broken on its own data, or its numbers cannot be followed in "
        "double precision: " +
        twin_.disagreement() + "; mend the kernel, scale the inputs with fill(...), or say --waive " +
        kOriginalError + " to judge by the original as it is");
  }

  Result<> estimate(std::size_t index) {
    const Case &which = bundle_.cases[index];
    Order order{Order::What::estimate};
    order.role = EntryRole::original;
    order.run = estimate_order(bundle_, index, reference_.waived_);
    order.kernels = built_->kernels;
    const auto line = child_->ask(order, in_seconds(kEstimateRuns * bundle_.request.run_seconds));
    const auto report =
        line ? estimate_from_line(*line) : Result<EstimateReport>(std::unexpected(line.error()));
    if (!report)
      return fail("no estimate of the original on workload '" + which.workload +
                  "': " + report.error().message);
    if (!report->faults.empty())
      return fail("the original fails on workload '" + which.workload +
                  "': " + child_->explain(report->faults.front()).text);
    reference_.estimates_[index] = report->time;
    return {};
  }

  std::string keep_or_compare(const PlannedRun &run, const PlannedInputs &inputs) {
    const CaseLayout &layout = reference_.plan_.layouts[inputs.case_index];
    const auto outputs = child_->slot(0).first(layout.dump_bytes);
    Reference::Kept &kept = reference_.expected_[run.inputs];
    const Case &which = bundle_.cases[inputs.case_index];
    if (!kept.data) {
      kept.data = std::make_unique_for_overwrite<std::byte[]>(outputs.size());
      kept.size = outputs.size();
      copy_outputs(kept.data.get(), outputs);
      const auto nan =
          inputs.family == "user" && is_users_own(which) ? find_nan(bundle_, layout, outputs) : std::nullopt;
      return nan ? "it gives " + *nan + " on the workload's own data" : "";
    }
    if (run.other_poison) kept.unwritten = has_unwritten(layout, kept.outputs().bytes);
    const auto seen = run.other_poison && kept.unwritten
                          ? with_usual_poison(layout, kept.outputs().bytes, outputs)
                          : std::vector<std::byte>();
    const auto check = check_outputs(bundle_, layout, which.id, inputs.family, kept.outputs(),
                                     seen.empty() ? outputs : std::span<const std::byte>(seen));
    return check.wrong.empty() ? "" : differs_because(run) + check.wrong;
  }

  std::string differs_because(const PlannedRun &run) const {
    if (is_in_place(run.placement)) return "outputs differ from those in memory of their own: ";
    if (run.placement == Placement::moved && engine_.estimates)
      return "it is not deterministic, two runs on the same data differ (blocks in another order): ";
    if (run.placement == Placement::moved)
      return "its outputs depend on where buffers are or on what was in memory before (a read of an output, "
             "of scratch or beside a buffer that nobody wrote): ";
    return "it is not deterministic, two runs on the same data differ: ";
  }

  /// Removes a run from the plan. The judge added the neighbours, generated inputs, misaligned and shared
  /// buffers; only the user's workload on its own data has to work.
  Result<> leave_out(const PlannedRun &run, const PlannedInputs &inputs, const std::string &problem) {
    const Case &which = bundle_.cases[inputs.case_index];
    const std::string where = describe_run(bundle_, inputs.case_index, inputs.family, run.placement);
    if (run.placement == Placement::misaligned)
      misaligned_ok_ = false;
    else if (is_in_place(run.placement))
      apart_.insert({run.inputs, run.placement});
    else if (inputs.family != "user" && inputs.family != which.families.front())
      bad_inputs_.insert(run.inputs);
    else if (!is_users_own(which))
      bad_cases_.insert(inputs.case_index);
    else
      return user_error("the original fails on " + where + ": " + problem);
    // Most kernels do not work in place, so this is logged at debug level only.
    if (is_in_place(run.placement))
      log::debug("left out: the original does not take " + where + ": " + problem);
    else
      log::note("left out: the original does not take " + where + ": " + problem);
    if (!lost_child_) return {};
    lost_child_ = false;
    if (++restarts_ > kMostRestarts)
      return user_error("the original fails too often, last on " + where + ": " + problem);
    return start_child();
  }

  const Engine &engine_;
  const Bundle &bundle_;
  const Built *built_ = nullptr;
  Reference reference_;
  ReferenceTwin twin_;
  std::unique_ptr<ChildProcess> child_;
  std::vector<PlannedRun> done_;
  std::set<std::size_t> bad_inputs_, bad_cases_;
  std::set<std::pair<std::size_t, Placement>> apart_;  ///< runs in place that the original does not support
  bool misaligned_ok_ = true, lost_child_ = false;
  int restarts_ = 0;
};

Result<Reference> Reference::make(const Engine &engine, const Bundle &bundle, const Library &library,
                                  const TwinLibrary &twin, Plan plan) {
  return ReferenceMaker(engine, bundle, std::move(plan)).make(library, twin);
}

}  // namespace cupilot
