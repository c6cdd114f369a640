// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "annotate/support/log.h"
#include "evolution/judge/correct/flushing.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/correct/reference_checks.h"
#include "evolution/judge/engine/left_out.h"
#include "evolution/judge/engine/original_figures.h"
#include "evolution/judge/engine/original_process.h"
#include "evolution/judge/engine/original_variation.h"
#include "evolution/judge/engine/reference_twin.h"
#include "evolution/judge/engine/run_orders.h"
#include "evolution/judge/engine/waiver.h"
#include "evolution/judge/screen/binary_screen.h"

namespace cupilot::judge::engine {

namespace {

constexpr std::uint64_t kMostExpectedBytes = 32ull << 30;
/// How often the original may fail on runs that can be left out, before that is an error.
constexpr int kMostRestarts = 9;
/// A block of a candidate counts as endless after this many times the original's instructions plus the
/// reserve.
constexpr std::uint64_t kInstructionSlack = 64, kInstructionReserve = 4 << 20;

/// Two runs of the original are compared, and each has flushed numbers.
constexpr std::uint64_t kOwnRuns = 2;

/// An error names the first workload that does not fit onto the device.
Result<> check_device_memory(const model::Bundle &bundle, const cases::Plan &plan,
                             const model::DeviceReport &device) {
  for (std::size_t c = 0; c < bundle.cases.size(); ++c) {
    const std::uint64_t needed = cases::device_bytes(plan.layouts[c], device.l2_bytes);
    if (needed > device.memory_bytes)
      return fail(fmt::format(
          "workload '{}' (case '{}') needs {} of device memory, but {} has only {}; use a smaller workload",
          bundle.cases[c].workload, bundle.cases[c].id, cases::readable_bytes(needed), device.name,
          cases::readable_bytes(device.memory_bytes)));
  }
  return {};
}

}  // namespace

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

correct::NeededBytes Reference::needed_bytes(std::size_t case_index) const {
  const auto known = needed_bytes_.find(case_index);
  if (known != needed_bytes_.end()) return known->second;
  const cases::CaseLayout &layout = plan_.layouts[case_index];
  return {static_cast<double>(layout.read_bytes), static_cast<double>(layout.written_bytes)};
}

/// The steps of Reference::make. The object keeps the progress, so that the work continues after a child is
/// restarted.
class ReferenceMaker {
public:
  ReferenceMaker(const Engine &engine, const model::Bundle &bundle, cases::Plan plan)
      : engine_(engine),
        bundle_(bundle),
        twin_(engine, bundle, reference_.plan_, reference_.device_),
        original_(engine, bundle, reference_.plan_),
        left_out_(bundle, reference_.plan_) {
    reference_.plan_ = std::move(plan);
    reference_.expected_.resize(reference_.plan_.inputs.size());
  }

  Result<Reference> make(const Reference::Library &library, const Reference::TwinLibrary &twin) {
    const cases::Plan &plan = reference_.plan_;
    CUPILOT_CHECKED(describe_device());
    CUPILOT_CHECKED(check_device_memory(bundle_, plan, reference_.device_));
    CUPILOT_TRY(built, library(plan, reference_.device_));
    CUPILOT_CHECKED(original_.load(*built));
    flushing_ = screen::screen_code({}, built->code).flushing;
    reference_.moves_only_ = screen::screen_code(built->code, {}).moves_only;
    if (bundle_.request.profile) {
      CUPILOT_TRY(profiles, profile_original(original_, bundle_, plan));
      reference_.profiles_ = std::move(profiles);
    }
    CUPILOT_CHECKED(twin_.start(twin()));
    for (const cases::PlannedRun &run : plan.runs) CUPILOT_CHECKED(one_run(run));
    pool_twin();
    CUPILOT_CHECKED(believe_original());
    const auto kept = [&](std::size_t index) { return reference_.expected(index); };
    CUPILOT_CHECKED(correct::compare_draws(bundle_, plan, kept));
    correct::note_idle_inputs(bundle_, plan, kept);
    CUPILOT_TRY(estimates, estimate_original(original_, bundle_, plan, reference_.waived_));
    reference_.estimates_ = std::move(estimates);
    if (!engine_.estimates && bundle_.request.time)
      reference_.needed_bytes_ = bytes_of_original(original_, bundle_, plan, reference_.waived_);
    for (const cases::PlannedRun &run : done_)
      if (!left_out_.contains(run) && !run.reference_only) reference_.runs_.push_back(run);
    return std::move(reference_);
  }

private:
  Result<> describe_device() {
    CUPILOT_TRY(device, original_.connect());
    if (!cases::runs_on(bundle_.architecture, device.architecture))
      return fail(fmt::format("the bundle is for {}, but this device ({}) is {}", bundle_.architecture,
                              device.name, device.architecture));
    CUPILOT_TRY(measured, original_.measure_bandwidth());
    reference_.device_ = measured;
    return {};
  }

