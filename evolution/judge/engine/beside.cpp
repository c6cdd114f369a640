// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/beside.h"

#include <algorithm>
#include <set>
#include <utility>

#include "annotate/support/log.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/reference.h"
#include "evolution/judge/engine/run_orders.h"

namespace cupilot::judge::engine {

namespace {

/// The CPU executes about ten million elements per second: a run of this size takes a few hundredths of a
/// second.
constexpr std::uint64_t kSmallBytes = 1 << 20;

bool is_small(const cases::CaseLayout &layout) {
  return layout.arena_bytes <= kSmallBytes;
}

/// Says nothing about the entry: the device does not know an instruction, or is too slow.
bool is_of_device(const launches::Fault &fault) {
  return fault.kind == launches::Fault::Kind::unsupported || fault.kind == launches::Fault::Kind::endless;
}

}  // namespace

Result<std::unique_ptr<BesideEntry>> BesideEntry::start(const Made &made) {
  if (made.program.empty()) return fail("there is no cupilot-emulate beside this program");
  Engine engine;
  engine.program = engine.executable = made.program.string();
  CUPILOT_TRY(child, ChildProcess::start(engine, made.architecture, made.dump_bytes));
  std::unique_ptr<BesideEntry> entry(new BesideEntry(std::move(child), made.role));
  CUPILOT_TRY(ready, entry->child_->receive(in_seconds(kStartSeconds)));
  CUPILOT_CHECKED(device_from_line(ready));
  Order load{Order::What::load, made.library.string(), made.role};
  load.kernels = made.forbidden;
  load.traced = made.traced;
  CUPILOT_CHECKED(entry->child_->ask_done(load));
  return entry;
}

Result<> BesideEntry::set_up(const model::Bundle &bundle) {
  return child_->ask_done(setup_order(bundle));
}

Result<launches::RunReport> BesideEntry::execute(Order order, double seconds) {
  order.role = role_;
  CUPILOT_TRY(line, child_->ask(order, in_seconds(kEstimateRuns * seconds)));
  launches::RunReport report;
  if (order.what == Order::What::run) {
    CUPILOT_TRY(run, run_from_line(line));
    report = std::move(run);
  } else {
    CUPILOT_TRY(excerpt, excerpt_from_line(line));
    report.faults = std::move(excerpt.faults);
  }
  const auto unknown = std::ranges::find_if(report.faults, is_of_device);
  if (unknown != report.faults.end()) return fail(unknown->text);
  return report;
}

Result<launches::Coverage> BesideEntry::coverage() {
  CUPILOT_TRY(line, child_->ask({Order::What::coverage}, in_seconds(kStartSeconds)));
  return coverage_from_line(line);
}

Result<std::vector<cases::ExploredCall>> BesideEntry::outcomes(Order order) {
  order.role = role_;
  CUPILOT_TRY(line, child_->ask(order, in_seconds(kStartSeconds)));
  return calls_from_line(line);
}

std::optional<launches::RunReport> OriginalBeside::execute(const model::Bundle &cases, const Order &order) {
  const auto report = [&]() -> Result<launches::RunReport> {
    if (!entry_) {
      CUPILOT_TRY(
          entry,
          BesideEntry::start(
              {program_, original_.library, EntryRole::original, bundle_.architecture, {}, dump_bytes_}));
      entry_ = std::move(entry);
    }
    CUPILOT_CHECKED(entry_->set_up(cases));
    return entry_->execute(order, bundle_.request.run_seconds);
  }();
  if (report) return *report;
  log::debug("the original beside the GPU: " + report.error().message);
  entry_.reset();
  return std::nullopt;
}

bool OriginalBeside::fails_on(const model::Bundle &cases, const Order &order) {
  const auto report = execute(cases, order);
  return report && !report->faults.empty();
}

bool OriginalBeside::passes_on(
    const model::Bundle &cases, const Order &order, std::size_t bytes,
    const std::function<bool(const launches::RunReport &, std::span<const std::byte>)> &look) {
  const auto report = execute(cases, order);
  return report && report->faults.empty() && look(*report, entry_->outputs(bytes));
}

Order beside_order(const model::Bundle &bundle, const cases::Plan &plan, const cases::PlannedRun &run,
                   const std::vector<std::string> &waived) {
  const bool whole = is_small(plan.layouts[plan.inputs[run.inputs].case_index]);
  Order order{whole ? Order::What::run : Order::What::excerpt};
  order.run = run_order(bundle, plan, run, waived);
  return order;
}

Result<std::optional<FaultBeside>> run_beside(RunsBeside which, BesideEntry &candidate,
                                              OriginalBeside &original, const model::Bundle &bundle,
                                              const Reference &reference, const OutputsBeside &wrong) {
  CUPILOT_CHECKED(candidate.set_up(bundle));
  std::set<std::size_t> large;
  const cases::Plan &plan = reference.plan();
  for (const cases::PlannedRun &run : reference.runs()) {
    const cases::PlannedInputs &inputs = plan.inputs[run.inputs];
    Order order = beside_order(bundle, plan, run, reference.waived());
    const bool excerpt = order.what == Order::What::excerpt;
    if (which == RunsBeside::structured) {
      if (!excerpt || data::without_turn(inputs.family) != data::kPatchwork) continue;
    } else if (excerpt && !large.insert(inputs.case_index).second) {
      continue;
    }
    order.run.setting.covered = true;
    CUPILOT_TRY(report, candidate.execute(order, bundle.request.run_seconds));
    const std::string where =
        correct::describe_run(bundle, inputs.case_index, inputs.family, run.placement, run.shifts);
    if (!report.faults.empty()) {
      if (original.fails_on(bundle, order)) continue;
      return FaultBeside{std::move(report.faults), where};
    }
    if (excerpt || report.declined) continue;
    const std::size_t bytes = plan.layouts[inputs.case_index].dump_bytes;
    const std::string text = wrong(run, report, candidate.outputs(bytes));
    const auto is_right = [&](const launches::RunReport &its, std::span<const std::byte> outputs) {
      return wrong(run, its, outputs).empty();
    };
    if (text.empty() || !original.passes_on(bundle, order, bytes, is_right)) continue;
    return FaultBeside{{{launches::Fault::Kind::wrong, "", text}}, where};
  }
  return std::nullopt;
}

}  // namespace cupilot::judge::engine
