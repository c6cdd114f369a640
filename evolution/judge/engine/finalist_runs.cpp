// SPDX-License-Identifier: Apache-2.0
//
// Fewer repeats suffice on the emulated device: only the order of blocks and the scheduling of host threads
// vary between its runs.
#include <fmt/format.h>

#include <algorithm>

#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/finalist.h"
#include "evolution/judge/engine/run_orders.h"

namespace cupilot::judge::engine {

namespace {

using Outcome = model::FinalistCheck::Outcome;

constexpr int kRepeats = 20, kEmulatedRepeats = 4;
/// Time limit of one workload's repeats. The number of repeats that were made is reported.
constexpr double kRepeatSeconds = 8;
constexpr int kLeastRepeats = 3;
/// Number of workloads that are repeated on the emulated device, the smallest first.
constexpr std::size_t kEmulatedSubjects = 2;

}  // namespace

FinalistRuns::FinalistRuns(Judging &judging)
    : judging_(judging), plan_(judging.reference.plan()), emulated_(judging.setting.estimates) {
  choose_subjects();
}

const model::Case &FinalistRuns::case_of(std::size_t inputs) const {
  return judging_.bundle.cases[plan_.inputs[inputs].case_index];
}
const cases::CaseLayout &FinalistRuns::layout_of(std::size_t inputs) const {
  return plan_.layouts[plan_.inputs[inputs].case_index];
}
std::string FinalistRuns::where(std::size_t inputs) const {
  return correct::describe_run(judging_.bundle, plan_.inputs[inputs].case_index, plan_.inputs[inputs].family,
                               cases::Placement::base);
}

/// Inputs with known outputs of the original, on which candidates were verified.
std::vector<std::size_t> FinalistRuns::known_inputs() const {
  std::vector<std::size_t> known;
  for (const cases::PlannedRun &run : judging_.reference.runs())
    if (run.placement == cases::Placement::base && !run.other_poison &&
        plan_.inputs[run.inputs].compared_with == cases::kNoInputs)
      known.push_back(run.inputs);
  return known;
}

void FinalistRuns::choose_subjects() {
  const auto &passed = judging_.verdict.cases_passed;
  std::vector<std::size_t> cases;
  const std::vector<std::size_t> known = known_inputs();
  for (const std::size_t inputs : known) {
    const std::size_t index = plan_.inputs[inputs].case_index;
    const bool taken = std::ranges::find(cases, index) != cases.end();
    if (taken || !cases::is_users_own(case_of(inputs))) continue;
    if (std::ranges::find(passed, case_of(inputs).id) == passed.end()) continue;  // declined
    cases.push_back(index);
    FinalistSubject subject{.inputs = inputs};
    for (const std::size_t other : known)
      if (!subject.beside && other != inputs && plan_.inputs[other].case_index == index)
        subject.beside = other;
    subjects_.push_back(subject);
  }
  if (!emulated_) return;
  std::ranges::sort(subjects_, {},
                    [&](const FinalistSubject &one) { return layout_of(one.inputs).arena_bytes; });
  subjects_.resize(std::min(subjects_.size(), kEmulatedSubjects));
}

Order FinalistRuns::order_for(std::size_t inputs, cases::Placement placement) const {
  Order order{Order::What::run};
  cases::PlannedRun run;
  run.inputs = inputs;
  run.placement = placement;
  order.run = run_order(judging_.bundle, plan_, run, judging_.reference.waived());
  order.run.setting.instruction_budget = judging_.reference.instruction_budget(inputs);
  return order;
}

std::optional<launches::RunReport> FinalistRuns::run(const Order &order, const std::string &what) {
  const auto line = judging_.child.ask(order, in_seconds(judging_.bundle.request.run_seconds));
  const auto report =
      line ? run_from_line(*line) : Result<launches::RunReport>(std::unexpected(line.error()));
  if (!report)
    judging_.lost(what, report.error().message);
  else if (!report->faults.empty())
    judging_.decide_by(report->faults, what);
  else if (!report->stained.empty())
    judging_.decide(model::VerdictKind::wrong, fmt::format("{} on {}", report->stained.front(), what));
  else if (report->declined)
    judging_.decide(model::VerdictKind::rejected,
                    fmt::format("declines {}, but not while it was verified", what));
  else
    return *report;
  return std::nullopt;
}

bool FinalistRuns::right(std::size_t inputs, const launches::RunReport &report, const std::string &what) {
  const cases::CaseLayout &layout = layout_of(inputs);
  const auto check =
      correct::check_outputs(judging_.bundle, layout, case_of(inputs).id, plan_.inputs[inputs].family,
                             judging_.expected(judging_.reference, inputs, report.flushed),
                             judging_.child.slot(0).first(layout.dump_bytes));
  if (check.wrong.empty()) return true;
  judging_.verdict.errors = check.errors;
  return judging_.decide(model::VerdictKind::wrong, fmt::format("{}; on {}", check.wrong, what));
}

bool FinalistRuns::repeat_all() {
  const auto start = FinalistClock::now();
  int least = emulated_ ? kEmulatedRepeats : kRepeats;
  const std::string wanted = fmt::format("{} repeats", least);
  std::string detail;
  bool bitwise = true;
  for (FinalistSubject &subject : subjects_) {
    const auto answer = repeat(subject, least);
    if (!answer) return check_failed(judging_, wanted, start);
    bitwise &= answer->detail == correct::kBitwise;
    detail += fmt::format("{}{}: {}", detail.empty() ? "" : "; ", case_of(subject.inputs).id, answer->detail);
  }
  if (bitwise) detail = correct::kBitwise;
  if (subjects_.empty())
    tell_check(judging_, wanted, Outcome::not_run, "no workload was verified");
  else
    tell_check(judging_, fmt::format("{} repeats", least), Outcome::passed, detail, seconds_since(start));
  return true;
}

/// `least` becomes the fewest repeats of any workload so far.
std::optional<correct::RepeatAnswer> FinalistRuns::repeat(FinalistSubject &subject, int &least) {
  const auto repeats = run_again(EntryRole::candidate, subject, emulated_ ? kEmulatedRepeats : kRepeats);
  if (!repeats) return std::nullopt;
  least = std::min(least, repeats->runs);
  correct::Repeats original;
  if (!repeats->bitwise() && !judging_.bundle.deterministic) {
    if (!load_original()) return std::nullopt;
    const auto own = run_again(EntryRole::original, subject, repeats->runs);
    if (!own) return std::nullopt;
    original = *own;
  }
  const correct::RepeatAnswer answer =
      correct::judge_repeats(judging_.bundle, layout_of(subject.inputs), *repeats, original);
  if (answer.ok) return answer;
  judging_.decide(model::VerdictKind::wrong, fmt::format("{}; on {}", answer.detail, where(subject.inputs)));
  return std::nullopt;
}

/// On the emulated device every second run executes the blocks in the other order.
std::optional<correct::Repeats> FinalistRuns::run_again(EntryRole role, FinalistSubject &subject, int times) {
  const bool candidate = role == EntryRole::candidate;
  const std::string what = (candidate ? "repeats of " : "the original's repeats of ") + where(subject.inputs);
  const cases::CaseLayout &layout = layout_of(subject.inputs);
  const auto start = FinalistClock::now();
  std::vector<std::byte> first;
  correct::Repeats repeats;
  for (int i = 0; i <= times && (i <= kLeastRepeats || seconds_since(start) < kRepeatSeconds); ++i) {
    Order order =
        order_for(subject.inputs, emulated_ && i % 2 ? cases::Placement::moved : cases::Placement::base);
    order.role = role;
    const auto report = run(order, what);
    if (!report) return std::nullopt;
    const auto outputs = judging_.child.slot(0).first(layout.dump_bytes);
    if (i == 0)
      first.assign(outputs.begin(), outputs.end());
    else
      correct::add_repeat(repeats, judging_.bundle, layout, first, outputs);
    if (!candidate) continue;
    subject.scratch_bytes = std::max(subject.scratch_bytes, report->scratch_bytes);
    if ((i == 0 || !repeats.bitwise()) && !right(subject.inputs, *report, what)) return std::nullopt;
  }
  return repeats;
}

bool FinalistRuns::load_original() {
  if (original_loaded_) return true;
  original_loaded_ = true;
  return judging_.ask_done(
      {Order::What::load, judging_.setting.original.library.string(), EntryRole::original},
      "loading the original");
}

bool FinalistRuns::in_manner(const std::string &name, launches::Manner manner) {
  const auto start = FinalistClock::now();
  if (subjects_.empty()) {
    tell_check(judging_, name, Outcome::not_run, "no workload was verified");
    return true;
  }
  std::string left_out;
  for (const FinalistSubject &subject : subjects_) {
    if (manner == launches::Manner::two_streams && !fits_twice(subject.inputs)) {
      left_out += "; no room for two of " + where(subject.inputs);
      continue;
    }
    if (!beside(subject.inputs, subject.beside, manner)) return check_failed(judging_, name, start);
    const bool turned = subject.beside && manner == launches::Manner::two_streams;
    if (turned && !beside(*subject.beside, subject.inputs, manner))
      return check_failed(judging_, name, start);
    if (manner == launches::Manner::two_streams &&
        !beside(subject.inputs, subject.beside, launches::Manner::shared_inputs))
      return check_failed(judging_, name, start);
  }
  std::string how = manner == launches::Manner::two_streams
                        ? "beside launches on other data and on the same inputs"
                        : "replayed on other data, then on its own in the same buffers";
  if (emulated_) how += ", one after the other on the CPU";
  tell_check(judging_, name, Outcome::passed, how + left_out, seconds_since(start));
  return true;
}

bool FinalistRuns::fits_twice(std::size_t inputs) const {
  const model::DeviceReport &device = judging_.reference.device();
  return 2 * cases::device_bytes(layout_of(inputs), device.l2_bytes) <= device.memory_bytes;
}

bool FinalistRuns::beside(std::size_t inputs, const std::optional<std::size_t> &other,
                          launches::Manner manner) {
  Order order = order_for(inputs);
  order.run.setting.manner = manner;
  order.run.setting.beside_seed = data::derived_seed(plan_.inputs[inputs].seed, "beside");
  if (other) {
    order.run.setting.beside_family = plan_.inputs[*other].family;
    order.run.setting.beside_seed = plan_.inputs[*other].seed;
  }
  const std::string what =
      where(inputs) + (manner == launches::Manner::two_streams
                           ? ", while launches on other data run on another stream"
                       : manner == launches::Manner::shared_inputs
                           ? ", while another launch reads the same inputs"
                           : ", replayed from a graph after other data in the same buffers");
  const auto report = run(order, what);
  return report && right(inputs, *report, what);
}

}  // namespace cupilot::judge::engine
