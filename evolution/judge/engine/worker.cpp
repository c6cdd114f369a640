// SPDX-License-Identifier: Apache-2.0
//
// This process never uses the device itself. All builds begin at once on other threads. Meanwhile a child
// describes the device, the original runs once it is built, and then candidates are judged one at a time as
// their builds finish.
//
// A child takes 0.2 s or more to create its context. So several are started at once, the first ones during
// the builds and more whenever none is left, and all of them are waited for before anything is timed. A child
// that has finished takes 0.1 s to exit, which overlaps with the verification of the next candidate.
#include "evolution/judge/engine/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "evolution/judge/cases/plan.h"
#include "evolution/judge/engine/beside.h"
#include "evolution/judge/engine/candidate.h"
#include "evolution/judge/engine/excerpt_check.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/judge/engine/reference.h"
#include "evolution/judge/engine/sanitizer.h"
#include "evolution/judge/sandbox/sandbox.h"
#include "evolution/judge/tools/build_queue.h"
#include "evolution/model/bundle_json.h"
#include "evolution/model/verdict_json.h"

namespace cupilot::judge::engine {

namespace {

using Emit = std::function<void(const std::string &)>;

/// Maximum number of children that wait for their candidates. Each takes half a gigabyte of device memory and
/// some host memory.
constexpr std::size_t kMostStock = 8;
constexpr int kMostStrikes = 3;
constexpr std::chrono::seconds kDevicePause{2};

std::filesystem::path candidate_folder(const WorkerOptions &options, const std::string &id) {
  return options.bundle / "candidates" / id;
}

Result<model::Bundle> load_bundle(const std::filesystem::path &folder) {
  CUPILOT_TRY(text, read_file(folder / "bundle.json"));
  auto bundle = model::bundle_from_json(text);
  if (!bundle) return within(fmt::format("reading '{}'", (folder / "bundle.json").string()), bundle.error());
  return bundle;
}

Result<std::vector<std::string>> open_candidates(const WorkerOptions &options, const model::Bundle &bundle) {
  std::vector<std::string> open;
  for (const std::string &id : options.only)
    if (std::none_of(bundle.candidates.begin(), bundle.candidates.end(),
                     [&](const auto &c) { return c.id == id; }))
      return user_error(fmt::format("--only names '{}', but the bundle has no such candidate", id));
  for (const model::BundleCandidate &candidate : bundle.candidates) {
    const bool wanted = options.only.empty() || std::find(options.only.begin(), options.only.end(),
                                                          candidate.id) != options.only.end();
    if (wanted && !std::filesystem::exists(candidate_folder(options, candidate.id) / "verdict.json"))
      open.push_back(candidate.id);
  }
  return open;
}

Result<tools::Built> built_original(tools::BuildQueue &builds) {
  CUPILOT_TRY(built, builds.original());
  if (!built.ok) return fail("the original does not build:\n" + built.report.log);
  return built;
}

model::Verdict build_verdict(const std::string &candidate, const tools::Built &built,
                             const tools::Built &original) {
  model::Verdict verdict;
  verdict.candidate = candidate;
  verdict.stage = "build";
  verdict.build = built.report;
  tools::add_resources(verdict.build, built.kernels, original.kernels);
  if (built.ok) return verdict;
  verdict.kind = built.timed_out ? model::VerdictKind::timed_out : model::VerdictKind::build_failed;
  const std::string &log = built.report.log;
  verdict.reason = built.timed_out ? "the compiler did not finish in time" : "nvcc: " + log.substr(0, 2000);
  return verdict;
}

/// Finds races and uninitialised reads in the original, which do not stop a GPU. Does nothing where
/// compute-sanitizer cannot run.
Result<> sanitize_original(const model::Bundle &bundle, const std::filesystem::path &folder) {
  const auto findings = original_findings(bundle, folder);
  if (findings.empty()) return {};
  const std::string &first = findings.front(), waiver = waiver_of(first.substr(0, first.find(':')));
  std::string text = "compute-sanitizer finds in the original: " + first;
  if (findings.size() > 1) text += fmt::format("; and {} more", findings.size() - 1);
  text += "; fix the kernel";
  if (!waiver.empty()) text += ", or, if this is intended and harmless, pass --waive " + waiver;
  return user_error(text);
}

/// Says once for a search what the sandbox does not hold: an executor that starts further workers sets the
/// variable.
std::string told_protection() {
  std::string missing = sandbox::missing_protection();
  if (!missing.empty() && !std::getenv("CUPILOT_SANDBOX_TOLD")) log::warning(missing);
  return missing;
}

/// Whether the device has room for a child that is exiting and the next one at the same time.
bool fit_twice(const Reference &reference) {
  const model::DeviceReport &device = reference.device();
  return std::ranges::all_of(reference.plan().layouts, [&](const cases::CaseLayout &layout) {
    return 2 * cases::device_bytes(layout, device.l2_bytes) <= device.memory_bytes;
  });
}

/// Judges one candidate after the other and keeps a stock of started children for the next ones.
class Line {
public:
  Line(const Engine &engine, const WorkerOptions &options, const Emit &emit, std::string unprotected)
      : engine_(engine), options_(options), emit_(emit), unprotected_(std::move(unprotected)) {}

