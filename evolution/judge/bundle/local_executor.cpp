// SPDX-License-Identifier: Apache-2.0
//
// Runs the worker (for a GPU or the CPU) as a child process. Its output lines only report progress; its
// verdict files are the result. Whenever the worker ends the files are read, and only candidates without one
// are tried again.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/bundle/verdict_files.h"
#include "evolution/judge/bundle/worker_line.h"

namespace cupilot::judge::bundle {
namespace {

using std::chrono::milliseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

/// How often the end of a silent worker and the stop flag are checked.
constexpr milliseconds kTick{50};

enum class RunEnd { done, died, silent, stopped };

/// One run of the worker process.
class WorkerRun {
public:
  /// `first`: no worker of this executor was started before.
  WorkerRun(VerdictFiles &verdicts, JudgeEvents &events, const StopFlag *stop, milliseconds silence,
            bool first)
      : verdicts_(verdicts), events_(events), stop_(stop), silence_(silence) {
    if (!first) environment_.emplace_back("CUPILOT_SANDBOX_TOLD", "1");
  }

  /// Errors: the worker's "error" event, an invalid stream, or a worker that cannot be started.
  Result<RunEnd> run(const std::vector<std::string> &argv) {
    CUPILOT_TRY(worker, LineProcess::start(argv, environment_));
    auto heard = std::chrono::steady_clock::now();
    while (true) {
      const auto line = worker.receive(kTick);
      if (stop_ && *stop_) return finish(RunEnd::stopped);
      if (line) {
        heard = std::chrono::steady_clock::now();
        CUPILOT_CHECKED(take(*line));
        if (done_) return finish(RunEnd::done);
        continue;
      }
      if (worker.at_end()) {
        how_ended_ = worker.wait().describe();
        if (!understood_)
          return fail(fmt::format("'{}' ended with {} before it reported anything", argv[0], how_ended_));
        return finish(RunEnd::died);
      }
      if (std::chrono::steady_clock::now() - heard > silence_) return finish(RunEnd::silent);
    }
  }

  std::string how_ended() const {
    return how_ended_.empty() ? fmt::format("the worker said nothing for {} s", silence_.count() / 1000)
                              : "the worker ended with " + how_ended_;
  }

private:
  RunEnd finish(RunEnd end) {
    verdicts_.collect();
    return end;
  }

  Result<void> take(const std::string &line) {
    CUPILOT_TRY(message, read_worker_line(line));
    understood_ = understood_ || !std::holds_alternative<WorkerOther>(message);
    if (!understood_)
      return fail(
          "the first line of the worker's output does not state its version; is the program a "
          "cupilot-worker?");
    if (const auto *greeting = std::get_if<WorkerHello>(&message); greeting && greeting->device)
      events_.device(*greeting->device);
    if (const auto *built = std::get_if<WorkerBuilt>(&message))
      events_.built(built->candidate, built->seconds);
    if (std::holds_alternative<WorkerVerdict>(message)) verdicts_.collect();
    done_ = std::holds_alternative<WorkerDone>(message);
    if (const auto *error = std::get_if<WorkerError>(&message)) {
      verdicts_.collect();
      events_.error(error->message);
      return fail(error->message, error->input ? Blame::user : Blame::environment);
    }
    return {};
  }

  VerdictFiles &verdicts_;
  JudgeEvents &events_;
  const StopFlag *stop_;
  milliseconds silence_;
  std::vector<std::pair<std::string, std::string>> environment_;
  bool understood_ = false, done_ = false;
  std::string how_ended_;
};

/// The longest time that a working worker can be silent: build and run of the original, then of a candidate.
milliseconds allowed_silence(const model::Bundle &bundle) {
  const auto seconds = 2 * (bundle.request.build_seconds + bundle.request.run_seconds) + 60;
  return milliseconds(static_cast<long long>(seconds * 1000));
}

std::vector<std::string> command_line(const LocalOptions &options, const std::filesystem::path &bundle,
                                      const std::vector<std::string> &only) {
  std::vector<std::string> argv{options.worker.string()};
  argv.insert(argv.end(), options.words.begin(), options.words.end());
  argv.push_back(bundle.string());
  if (options.jobs > 0) argv.insert(argv.end(), {"--jobs", std::to_string(options.jobs)});
  if (!only.empty()) argv.insert(argv.end(), {"--only", join(only, ",")});
  return argv;
}

}  // namespace

Result<std::vector<model::Verdict>> LocalExecutor::judge(const std::filesystem::path &folder,
                                                         JudgeEvents &events) {
  CUPILOT_TRY(bundle, read_bundle(folder));
  VerdictFiles verdicts(folder, bundle, events);
  verdicts.collect();
  if (verdicts.missing().empty()) return verdicts.in_order();
  const auto silence = options_.silence_limit.value_or(allowed_silence(bundle));
  WorkerRun all(verdicts, events, options_.stop, silence, !std::exchange(started_, true));
  CUPILOT_TRY(end, all.run(command_line(options_, folder, {})));
  if (end == RunEnd::stopped) return verdicts.in_order();
  // One candidate at a time, so that one that kills the worker affects no other candidate.
  for (const auto &id : verdicts.missing()) {
    WorkerRun alone(verdicts, events, options_.stop, silence, false);
    CUPILOT_TRY(again, alone.run(command_line(options_, folder, {id})));
    if (again == RunEnd::stopped) return verdicts.in_order();
    const auto left = verdicts.missing();
    if (std::ranges::find(left, id) == left.end()) continue;
    const auto why = again == RunEnd::done ? "the worker finished without a verdict" : alone.how_ended();
    verdicts.give_up(id, why + " twice while this candidate was being judged");
  }
  return verdicts.in_order();
}

}  // namespace cupilot::judge::bundle