  RunOrder order_for(const cases::PlannedRun &run) const {
    return run_order(bundle_, reference_.plan_, run, reference_.waived_);
  }

  Result<> one_run(const cases::PlannedRun &run) {
    if (left_out_.contains(run)) return {};
    const auto begun = std::chrono::steady_clock::now();
    const cases::PlannedInputs &inputs = reference_.plan_.inputs[run.inputs];
    const std::string problem = attempt(run);
    if (!problem.empty()) return leave_out(run, problem);
    done_.push_back(run);
    if (reference_.expected_[run.inputs].spread.empty()) {
      CUPILOT_CHECKED(measure_error(run));
      CUPILOT_CHECKED(repeat(run));
    }
    if (log::debug_on())
      log::debug(fmt::format(
          "original on {}: {:f} s",
          correct::describe_run(bundle_, inputs.case_index, inputs.family, run.placement, run.shifts),
          seconds_since(begun)));
    return {};
  }

  /// Runs the original once. Returns what is wrong with the original on this run; empty when nothing is.
  std::string attempt(const cases::PlannedRun &run) {
    const auto report = original_.run(order_for(run));
    if (!report) return report.error().message;
    if (waive(report->faults)) return attempt(run);
    if (!report->faults.empty()) return correct::fault_of_original(original_.explain(report->faults.front()));
    if (report->declined) return "the launch was refused (cudaErrorInvalidValue)";
    for (const std::string &symbol : report->changed)
      reference_.changed_.insert(launches::symbol_of_any_file(symbol));
    Reference::Kept &kept = reference_.expected_[run.inputs];
    kept.warp_instructions = report->warp_instructions;
    kept.flushed = std::max(kept.flushed, report->flushed);
    if (!report->stained.empty())
      return fmt::format("it {}: the extent in the workload is too small", report->stained.front());
    if (!report->modified.empty())
      return fmt::format("it changes '{}', which the workload declares as in(...): use inout(...)",
                         report->modified.front());
    return keep_or_compare(run);
  }

  /// Switches off the checks that the original fails and the developer has waived. True when there was such a
  /// check.
  bool waive(const std::vector<launches::Fault> &faults) {
    bool any = false;
    for (const launches::Fault &fault : faults) {
      const bool tolerated = std::ranges::find(kToleratedRules, fault.rule) != kToleratedRules.end();
      const bool vouched = tolerated || std::ranges::find(bundle_.waived, fault.rule) != bundle_.waived.end();
      if (!fault.waivable || !vouched || is_waived(fault.rule)) continue;
      log::warning(fmt::format(
          "the original kernel fails the check '{}'{}; candidates are judged without this check: {}",
          fault.rule, tolerated ? "" : ", which is waived", fault.text));
      reference_.waived_.push_back(fault.rule);
      any = true;
    }
    return any;
  }

  bool is_waived(const std::string &rule) const {
    return std::ranges::find(reference_.waived_, rule) != reference_.waived_.end();
  }

  std::string keep_or_compare(const cases::PlannedRun &run) {
    const cases::PlannedInputs &inputs = reference_.plan_.inputs[run.inputs];
    const cases::CaseLayout &layout = reference_.plan_.layouts[inputs.case_index];
    const model::Case &which = bundle_.cases[inputs.case_index];
    const auto outputs = original_.outputs(inputs.case_index);
    Reference::Kept &kept = reference_.expected_[run.inputs];
    if (!kept.data) {
      kept.data = std::make_unique_for_overwrite<std::byte[]>(outputs.size());
      kept.size = outputs.size();
      correct::copy_outputs(kept.data.get(), outputs);
      const auto nan = inputs.family == "user" && cases::is_users_own(which)
                           ? correct::find_nan(bundle_, layout, outputs)
                           : std::nullopt;
      if (const std::string unlike = unlike_zeros(which, layout, outputs); !unlike.empty()) return unlike;
      return nan ? fmt::format("it gives {} on the workload's own data", *nan) : "";
    }
    if (run.other_poison) kept.unwritten = correct::has_unwritten(layout, kept.outputs().bytes);
    const auto seen = run.other_poison && kept.unwritten
                          ? correct::with_usual_poison(layout, kept.outputs().bytes, outputs)
                          : std::vector<std::byte>();
    correct::ExpectedOutputs expected = kept.outputs();
    expected.flushed = correct::flushing_allowance({.counted = engine_.estimates,
                                                    .flushed = kOwnRuns * kept.flushed,
                                                    .atomics = flushing_.atomics,
                                                    .original_ftz = flushing_.original,
                                                    .numbers = correct::floating_numbers(layout)});
    const auto check = correct::check_outputs(bundle_, layout, which.id, inputs.family, expected,
                                              seen.empty() ? outputs : std::span<const std::byte>(seen));
    return check.wrong.empty() ? ""
                               : correct::differs_because(run.placement, engine_.estimates) + check.wrong;
  }

