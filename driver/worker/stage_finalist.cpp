// SPDX-License-Identifier: Apache-2.0
//
// What only a candidate about to be published goes through. Each check is told in the verdict; the first one
// that fails is the verdict. The emulated device varies nothing but the order of blocks and what two host
// threads make of it, so it repeats less often.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

#include "driver/worker/outputs.h"
#include "driver/worker/repeats.h"
#include "driver/worker/stages.h"
#include "evolution/device/input_family.h"

namespace cupilot {

namespace {

using Clock = std::chrono::steady_clock;
using Outcome = FinalistCheck::Outcome;

constexpr int kRepeats = 20, kEmulatedRepeats = 4;
/// Of one workload's repeats; what is left of them when it is over is told.
constexpr double kRepeatSeconds = 8;
constexpr int kLeastRepeats = 3;
/// Workloads looked at on the CPU, the smallest first.
constexpr std::size_t kEmulatedSubjects = 2;
/// Scratch memory nobody minds, whatever the buffers take.
constexpr std::uint64_t kFreeScratchBytes = 16u << 20;

/// One workload on its own data, and other data of it to run beside.
struct Subject {
  std::size_t inputs = 0;             ///< index into Plan::inputs
  std::optional<std::size_t> beside;  ///< the same; what comes out is known too
  std::uint64_t scratch_bytes = 0;
};

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class FinalistStage {
public:
  explicit FinalistStage(Judging &judging)
      : judging_(judging), plan_(judging.reference.plan()), emulated_(judging.setting.estimates) {}

  bool check_all() {
    choose_subjects();
    return repeat_all() && in_manner("two streams", Manner::two_streams) &&
           in_manner("graph capture", Manner::captured) && scratch() && hold_outs() && tools();
  }

private:
  using Bytes = std::vector<std::byte>;

  const Case &case_of(std::size_t inputs) const {
    return judging_.bundle.cases[plan_.inputs[inputs].case_index];
  }
  const CaseLayout &layout_of(std::size_t inputs) const {
    return plan_.layouts[plan_.inputs[inputs].case_index];
  }
  std::string where(std::size_t inputs) const {
    return describe_run(judging_.bundle, plan_.inputs[inputs].case_index, plan_.inputs[inputs].family,
                        Placement::base);
  }

  /// The user's own workloads as they were verified; their second set of inputs is another family, or what
  /// was timed.
  void choose_subjects() {
    std::vector<std::size_t> known = plan_.timing;
    for (const PlannedRun &run : judging_.reference.runs())
      if (run.placement == Placement::base) known.push_back(run.inputs);
    for (const PlannedRun &run : judging_.reference.runs()) {
      const std::size_t index = plan_.inputs[run.inputs].case_index;
      const Case &which = judging_.bundle.cases[index];
      const bool taken = std::ranges::any_of(subjects_, [&](const Subject &subject) {
        return plan_.inputs[subject.inputs].case_index == index;
      });
      if (taken || run.placement != Placement::base || !is_users_own(which)) continue;
      if (std::ranges::find(judging_.verdict.cases_passed, which.id) == judging_.verdict.cases_passed.end())
        continue;  // declined
      Subject subject{run.inputs};
      for (const std::size_t other : known)
        if (other != run.inputs && plan_.inputs[other].case_index == index && !subject.beside)
          subject.beside = other;
      subjects_.push_back(subject);
    }
    if (!emulated_) return;
    std::ranges::sort(subjects_, {}, [&](const Subject &s) { return layout_of(s.inputs).arena_bytes; });
    subjects_.resize(std::min(subjects_.size(), kEmulatedSubjects));
  }

  // ---- one run

  Order order_for(std::size_t inputs, Placement placement = Placement::base) const {
    Order order{Order::What::run};
    order.run = run_order(judging_.bundle, plan_, PlannedRun{inputs, placement}, judging_.reference.waived());
    order.run.instruction_budget = judging_.reference.instruction_budget(inputs);
    return order;
  }

  /// Outputs are in slot 0 afterwards. Nothing: the verdict has been decided.
  std::optional<RunReport> run(const Order &order, const std::string &what) {
    const auto line = judging_.child.ask(order, in_seconds(judging_.bundle.request.run_seconds));
    const auto report = line ? run_from_line(*line) : Result<RunReport>(std::unexpected(line.error()));
    if (!report)
      judging_.lost(what, report.error().message);
    else if (!report->faults.empty())
      judging_.decide_by(report->faults, what);
    else if (!report->stained.empty())
      judging_.decide(VerdictKind::wrong, report->stained.front() + " on " + what);
    else if (report->declined)
      judging_.decide(VerdictKind::rejected, "declines " + what + ", but not while it was verified");
    else
      return *report;
    return std::nullopt;
  }

  std::span<const std::byte> outputs(std::size_t inputs) const {
    return judging_.child.slot(0).first(layout_of(inputs).dump_bytes);
  }

  bool right(std::size_t inputs, const std::string &what) {
    const auto check =
        check_outputs(judging_.bundle, layout_of(inputs), case_of(inputs).id, plan_.inputs[inputs].family,
                      judging_.reference.expected(inputs), judging_.child.slot(0));
    if (check.wrong.empty()) return true;
    judging_.verdict.errors = check.errors;
    return judging_.decide(VerdictKind::wrong, check.wrong + "; on " + what);
  }

  // ---- the checks

  void tell(const std::string &name, Outcome outcome, const std::string &detail, double seconds) {
    judging_.verdict.finalist.push_back({name, outcome, detail, seconds});
  }
  /// For what has been decided inside a check.
  bool failed(const std::string &name, Clock::time_point start) {
    tell(name, Outcome::failed, judging_.verdict.reason, since(start));
    judging_.verdict.reason = name + ": " + judging_.verdict.reason;
    return false;
  }

  bool repeat_all() {
    const auto start = Clock::now();
    int least = emulated_ ? kEmulatedRepeats : kRepeats;
    const std::string wanted = std::to_string(least) + " repeats";
    std::string detail;
    for (Subject &subject : subjects_) {
      const auto answer = repeat(subject, least);
      if (!answer) return failed(wanted, start);
      const bool same = detail.empty() || detail == answer->detail;
      detail = same ? answer->detail : detail + "; " + answer->detail;
    }
    if (subjects_.empty())
      tell(wanted, Outcome::not_run, "no workload was verified", since(start));
    else
      tell(std::to_string(least) + " repeats", Outcome::passed, detail, since(start));
    return true;
  }

  /// `least`: the fewest runs of any workload so far.
  std::optional<RepeatAnswer> repeat(Subject &subject, int &least) {
    const std::string what = where(subject.inputs);
    Bytes first;
    const auto repeats =
        run_again(EntryRole::candidate, subject, emulated_ ? kEmulatedRepeats : kRepeats, first);
    if (!repeats) return std::nullopt;
    least = std::min(least, repeats->runs);
    Repeats original;
    if (!repeats->bitwise() && !judging_.bundle.deterministic) {
      if (!load_original()) return std::nullopt;
      Bytes ignored;
      const auto own = run_again(EntryRole::original, subject, repeats->runs, ignored);
      if (!own) return std::nullopt;
      original = *own;
    }
    const RepeatAnswer answer = judge_repeats(judging_.bundle, layout_of(subject.inputs), *repeats, original);
    if (answer.ok) return answer;
    judging_.decide(VerdictKind::wrong, answer.detail + "; on " + what);
    return std::nullopt;
  }

  /// On the CPU every second run takes the blocks in the other order.
  std::optional<Repeats> run_again(EntryRole role, Subject &subject, int times, Bytes &first) {
    const std::string what =
        (role == EntryRole::original ? "the original's repeats of " : "repeats of ") + where(subject.inputs);
    const auto start = Clock::now();
    Repeats repeats;
    while (repeats.runs < times && (repeats.runs < kLeastRepeats || since(start) < kRepeatSeconds)) {
      const bool other = emulated_ && repeats.runs % 2 == 0;
      Order order = order_for(subject.inputs, other && !first.empty() ? Placement::moved : Placement::base);
      order.role = role;
      const auto report = run(order, what);
      if (!report) return std::nullopt;
      const auto now = outputs(subject.inputs);
      if (first.empty()) {
        first.assign(now.begin(), now.end());
        subject.scratch_bytes = std::max(subject.scratch_bytes, report->scratch_bytes);
        if (role == EntryRole::candidate && !right(subject.inputs, what)) return std::nullopt;
        if (now.empty()) return Repeats{times, {}, {}, {}};
        continue;
      }
      const bool differed = !repeats.bitwise();
      add_repeat(repeats, judging_.bundle, layout_of(subject.inputs), first, now);
      const bool differs = differed || !repeats.bitwise();
      if (role == EntryRole::candidate && differs && !right(subject.inputs, what)) return std::nullopt;
    }
    return repeats;
  }

  bool load_original() {
    if (original_loaded_) return true;
    original_loaded_ = true;
    return judging_.ask_done(
        {Order::What::load, judging_.setting.original.library.string(), EntryRole::original},
        "loading the original");
  }

  bool in_manner(const std::string &name, Manner manner) {
    const auto start = Clock::now();
    for (const Subject &subject : subjects_) {
      if (!beside(subject.inputs, subject.beside, manner)) return failed(name, start);
      if (subject.beside && manner == Manner::two_streams && !beside(*subject.beside, subject.inputs, manner))
        return failed(name, start);
    }
    const std::string how = manner == Manner::two_streams
                                ? "launches beside others with other data"
                                : "replayed on other data, then on its own in the same buffers";
    tell(name, subjects_.empty() ? Outcome::not_run : Outcome::passed,
         subjects_.empty() ? "no workload was verified"
         : emulated_       ? how + ", one after the other on the CPU"
                           : how,
         since(start));
    return true;
  }

  bool beside(std::size_t inputs, const std::optional<std::size_t> &other, Manner manner) {
    Order order = order_for(inputs);
    order.run.manner = manner;
    order.run.beside_seed = derived_seed(plan_.inputs[inputs].seed, "beside");
    if (other) {
      order.run.beside_family = plan_.inputs[*other].family;
      order.run.beside_seed = plan_.inputs[*other].seed;
    }
    const std::string what =
        where(inputs) + (manner == Manner::two_streams
                             ? ", while launches on other data run on another stream"
                             : ", replayed from a graph after other data in the same buffers");
    return run(order, what) && right(inputs, what);
  }

  bool scratch() {
    const auto start = Clock::now();
    std::uint64_t most = judging_.verdict.scratch_bytes;
    for (const Subject &subject : subjects_) {
      most = std::max(most, subject.scratch_bytes);
      std::uint64_t buffers = 0;
      for (const PlacedBuffer &buffer : layout_of(subject.inputs).buffers) buffers += buffer.bytes;
      const auto limit = std::max(
          kFreeScratchBytes,
          static_cast<std::uint64_t>(judging_.bundle.request.most_scratch * static_cast<double>(buffers)));
      if (subject.scratch_bytes <= limit) continue;
      judging_.decide(VerdictKind::rejected, "takes " + readable_bytes(subject.scratch_bytes) +
                                                 " of scratch memory a launch on " + where(subject.inputs) +
                                                 ", where all buffers take " + readable_bytes(buffers) +
                                                 " together and the original needs none");
      return failed("peak memory", start);
    }
    judging_.verdict.scratch_bytes = most;
    tell("peak memory", Outcome::passed,
         most ? readable_bytes(most) + " of scratch memory a launch, the original none" : "no scratch memory",
         since(start));
    return true;
  }

  bool hold_outs() {
    for (const Case &which : judging_.bundle.cases)
      if (which.holdout && which.id == which.workload && !hold_out(which)) return false;
    return true;
  }

  /// They were verified and timed like every other workload; here they count.
  bool hold_out(const Case &which) {
    const std::string name = "hold-out " + which.workload;
    std::string detail = "correct";
    bool slower = false;
    for (const Measurement &m : judging_.verdict.measurements)
      if (m.workload == which.id) {
        detail = times(m.speedup) + " (" + to_string(m.verdict) + ")";
        slower = m.verdict == VerdictKind::slower;
      }
    for (const Estimate &e : judging_.verdict.estimates)
      if (e.workload == which.workload) {
        detail = "estimated " + times(e.ratio) + " (" + to_string(e.verdict) + ")";
        slower = e.verdict == VerdictKind::slower;
      }
    if (!slower || which.weight == 0) {
      tell(name, Outcome::passed, detail, 0);
      return true;
    }
    judging_.decide(VerdictKind::rejected,
                    detail +
                        " on a workload that the search never saw: what was gained does not hold beyond "
                        "the workloads it was tuned on");
    return failed(name, Clock::now());
  }

  static std::string times(double ratio) {
    char text[40];
    std::snprintf(text, sizeof text, "%.2fx", ratio);
    return text;
  }

  bool tools() {
    if (emulated_) executor_checks();
    return true;
  }

  /// Every run had them all on; one that found something has been the verdict long ago.
  void executor_checks() {
    struct Tool {
      const char *name, *what;
      std::vector<std::string> rules;
    };
    const Tool all[] = {{"memcheck", "bounds and alignment", {}},
                        {"racecheck", "shared and global memory", {"shared-race", "global-race"}},
                        {"initcheck", "shared, scratch and output memory", {"uninitialised-read"}},
                        {"synccheck", "barriers and shuffle masks", {}}};
    const auto &waived = judging_.reference.waived();
    for (const Tool &tool : all) {
      std::string off;
      for (const std::string &rule : tool.rules)
        if (std::ranges::find(waived, rule) != waived.end()) off += (off.empty() ? "" : ", ") + rule;
      tell(tool.name, off.empty() ? Outcome::passed : Outcome::not_run,
           off.empty() ? std::string("by the CPU executor: ") + tool.what
                       : "the original does not pass it itself: " + off,
           0);
    }
  }

  Judging &judging_;
  const Plan &plan_;
  const bool emulated_;
  std::vector<Subject> subjects_;
  bool original_loaded_ = false;
};

}  // namespace

bool check_finalist(Judging &judging) {
  return FinalistStage(judging).check_all();
}

}  // namespace cupilot
