// SPDX-License-Identifier: Apache-2.0
//
// The first failure is the verdict. Two runs are always on their way: while the child works on one, the
// outputs of the one before are compared here.
#include "driver/worker/candidate.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "driver/worker/outputs.h"
#include "evolution/device/input_family.h"
#include "evolution/device/roofline.h"
#include "evolution/judge/estimates.h"
#include "evolution/judge/statistics.h"
#include "evolution/model/bundle_json.h"

namespace cupilot {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kStartSeconds = 60;
/// A timing order ends by itself after kCapSlack caps; the rest is warm-up and the copy of outputs.
constexpr double kTimingSlack = 4, kTimingReserve = 20;
/// Of one run; a reason is read by people and by roles.
constexpr std::size_t kMostFaultsTold = 4;
/// Device time over stream time of a batch: more means work outside the stream that is timed.
constexpr double kMostWallRatio = 1.5;
/// What synchronising costs the host at most, once a batch.
constexpr double kWallAllowanceUs = 200;
/// In a batch launches find a warm cache: each takes at most its cold time, or what queueing takes the host.
constexpr double kMostBatchRatio = 1.15, kQueueUs = 40;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string microseconds(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f us", value);
  return text;
}

class CandidateJudge {
public:
  CandidateJudge(const JudgeSetting &setting, Verdict verdict, const Built &built, ChildProcess &child)
      : setting_(setting),
        bundle_(setting.bundle),
        verdict_(std::move(verdict)),
        kernels_(built.kernels),
        child_(child) {}

  Verdict judge(const std::filesystem::path &library, const std::function<void()> &before_timing) {
    verdict_.device = setting_.reference.device();
    verdict_.stage = "correct";
    const auto start = Clock::now();
    const bool correct = prepare(library) && verify();
    verdict_.verify_seconds = since(start);
    before_timing();
    if (!correct) return std::move(verdict_);
    const Plan &plan = setting_.reference.plan();
    if (!bundle_.request.time || (plan.timing.empty() && plan.estimated.empty())) {
      decide(VerdictKind::same, "correct on every case; not timed");
      return std::move(verdict_);
    }
    const auto timing_start = Clock::now();
    if (setting_.estimates) {
      verdict_.stage = "estimate";
      if (estimate_all()) decide(overall_kind(verdict_.estimates), estimate_text());
      verdict_.time_seconds = since(timing_start);
      return std::move(verdict_);
    }
    verdict_.stage = "time";
    const bool timed = time_all();
    if (timed && bundle_.request.profile) profile_all();
    verdict_.time_seconds = since(timing_start);
    if (timed) decide(overall_kind(verdict_.measurements), describe_times(verdict_.measurements));
    return std::move(verdict_);
  }

private:
  /// False, so that steps can `return decide(...)`.
  bool decide(VerdictKind kind, const std::string &reason) {
    verdict_.kind = kind;
    verdict_.reason = reason;
    return false;
  }

  /// A rejected time stays as evidence, but nobody may take its ratio for a speedup.
  bool reject_time(const std::string &reason) {
    Measurement &last = verdict_.measurements.back();
    last.verdict = VerdictKind::unsure;
    last.speedup = last.speedup_low = last.speedup_high = 0;
    return decide(VerdictKind::rejected, reason);
  }

  /// The child failed or ended while doing `what`.
  bool lost(const std::string &what, const std::string &message) {
    switch (child_.ending()) {
      case ChildProcess::Ending::timed_out:
        return decide(VerdictKind::timed_out,
                      "did not finish within the limit of " +
                          std::to_string(static_cast<long long>(bundle_.request.run_seconds)) +
                          " s, last on " + what +
                          ": look for a loop that never ends or a barrier not all threads reach");
      case ChildProcess::Ending::forbidden:
        return decide(VerdictKind::rejected, message + "; on " + what);
      default:
        break;
    }
    std::string reason = "on " + what + ": " + message;
    if (message.find("cudaErrorMisalignedAddress") != std::string::npos)
      reason += "; check l.aligned(bytes, pointers...) and decline, or use narrower accesses";
    if (message.find("cudaErrorIllegalAddress") != std::string::npos)
      reason += "; an access is outside the buffers: check index bounds and tails";
    if (message.starts_with("launching:"))
      reason +=
          "; the launch itself was refused: check block size (at most 1024 threads), grid and shared memory";
    return decide(VerdictKind::crashed, reason);
  }

  bool ask_done(const Order &order, const std::string &what) {
    const auto line = child_.ask(order, in_seconds(kStartSeconds));
    if (!line) return lost(what, line.error().message);
    const auto done = done_from_line(*line);
    return done || lost(what, done.error().message);
  }

