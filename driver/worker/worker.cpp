// SPDX-License-Identifier: Apache-2.0
//
// This process never touches CUDA. Order: all builds begin at once on other threads, and beside them the
// device is described; the original is run when it is built; then candidates are judged one at a time as
// their builds are done. The child for the first candidate is started while the original is run, for the next
// one when the current one's verification begins, so that its context (0.3 s and more) is made meanwhile; it
// is waited for before the current one is timed. A child that has done its work (its context takes 0.1 s to
// go) ends meanwhile, too.
#include "driver/worker/worker.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "annotate/support/files.h"
#include "driver/worker/build_queue.h"
#include "driver/worker/candidate.h"
#include "driver/worker/messages.h"
#include "driver/worker/plan.h"
#include "driver/worker/reference.h"
#include "evolution/model/bundle_json.h"
#include "evolution/model/verdict_json.h"

namespace cupilot {

namespace {

using Emit = std::function<void(const std::string &)>;

std::filesystem::path candidate_folder(const WorkerOptions &options, const std::string &id) {
  return options.bundle / "candidates" / id;
}

Result<Bundle> load_bundle(const std::filesystem::path &folder) {
  CUPILOT_TRY(text, read_file(folder / "bundle.json"));
  auto bundle = bundle_from_json(text);
  if (!bundle) return within("reading " + (folder / "bundle.json").string(), bundle.error());
  return bundle;
}

Result<std::vector<std::string>> open_candidates(const WorkerOptions &options, const Bundle &bundle) {
  std::vector<std::string> open;
  for (const std::string &id : options.only)
    if (std::none_of(bundle.candidates.begin(), bundle.candidates.end(),
                     [&](const auto &c) { return c.id == id; }))
      return user_error("--only names '" + id + "', which the bundle does not have");
  for (const BundleCandidate &candidate : bundle.candidates) {
    const bool wanted = options.only.empty() || std::find(options.only.begin(), options.only.end(),
                                                          candidate.id) != options.only.end();
    if (wanted && !std::filesystem::exists(candidate_folder(options, candidate.id) / "verdict.json"))
      open.push_back(candidate.id);
  }
  return open;
}

Result<Built> built_original(BuildQueue &builds) {
  CUPILOT_TRY(built, builds.original());
  if (!built.ok) return fail("the original does not build:\n" + built.report.log);
  return built;
}

Verdict build_verdict(const std::string &candidate, const Built &built, const Built &original) {
  Verdict verdict;
  verdict.candidate = candidate;
  verdict.stage = "build";
  verdict.build = built.report;
  add_resources(verdict.build, built.kernels, original.kernels);
  if (built.ok) return verdict;
  verdict.kind = built.timed_out ? VerdictKind::timed_out : VerdictKind::build_failed;
  const std::string &log = built.report.log;
  verdict.reason = built.timed_out ? "the compiler did not finish in time" : "nvcc: " + log.substr(0, 2000);
  return verdict;
}

/// Whether a candidate that is going and the next one have room side by side.
bool fit_twice(const Reference &reference) {
  const DeviceReport &device = reference.device();
  return std::ranges::all_of(reference.plan().layouts, [&](const CaseLayout &layout) {
    return 2 * device_bytes(layout, device.l2_bytes) <= device.memory_bytes;
  });
}

/// Judges one candidate after the other, the next child always in the making.
class Line {
public:
  Line(const WorkerOptions &options, const Emit &emit, std::uint64_t dump_bytes)
      : options_(options), emit_(emit), dump_bytes_(dump_bytes) {}

  Result<> start_next() {
    CUPILOT_TRY(child, ChildProcess::start(dump_bytes_));
    next_ = std::move(child);
    return {};
  }

  Result<> take(const JudgeSetting &setting, const FinishedBuild &build, bool more) {
    if (!build.built) return std::unexpected(build.built.error());
    emit_(built_event(build.candidate, build.built->report.seconds));
    Verdict verdict = build_verdict(build.candidate, *build.built, setting.original);
    if (build.built->ok) {
      CUPILOT_TRY(child, next_child());
      if (more) CUPILOT_CHECKED(start_next());
      verdict = judge_candidate(setting, std::move(verdict), build.built->library, *child,
                                [this] { wait_for_others(); });
      last_ = std::jthread([child = std::move(child)]() mutable { child.reset(); });
      if (!fit_twice(setting.reference)) last_.join();
    }
    const auto path = candidate_folder(options_, build.candidate) / "verdict.json";
    CUPILOT_CHECKED(write_file_atomic(path, to_json(verdict) + "\n"));
    emit_(verdict_event(verdict));
    return {};
  }

private:
  Result<std::unique_ptr<ChildProcess>> next_child() {
    if (!next_) CUPILOT_CHECKED(start_next());
    return std::move(next_);
  }
  /// The device is quiet afterwards. A child that cannot start shows when it is its turn.
  void wait_for_others() {
    if (last_.joinable()) last_.join();
    if (next_) next_->wait_until_ready(std::chrono::steady_clock::now() + std::chrono::seconds(20));
  }

  const WorkerOptions &options_;
  const Emit &emit_;
  const std::uint64_t dump_bytes_;
  std::unique_ptr<ChildProcess> next_;
  std::jthread last_;  ///< ends the child before the current one
};

}  // namespace

Result<> run_worker(const WorkerOptions &given, const Emit &emit) {
  WorkerOptions options = given;
  options.bundle = std::filesystem::absolute(given.bundle);
  CUPILOT_TRY(bundle, load_bundle(options.bundle));
  CUPILOT_TRY(open, open_candidates(options, bundle));
  if (open.empty()) return {};
  CUPILOT_TRY(plan, make_plan(bundle, expected_budget_bytes()));

  const unsigned cores = std::max(2u, std::thread::hardware_concurrency());
  BuildQueue builds(bundle, options.bundle, open, options.jobs ? options.jobs : cores - 1);
  Line line(options, emit, plan.dump_bytes);
  Built original;
  const auto library = [&]() -> Result<std::filesystem::path> {
    CUPILOT_TRY(built, built_original(builds));
    original = std::move(built);
    // Counters see the whole device: nobody makes a context while the original is counted.
    if (!bundle.request.profile) CUPILOT_CHECKED(line.start_next());
    return original.library;
  };
  CUPILOT_TRY(reference, Reference::make(bundle, library, std::move(plan)));
  emit(device_event(reference.device()));

  const JudgeSetting setting{bundle, reference, original};
  while (const auto build = builds.next()) CUPILOT_CHECKED(line.take(setting, *build, builds.more()));
  return {};
}

}  // namespace cupilot
