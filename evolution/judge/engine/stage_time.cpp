// SPDX-License-Identifier: Apache-2.0
//
// The child times original and candidate in turn. Here the samples become measurements, and times that are
// too good to be true reject the candidate.
#include <fmt/format.h>

#include <algorithm>

#include "evolution/judge/correct/outputs.h"
#include "evolution/judge/correct/timed_outputs.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/engine/run_orders.h"
#include "evolution/judge/engine/stages.h"
#include "evolution/judge/time/roofline.h"
#include "evolution/judge/time/sharing.h"
#include "evolution/judge/time/statistics.h"

namespace cupilot::judge::engine {

namespace {

/// Time limit of a timing order, in multiples of the requested seconds (sampling itself stops at kCapSlack of
/// them), plus a reserve in seconds for the warm-up, the copy of outputs, and looks at a device that others
/// use.
constexpr double kTimingSlack = 4, kTimingReserve = 40;

std::string percent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

class TimeStage {
public:
  explicit TimeStage(Judging &judging) : judging_(judging) {}

  bool time_all() {
    if (!judging_.ask_done(
            {Order::What::load, judging_.setting.original.library.string(), EntryRole::original},
            "loading the original"))
      return false;
    for (const Contents &contents : timed_cases())
      if (!time_one(contents)) return false;
    return true;
  }

  /// The candidate is verified and timed already: a failure here loses the counters and does not change the
  /// verdict.
  void profile_all() {
    for (const Contents &contents : timed_cases()) {
      const cases::PlannedInputs &inputs = inputs_of(contents.front());
      Order order{Order::What::profile};
      order.run = run_order(inputs);
      const auto line = judging_.child.ask(order, in_seconds(kStartSeconds));
      auto counted = line ? profile_from_line(*line) : Result<model::Profile>(std::unexpected(line.error()));
      if (!counted) {
        counted = model::Profile{};
        counted->workload = judging_.bundle.cases[inputs.case_index].workload;
        counted->note = "no hardware counters: " + (line ? "damaged answer" : line.error().message);
      }
      add_profiles(inputs, std::move(*counted));
    }
  }

private:
  /// Indices into Plan::inputs: one case, different data.
  using Contents = std::vector<std::size_t>;

  const cases::PlannedInputs &inputs_of(std::size_t index) const {
    return judging_.reference.plan().inputs[index];
  }
  const model::Case &case_of(const cases::PlannedInputs &inputs) const {
    return judging_.bundle.cases[inputs.case_index];
  }

  std::vector<Contents> timed_cases() const {
    std::vector<Contents> cases;
    for (const std::size_t index : judging_.reference.plan().timing) {
      if (cases.empty() || inputs_of(cases.back().front()).case_index != inputs_of(index).case_index)
        cases.emplace_back();
      cases.back().push_back(index);
    }
    return cases;
  }

  bool time_one(const Contents &contents) {
    const cases::PlannedInputs &inputs = inputs_of(contents.front());
    const model::JudgeRequest &request = judging_.bundle.request;
    const std::string where = fmt::format("timing workload '{}'", case_of(inputs).id);
    Order order{Order::What::time};
    order.run = run_order(inputs);
    order.timing = {request.timing_seconds, request.relative_error,
                    data::derived_seed(request.seed, "order/" + judging_.verdict.candidate)};
    for (const std::size_t index : contents) order.timing.seeds.push_back(inputs_of(index).seed);
    const auto line =
        judging_.child.ask(order, in_seconds(request.timing_seconds * kTimingSlack + kTimingReserve));
    if (!line) return judging_.lost(where, line.error().message);
    const auto report = timing_from_line(*line);
    if (!report) return judging_.lost(where, report.error().message);
    if (!report->faults.empty()) return judging_.decide_by(report->faults, where);
    if (report->declined)
      return judging_.decide(model::VerdictKind::rejected,
                             fmt::format("declines while {}, but not while verified", where));
    if (report->synchronised)
      return judging_.decide(
          model::VerdictKind::rejected,
          fmt::format("waits for the device inside launch() ({}): it may only queue work", where));
    return check_last_outputs(contents, *report, where) && measure(*report, inputs, where);
  }

  /// Compares the outputs of the last timed launch on each content with the original's. Then checks what the
  /// device reported on all earlier launches, which it compared with one another.
  bool check_last_outputs(const Contents &contents, const launches::TimingReport &report,
                          const std::string &where) {
    if (report.outputs.empty()) return judging_.lost(where, "no outputs were checked");
    for (std::size_t content = 0; content < report.outputs.size(); ++content) {
      const std::size_t index = contents[std::min(content, contents.size() - 1)];
      const cases::PlannedInputs &inputs = inputs_of(index);
      Order order{Order::What::timed_outputs};
      order.content = content;
      if (!judging_.ask_done(order, where)) return false;
      const auto check = correct::check_outputs(
          judging_.bundle, judging_.reference.plan().layouts[inputs.case_index], case_of(inputs).id,
          inputs.family, judging_.expected(judging_.reference, index, 0), judging_.child.slot(0));
      if (!check.wrong.empty()) {
        judging_.verdict.errors = check.errors;
        return judging_.decide(model::VerdictKind::wrong,
                               fmt::format("wrong after many launches, {}: {}", where, check.wrong));
      }
      const std::string trouble =
          correct::timed_trouble(report.outputs[content], check.errors, judging_.bundle.deterministic);
      if (!trouble.empty())
        return judging_.decide(model::VerdictKind::wrong, fmt::format("{}: {}", where, trouble));
    }
    return true;
  }