  bool prepare(const std::filesystem::path &library) {
    const auto ready = child_.receive(in_seconds(kStartSeconds));
    if (!ready) return lost("start", ready.error().message);
    child_.watch_processes();
    Bundle shown = bundle_;
    shown.request.seed = 0;  // inputs come one run at a time
    return ask_done({Order::What::setup, to_json(shown)}, "setting up") &&
           ask_done({Order::What::load, library.string(), EntryRole::candidate}, "loading");
  }

  Order order_for(const PlannedRun &run, std::size_t number) const {
    Order order{Order::What::run};
    order.run = run_order(bundle_, setting_.reference.plan(), run, setting_.reference.waived());
    order.run.instruction_budget = setting_.reference.instruction_budget(run.inputs);
    order.run.slot = static_cast<int>(number % 2);
    return order;
  }

  bool verify() {
    const auto &runs = setting_.reference.runs();
    const auto deadline = in_seconds(bundle_.request.run_seconds);
    if (!runs.empty()) (void)child_.send(order_for(runs[0], 0));
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i + 1 < runs.size()) (void)child_.send(order_for(runs[i + 1], i + 1));
      const PlannedInputs &inputs = setting_.reference.plan().inputs[runs[i].inputs];
      const std::string where = describe_run(bundle_, inputs.case_index, inputs.family, runs[i].placement);
      const auto line = child_.receive(deadline);
      if (!line) return lost(where, line.error().message);
      const auto report = run_from_line(*line);
      if (!report) return lost(where, report.error().message);
      if (!accept(*report, runs[i], inputs, where, static_cast<int>(i % 2))) return false;
    }
    if (const std::string forbidden = child_.forbidden_now(); !forbidden.empty())
      return decide(VerdictKind::rejected, forbidden);
    if (!declined_stand_in_.empty()) return decide_declined();
    list_passed_cases();
    return true;
  }

  bool accept(const RunReport &report, const PlannedRun &run, const PlannedInputs &inputs,
              const std::string &where, int slot) {
    const Case &which = bundle_.cases[inputs.case_index];
    if (!report.faults.empty()) return decide_by(report.faults, where);
    if (!report.stained.empty()) return decide(VerdictKind::wrong, report.stained.front() + " on " + where);
    if (!report.modified.empty())
      return decide(VerdictKind::wrong,
                    "changes the read-only input '" + report.modified.front() + "' on " + where);
    if (report.declined) {
      if (run.placement == Placement::misaligned) return true;
      declined_.insert(inputs.case_index);
      if (stands_in(which)) declined_stand_in_ = where + " (" + which.shrunk + ")";
      if (!which.timed) return true;
      return decide(VerdictKind::rejected,
                    "declines " + where + ": launch() returned false for a workload it is made for");
    }
    const auto check =
        check_outputs(bundle_, setting_.reference.plan().layouts[inputs.case_index], which.id, inputs.family,
                      setting_.reference.expected(run.inputs), child_.slot(slot));
    if (check.wrong.empty()) {
      for (const OutputError &error : check.errors) remember(error);
      return true;
    }
    verdict_.errors = check.errors;
    return decide(VerdictKind::wrong, check.wrong + "; on " + where);
  }

  /// A timed workload is verified by this smaller case only.
  bool stands_in(const Case &which) const {
    return !which.shrunk.empty() && std::ranges::any_of(bundle_.cases, [&](const Case &other) {
      return other.workload == which.workload && other.timed;
    });
  }

  /// The largest error of each output, by the share of its limit.
  void remember(const OutputError &error) {
    const auto share = [](const OutputError &e) {
      return std::max(e.rms_limit > 0 ? e.rms / e.rms_limit : 0, e.max_limit > 0 ? e.max / e.max_limit : 0);
    };
    const auto known = std::find_if(verdict_.errors.begin(), verdict_.errors.end(),
                                    [&](const OutputError &e) { return e.parameter == error.parameter; });
    if (known == verdict_.errors.end())
      verdict_.errors.push_back(error);
    else if (share(error) > share(*known))
      *known = error;
  }

  void list_passed_cases() {
    std::set<std::size_t> seen;
    for (const PlannedRun &run : setting_.reference.runs())
      seen.insert(setting_.reference.plan().inputs[run.inputs].case_index);
    for (const std::size_t index : seen) {
      const Case &which = bundle_.cases[index];
      if (declined_.contains(index)) continue;
      verdict_.cases_passed.push_back(which.id);
      if (!which.shrunk.empty()) verdict_.limits.push_back(which.workload + " verified at " + which.shrunk);
    }
  }

  /// What the checks of the emulated device found: the first fault decides, all of that kind are told.
  bool decide_by(const std::vector<Fault> &faults, const std::string &where) {
    const Fault::Kind kind = faults.front().kind;
    std::string text;
    std::size_t told = 0, more = 0;
    for (const Fault &fault : faults) {
      if (fault.kind != kind) continue;
      if (told < kMostFaultsTold)
        text += (told++ ? "; " : "") + fault.text;
      else
        ++more;
    }
    if (more) text += "; and " + std::to_string(more) + " more";
    switch (kind) {
      case Fault::Kind::crashed:
        return decide(VerdictKind::crashed, "on " + where + ": " + text);
      case Fault::Kind::endless:
        return decide(VerdictKind::timed_out, "on " + where + ": " + text);
      case Fault::Kind::unsupported:
        return decide(VerdictKind::not_evaluated, "the CPU executor cannot run it: " + text);
      case Fault::Kind::wrong:
        break;
    }
    return decide(VerdictKind::wrong, text + "; on " + where);
  }

  /// Who declines the workload itself too is not made for it; who does not cannot be verified here.
  bool decide_declined() {
    if (!estimate_all()) return false;
    verdict_.estimates.clear();
    verdict_.cases_passed.clear();
    return decide(VerdictKind::not_evaluated,
                  "declines " + declined_stand_in_ +
                      ", and the workload itself is too large to be verified on the CPU");
  }

  bool estimate_all() {
    for (const std::size_t index : setting_.reference.plan().estimated)
      if (!estimate_one(index)) return false;
    return true;
  }

  bool estimate_one(std::size_t index) {
    const Case &which = bundle_.cases[index];
    const std::string where = "estimating workload '" + which.workload + "'";
    Order order{Order::What::estimate};
    order.run = estimate_order(bundle_, index, setting_.reference.waived());
    order.kernels = kernels_;
    const auto line = child_.ask(order, in_seconds(kEstimateRuns * bundle_.request.run_seconds));
    if (!line) return lost(where, line.error().message);
    const auto report = estimate_from_line(*line);
    if (!report) return decide(VerdictKind::not_evaluated, where + ": " + report.error().message);
    if (!report->faults.empty()) return decide_by(report->faults, where);
    if (report->declined)
      return decide(VerdictKind::rejected,
                    "declines while " + where + ": launch() returned false for a workload it is made for");
    Estimate estimate{.workload = which.workload,
                      .original = setting_.reference.estimates().at(index),
                      .candidate = report->time};
    judge_estimate(estimate);
    verdict_.estimates.push_back(std::move(estimate));
    if (!which.verified) verdict_.cases_passed.push_back(which.id);
    return true;
  }

  std::string estimate_text() const {
    std::string text = describe_estimates(verdict_.estimates);
    for (const std::string &limit : verdict_.limits) text += "; " + limit;
    return text;
  }

  bool time_all() {
    if (!ask_done({Order::What::load, setting_.original.library.string(), EntryRole::original},
                  "loading the original"))
      return false;
    for (const std::size_t index : setting_.reference.plan().timing)
      if (!time_one(index)) return false;
    return true;
  }

  bool time_one(std::size_t index) {
    const PlannedInputs &inputs = setting_.reference.plan().inputs[index];
    const JudgeRequest &request = bundle_.request;
    const std::string where = "timing workload '" + bundle_.cases[inputs.case_index].id + "'";
    Order order{Order::What::time};
    order.run = {inputs.case_index, inputs.family, inputs.seed};
    order.timing = {request.timing_seconds, request.relative_error,
                    derived_seed(request.seed, "order/" + verdict_.candidate)};
    const auto line = child_.ask(order, in_seconds(request.timing_seconds * kTimingSlack + kTimingReserve));
    if (!line) return lost(where, line.error().message);
    const auto report = timing_from_line(*line);
    if (!report) return lost(where, report.error().message);
    if (report->declined)
      return decide(VerdictKind::rejected, "declines while " + where + ", but not while verified");
    if (report->synchronised)
      return decide(VerdictKind::rejected,
                    "waits for the device inside launch() (" + where + "): it may only queue work");
    return check_timed_outputs(index, inputs, where) && measure(*report, inputs, where);
  }

  bool check_timed_outputs(std::size_t index, const PlannedInputs &inputs, const std::string &where) {
    const auto check = check_outputs(bundle_, setting_.reference.plan().layouts[inputs.case_index],
                                     bundle_.cases[inputs.case_index].id, inputs.family,
                                     setting_.reference.expected(index), child_.slot(0));
    if (check.wrong.empty()) return true;
    verdict_.errors = check.errors;
    return decide(VerdictKind::wrong, "wrong after many launches, " + where + ": " + check.wrong);
  }

  bool measure(const TimingReport &report, const PlannedInputs &inputs, const std::string &where) {
    const CaseLayout &layout = setting_.reference.plan().layouts[inputs.case_index];
    const DeviceReport &device = setting_.reference.device();
    Measurement m;
    m.workload = bundle_.cases[inputs.case_index].id;
    m.original = report.original;
    m.candidate = report.candidate;
    m.stopped_because = report.stopped_because;
    summarise(m.original);
    summarise(m.candidate);
    judge_times(m);
    m.bytes_moved = static_cast<double>(layout.read_bytes + layout.written_bytes);
    if (m.candidate.median_us > 0 && device.copy_bandwidth_gbs > 0)
      m.bandwidth_share = m.bytes_moved / (m.candidate.median_us * 1e-6) / (device.copy_bandwidth_gbs * 1e9);
    verdict_.measurements.push_back(m);
    return plausible(m, layout, where) && on_its_stream(report, m.candidate.median_us, where);
  }

  /// The floor is the least time for the declared bytes; if the original beats it too, the extents say too
  /// much.
  bool plausible(const Measurement &m, const CaseLayout &layout, const std::string &where) {
    const DeviceReport &device = setting_.reference.device();
    const double floor =
        floor_microseconds(static_cast<double>(layout.read_bytes), static_cast<double>(layout.written_bytes),
                           static_cast<double>(device.l2_bytes), device.copy_bandwidth_gbs);
    if (m.candidate.median_us >= floor || m.original.median_us < floor) return true;
    return reject_time(where + ": " + microseconds(m.candidate.median_us) + " is less than the " +
                       microseconds(floor) + " that reading and writing the workload's " +
                       readable_bytes(layout.read_bytes + layout.written_bytes) +
                       " once takes (measured copy bandwidth " +
                       std::to_string(static_cast<long long>(device.copy_bandwidth_gbs)) +
                       " GB/s): the work is not done, or not while it is timed");
  }

  /// Two signs of work elsewhere: the device is busy longer than the stream, or a launch that was held back
  /// while its time was taken (which does not hold other streams) takes longer when it is not.
  bool on_its_stream(const TimingReport &report, double median_us, const std::string &where) {
    const double wall = report.wall_us - kWallAllowanceUs, held = std::max(median_us, kQueueUs);
    if (wall > kMostWallRatio * report.events_us)
      return reject_time(where + ": the device was busy for " + microseconds(report.wall_us) +
                         ", the stream of the launch for " + microseconds(report.events_us) +
                         ": work runs outside l.stream");
    if (report.batch > 0 && wall / report.batch > kMostBatchRatio * held)
      return reject_time(where + ": a launch takes " + microseconds(wall / report.batch) +
                         " of the device's time, " + microseconds(median_us) +
                         " of its stream's: work runs outside l.stream");
    return true;
  }

  /// Verified and timed already: trouble from here on costs the counters, not the verdict.
  void profile_all() {
    for (const std::size_t index : setting_.reference.plan().timing) {
      const PlannedInputs &inputs = setting_.reference.plan().inputs[index];
      Order order{Order::What::profile};
      order.run = {inputs.case_index, inputs.family, inputs.seed};
      const auto line = child_.ask(order, in_seconds(kStartSeconds));
      auto counted = line ? profile_from_line(*line) : Result<Profile>(std::unexpected(line.error()));
      if (!counted) {
        counted = Profile{};
        counted->workload = bundle_.cases[inputs.case_index].workload;
        counted->note = "no hardware counters: " + (line ? "damaged answer" : line.error().message);
      }
      add_profiles(inputs, std::move(*counted));
    }
  }

  void add_profiles(const PlannedInputs &inputs, Profile profile) {
    const Measurement *m = nullptr;
    for (const Measurement &each : verdict_.measurements)
      if (each.workload == bundle_.cases[inputs.case_index].id) m = &each;
    if (!m) return;
    digest(profile, verdict_.device, {m->bytes_moved, m->candidate.median_us});
    verdict_.profiles.push_back(std::move(profile));
    const auto original = setting_.reference.profiles().find(m->workload);
    if (original == setting_.reference.profiles().end()) return;
    Profile before = original->second;
    digest(before, verdict_.device, {m->bytes_moved, m->original.median_us});
    verdict_.original_profiles.push_back(std::move(before));
  }

  const JudgeSetting &setting_;
  const Bundle &bundle_;
  Verdict verdict_;
  const std::vector<KernelResources> &kernels_;
  ChildProcess &child_;
  std::set<std::size_t> declined_;
  std::string declined_stand_in_;
};

}  // namespace

Verdict judge_candidate(const JudgeSetting &setting, Verdict verdict, const Built &built, ChildProcess &child,
                        const std::function<void()> &before_timing) {
  return CandidateJudge(setting, std::move(verdict), built, child).judge(built.library, before_timing);
}

}  // namespace cupilot