  /// Starts children for the next `wanted` candidates, as many as processors and device memory allow.
  Result<> stock_up(std::size_t wanted, const cases::Plan &plan, const model::DeviceReport &device,
                    const std::string &architecture) {
    const std::size_t most = std::clamp<std::size_t>(std::thread::hardware_concurrency() / 2, 1, kMostStock);
    const std::size_t count = std::min({wanted, most, cases::contexts_beside(plan, device)});
    while (stock_.size() < count) {
      CUPILOT_TRY(child, ChildProcess::start(engine_, architecture, plan.dump_bytes));
      stock_.push_back(std::move(child));
    }
    return {};
  }

  /// `left`: how many candidates come after this one.
  Result<> take(const JudgeSetting &setting, const tools::FinishedBuild &build, std::size_t left) {
    if (!build.built) return std::unexpected(build.built.error());
    emit_(built_event(build.candidate, build.built->report.seconds));
    model::Verdict verdict = build_verdict(build.candidate, *build.built, setting.original);
    if (build.built->ok) {
      CUPILOT_TRY(judged, judge(setting, *build.built, std::move(verdict), left));
      verdict = std::move(judged);
    }
    if (!unprotected_.empty()) verdict.limits.push_back(unprotected_);
    const auto path = candidate_folder(options_, build.candidate) / "verdict.json";
    CUPILOT_CHECKED(write_file_atomic(path, model::to_json(verdict) + "\n"));
    emit_(verdict_event(verdict));
    return {};
  }

  /// Waits until no other child uses the device. A child that could not start is noticed when it is used.
  void wait_for_others() {
    if (last_.joinable()) last_.join();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (const auto &child : stock_) child->wait_until_ready(deadline);
  }

private:
  /// A child that cannot begin says nothing about the candidate: the device may need a while after an endless
  /// kernel was killed. So it is tried again; after kMostStrikes failures the verdict is not_evaluated.
  Result<model::Verdict> judge(const JudgeSetting &setting, const tools::Built &built, model::Verdict begun,
                               std::size_t left) {
    for (int strike = 1;; ++strike) {
      CUPILOT_TRY(child, next_child(setting, left));
      model::Verdict verdict = judge_candidate(setting, begun, built, *child, [this] { wait_for_others(); });
      if (verdict.stage == "screen") {  // the child is still unused
        stock_.push_front(std::move(child));
        return verdict;
      }
      const bool decided = child->began();
      last_ = std::jthread([child = std::move(child)]() mutable { child.reset(); });
      if (!decided || !fit_twice(setting.reference)) last_.join();
      if (decided) return verdict;
      if (strike == kMostStrikes) return quarantined(std::move(verdict));
      log::note(fmt::format("no child process could use the device for the candidate '{}' ({}); trying again",
                            verdict.candidate, verdict.reason));
      std::this_thread::sleep_for(kDevicePause);
    }
  }

  static model::Verdict quarantined(model::Verdict verdict) {
    verdict.kind = model::VerdictKind::not_evaluated;
    verdict.reason = fmt::format(
        "no child process could use the device, {} times in a row: {}; is it in use, or does it hang?",
        kMostStrikes, verdict.reason);
    return verdict;
  }

  Result<std::unique_ptr<ChildProcess>> next_child(const JudgeSetting &setting, std::size_t left) {
    const auto more = [&](std::size_t wanted) {
      return stock_up(wanted, setting.reference.plan(), setting.reference.device(),
                      setting.bundle.architecture);
    };
    if (stock_.empty()) CUPILOT_CHECKED(more(1));
    auto child = std::move(stock_.front());
    stock_.pop_front();
    if (stock_.empty()) CUPILOT_CHECKED(more(left));
    return child;
  }

