// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/beside.h"

#include <set>
#include <utility>
#include <vector>

#include "evolution/judge/cases/cases.h"
#include "evolution/judge/engine/run_orders.h"
#include "evolution/model/bundle_json.h"

namespace cupilot::judge::engine {

namespace {

/// The CPU executes about ten million elements per second: a run of this size takes a few hundredths of a
/// second.
constexpr std::uint64_t kSmallBytes = 1 << 20;

bool is_small(const cases::CaseLayout &layout) {
  return layout.arena_bytes <= kSmallBytes;
}

}  // namespace

Result<std::unique_ptr<Beside>> Beside::start(const JudgeSetting &setting,
                                              const std::filesystem::path &library, std::size_t dump_bytes) {
  if (setting.beside.empty()) return fail("there is no cupilot-emulate beside this program");
  Engine engine;
  engine.program = engine.executable = setting.beside.string();
  CUPILOT_TRY(child, ChildProcess::start(engine, setting.bundle.architecture, dump_bytes));
  std::unique_ptr<Beside> beside(new Beside(std::move(child)));
  CUPILOT_TRY(ready, beside->child_->receive(in_seconds(kStartSeconds)));
  CUPILOT_CHECKED(device_from_line(ready));
  Order load{Order::What::load, library.string(), EntryRole::candidate};
  load.kernels = setting.original.kernels;
  CUPILOT_CHECKED(beside->ask_done(load));
  return beside;
}

Result<> Beside::ask_done(const Order &order) {
  CUPILOT_TRY(line, child_->ask(order, in_seconds(kStartSeconds)));
  return done_from_line(line);
}

Result<> Beside::run(const model::Bundle &bundle, const Reference &reference) {
  model::Bundle shown = bundle;
  shown.request.seed = shown.request.secret = 0;
  shown.reserve.clear();
  CUPILOT_CHECKED(ask_done({Order::What::setup, model::to_json(shown)}));
  std::set<std::size_t> large;
  const cases::Plan &plan = reference.plan();
  for (const cases::PlannedRun &run : reference.runs()) {
    const std::size_t index = plan.inputs[run.inputs].case_index;
    const bool whole = is_small(plan.layouts[index]);
    if (!whole && !large.insert(index).second) continue;
    Order order{whole ? Order::What::run : Order::What::excerpt};
    order.run = run_order(bundle, plan, run, reference.waived());
    order.run.setting.covered = true;
    CUPILOT_CHECKED(run_one(order, bundle.request.run_seconds));
  }
  return {};
}

Result<> Beside::run_one(const Order &order, double seconds) {
  CUPILOT_TRY(line, child_->ask(order, in_seconds(kEstimateRuns * seconds)));
  std::vector<launches::Fault> faults;
  if (order.what == Order::What::run) {
    CUPILOT_TRY(report, run_from_line(line));
    faults = std::move(report.faults);
  } else {
    CUPILOT_TRY(excerpt, excerpt_from_line(line));
    faults = std::move(excerpt.faults);
  }
  if (!faults.empty()) return fail(faults.front().text);
  return {};
}

Result<launches::Coverage> Beside::coverage() {
  CUPILOT_TRY(line, child_->ask({Order::What::coverage}, in_seconds(kStartSeconds)));
  return coverage_from_line(line);
}

}  // namespace cupilot::judge::engine