  /// Flags and tickets are accumulators to the eye only: without zeros in them the original does not do all
  /// of its work.
  std::string unlike_zeros(const model::Case &which, const cases::CaseLayout &layout,
                           std::span<const std::byte> outputs) const {
    const bool refilled = std::ranges::any_of(which.buffers, &model::CaseBuffer::refilled);
    if (!refilled) return "";
    if (const auto nan = correct::find_nan(bundle_, layout, outputs)) return "it gives " + *nan;
    return correct::has_unwritten(layout, outputs) ? "it leaves outputs unwritten" : "";
  }

  Result<> leave_out(const cases::PlannedRun &run, const std::string &problem) {
    CUPILOT_CHECKED(left_out_.add(run, problem));
    if (!original_.lost()) return {};
    const cases::PlannedInputs &inputs = reference_.plan_.inputs[run.inputs];
    if (++restarts_ > kMostRestarts)
      return user_error(fmt::format(
          "the original fails too often, last on {}: {}",
          correct::describe_run(bundle_, inputs.case_index, inputs.family, run.placement, run.shifts),
          problem));
    return original_.restart();
  }

  /// Measures how exact the original is on these inputs: by its distance to the twin, or else by how far its
  /// outputs move when the inputs are nudged.
  Result<> measure_error(const cases::PlannedRun &run) {
    Reference::Kept &kept = reference_.expected_[run.inputs];
    const RunOrder order = order_for(run);
    const auto run_original = [&](const RunOrder &other) { return original_.outputs_of(other); };
    auto measured = twin_.measure(run.inputs, order, kept.outputs().bytes, run_original);
    kept.twin = std::move(measured.twin), kept.exact = std::move(measured.exact);
    if (!kept.twin.empty()) {
      kept.spread.resize(kept.twin.size());
      return {};
    }
    CUPILOT_TRY(moved, move_original(original_, bundle_, reference_.plan_, order, kept.outputs().bytes));
    kept.spread = std::move(moved.spread);
    kept.change = std::move(moved.change);
    return {};
  }

  /// Repeats the run on the user's own data. The emulated device is deterministic; another order of blocks
  /// (Placement::moved) serves there instead.
  Result<> repeat(const cases::PlannedRun &run) {
    const cases::PlannedInputs &inputs = reference_.plan_.inputs[run.inputs];
    const bool own = inputs.family == "user" && cases::is_users_own(bundle_.cases[inputs.case_index]);
    if (engine_.estimates || !own || run.reference_only) return {};
    return repeat_original(original_, bundle_, reference_.plan_, order_for(run),
                           reference_.expected_[run.inputs].outputs());
  }

  void pool_twin() {
    std::map<std::size_t, std::vector<correct::KeptTwin> *> measured;
    for (std::size_t i = 0; i < reference_.expected_.size(); ++i)
      if (!reference_.expected_[i].twin.empty()) measured[i] = &reference_.expected_[i].twin;
    twin_.pool(measured);
    if (!twin_.is_usually_believed())
      for (Reference::Kept &kept : reference_.expected_) kept.exact.clear();
    reference_.oracle_ = twin_.oracle();
  }

  /// An original whose outputs are far from the same kernel in double precision cannot serve as the
  /// reference.
  Result<> believe_original() const {
    const bool vouched =
        std::ranges::find(bundle_.waived, std::string(kOriginalError)) != bundle_.waived.end();
    if (twin_.disagreement().empty() || vouched) return {};
    return user_error(
        fmt::format("the original is numerically broken on its own data, or its numbers cannot be followed "
                    "in double precision: {}; fix the kernel, scale the inputs with fill(...), or pass "
                    "--waive {} to judge by the original as it is",
                    twin_.disagreement(), kOriginalError));
  }

  const Engine &engine_;
  const model::Bundle &bundle_;
  Reference reference_;
  ReferenceTwin twin_;
  OriginalProcess original_;
  LeftOut left_out_;
  std::vector<cases::PlannedRun> done_;
  screen::FlushingCode flushing_;
  int restarts_ = 0;
};

Result<Reference> Reference::make(const Engine &engine, const model::Bundle &bundle, const Library &library,
                                  const TwinLibrary &twin, cases::Plan plan) {
  return ReferenceMaker(engine, bundle, std::move(plan)).make(library, twin);
}

}  // namespace cupilot::judge::engine