  bool measure(const launches::TimingReport &report, const cases::PlannedInputs &inputs,
               const std::string &where) {
    const model::DeviceReport &device = judging_.reference.device();
    model::Measurement m;
    m.workload = case_of(inputs).id;
    m.weight = case_of(inputs).weight;
    m.holdout = case_of(inputs).holdout;
    m.original = report.original;
    m.candidate = report.candidate;
    m.stopped_because = report.stopped_because;
    m.launches = report.launches;
    time::summarise(m.original);
    time::summarise(m.candidate);
    time::judge_times(m);
    explain(m, report);
    const time::StreamAnswer stream = time::judge_looks(report.looks);
    if (stream == time::StreamAnswer::shared) tell_shared(m, report);
    const correct::NeededBytes needed = judging_.reference.needed_bytes(inputs.case_index);
    m.bytes_moved = needed.all();
    if (m.candidate.median_us > 0 && device.copy_bandwidth_gbs > 0)
      m.bandwidth_share = m.bytes_moved / (m.candidate.median_us * 1e-6) / (device.copy_bandwidth_gbs * 1e9);
    judging_.verdict.measurements.push_back(m);
    if (!plausible(m, needed, where)) return false;
    if (stream != time::StreamAnswer::outside) return true;
    return judging_.reject_time(fmt::format("{}: {}", where, time::outside_text(report.looks)));
  }

  void explain(model::Measurement &m, const launches::TimingReport &report) {
    if (!report.too_short.empty()) {
      m.verdict = model::VerdictKind::unsure;
      m.note = report.too_short;
    } else if (m.verdict == model::VerdictKind::unsure) {
      const double spread =
          m.original.median_us > 0 ? (m.original.q3_us - m.original.min_us) / m.original.median_us : 0;
      m.note = fmt::format("the original differs from itself by {} in this run, its samples by {} ({})",
                           percent(m.noise), percent(spread), m.stopped_because);
    }
  }

  /// Nobody can tell then whose work made the device busy: neither a speedup nor a rejection.
  static void tell_shared(model::Measurement &m, const launches::TimingReport &report) {
    m.verdict = model::VerdictKind::unsure;
    m.speedup = m.speedup_low = m.speedup_high = 0;
    m.note = time::sharing_text(report.looks);
  }

  /// The floor is the least time for reading and writing once what is needed. If the original is below it,
  /// too, less is needed than could be seen.
  bool plausible(const model::Measurement &m, const correct::NeededBytes &needed, const std::string &where) {
    const model::DeviceReport &device = judging_.reference.device();
    const double floor = time::floor_microseconds(
        needed.read, needed.written, static_cast<double>(device.l2_bytes), device.copy_bandwidth_gbs);
    if (m.candidate.median_us >= floor || m.original.median_us < floor) return true;
    return judging_.reject_time(fmt::format(
        "{}: {} is less than the {} that reading and writing the {} once takes that it needs (measured copy "
        "bandwidth {} GB/s): the work is not done, or not while it is timed",
        where, microseconds(m.candidate.median_us), microseconds(floor),
        cases::readable_bytes(static_cast<std::uint64_t>(needed.all())),
        static_cast<long long>(device.copy_bandwidth_gbs)));
  }

  void add_profiles(const cases::PlannedInputs &inputs, model::Profile profile) {
    const model::Measurement *m = nullptr;
    for (const model::Measurement &each : judging_.verdict.measurements)
      if (each.workload == judging_.bundle.cases[inputs.case_index].id) m = &each;
    if (!m) return;
    time::digest(profile, judging_.verdict.device, {m->bytes_moved, m->candidate.median_us});
    judging_.verdict.profiles.push_back(std::move(profile));
    const auto original = judging_.reference.profiles().find(m->workload);
    if (original == judging_.reference.profiles().end()) return;
    model::Profile before = original->second;
    time::digest(before, judging_.verdict.device, {m->bytes_moved, m->original.median_us});
    judging_.verdict.original_profiles.push_back(std::move(before));
  }

  Judging &judging_;
};

}  // namespace

bool time_candidate(Judging &judging) {
  TimeStage stage(judging);
  if (!stage.time_all()) return false;
  if (judging.bundle.request.profile) stage.profile_all();
  return true;
}

}  // namespace cupilot::judge::engine