  const Engine &engine_;
  const WorkerOptions &options_;
  const Emit &emit_;
  const std::string unprotected_;  ///< sandbox::missing_protection()
  std::deque<std::unique_ptr<ChildProcess>> stock_;
  std::jthread last_;  ///< ends the child before the current one
};

/// Makes the references of further cases, each set of cases once.
class Further {
public:
  Further(const Engine &engine, const model::Bundle &bundle, const tools::Built &original,
          Reference::TwinLibrary twin)
      : engine_(engine), bundle_(bundle), original_(original), twin_(std::move(twin)) {}

  Result<const FurtherCases *> cases(const std::vector<model::Case> &chosen) {
    std::vector<std::string> ids;
    for (const model::Case &which : chosen) ids.push_back(which.id);
    if (const auto known = made_.find(ids); known != made_.end()) return known->second.get();
    model::Bundle asked = bundle_;
    asked.cases = chosen;
    asked.reserve.clear();
    asked.request.time = asked.request.profile = asked.request.check_original = false;
    const double usual =
        std::exchange(asked.request.run_seconds, std::min(bundle_.request.run_seconds, kOriginalSeconds));
    CUPILOT_TRY(plan, cases::make_plan(asked, expected_budget_bytes(), engine_.estimates));
    const auto library = [this](const cases::Plan &, const model::DeviceReport &) {
      return Result<const tools::Built *>(&original_);
    };
    CUPILOT_TRY(reference, Reference::make(engine_, asked, library, twin_, std::move(plan)));
    asked.request.run_seconds = usual;
    auto &made = made_[ids];
    made = std::make_unique<FurtherCases>(std::move(asked), std::move(reference));
    return made.get();
  }

private:
  /// Sizes that nobody asked for may be far too much work for the original; those are left out.
  static constexpr double kOriginalSeconds = 5;

  const Engine &engine_;
  const model::Bundle &bundle_;
  const tools::Built &original_;
  Reference::TwinLibrary twin_;
  std::map<std::vector<std::string>, std::unique_ptr<FurtherCases>> made_;  ///< by the cases' ids
};

/// A child's memory for outputs must do for the cases of the reserve as well; those that are no cases are
/// left out.
void make_room(model::Bundle &bundle, cases::Plan &plan) {
  std::erase_if(bundle.reserve, [&](const model::Case &which) {
    const auto layout = cases::make_layout(bundle.parameters, which, cases::Placement::base);
    if (layout) plan.dump_bytes = std::max(plan.dump_bytes, layout->dump_bytes);
    return !layout;
  });
}

}  // namespace

Result<> run_worker(const Engine &engine, const WorkerOptions &given, const Emit &emit) {
  WorkerOptions options = given;
  options.bundle = std::filesystem::absolute(given.bundle);
  CUPILOT_TRY(bundle, load_bundle(options.bundle));
  CUPILOT_TRY(open, open_candidates(options, bundle));
  if (open.empty()) return {};
  CUPILOT_TRY(plan, cases::make_plan(bundle, expected_budget_bytes(), engine.estimates));
  make_room(bundle, plan);

  const unsigned cores = std::max(2u, std::thread::hardware_concurrency());
  tools::BuildQueue builds({bundle, options.bundle, engine.build_options(bundle.architecture),
                            looks_at_coverage(engine.estimates, bundle)},
                           open, options.jobs ? options.jobs : cores - 1);
  Line line(engine, options, emit, told_protection());
  tools::Built original;
  const auto library = [&](const cases::Plan &known,
                           const model::DeviceReport &device) -> Result<const tools::Built *> {
    CUPILOT_CHECKED(line.stock_up(open.size(), known, device, bundle.architecture));
    CUPILOT_TRY(built, built_original(builds));
    original = std::move(built);
    // Counters cover the whole device, so no context may be created while the original is profiled.
    if (bundle.request.profile) line.wait_for_others();
    return &original;
  };
  const auto twin = [&] { return builds.twin(); };
  CUPILOT_TRY(reference, Reference::make(engine, bundle, library, twin, std::move(plan)));
  emit(device_event(reference.device()));
  if (bundle.request.check_original && !engine.estimates)
    CUPILOT_CHECKED(sanitize_original(bundle, options.bundle));

  OriginalExcerpts excerpts(engine, bundle, reference.plan(), original);
  Further further(engine, bundle, original, twin);
  OriginalBeside original_beside(engine.beside, bundle, original, reference.plan().dump_bytes);
  const JudgeSetting setting{
      bundle,        reference,
      original,      engine.estimates,
      &excerpts,     [&](const std::vector<model::Case> &chosen) { return further.cases(chosen); },
      engine.beside, &original_beside};
  while (const auto build = builds.next()) CUPILOT_CHECKED(line.take(setting, *build, builds.left()));
  return {};
}

}  // namespace cupilot::judge::engine
