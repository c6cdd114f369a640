// SPDX-License-Identifier: Apache-2.0
//
// fake-worker BUNDLE [--jobs N] [--only ID,...]: speaks like cupilot-worker, judges by the rules of
// fake_rules.h. `fake-worker judge BUNDLE ...` speaks like cupilot-emulate: estimates, no measurements. Its
// surroundings may ask for more through the environment:
//   CUPILOT_FAKE_ERROR=text      an error event instead of any verdict
//   CUPILOT_FAKE_ERROR_INPUT=1   it is about the user's input
//   CUPILOT_FAKE_DIE_AFTER=n     killed after n verdicts of this run
//   CUPILOT_FAKE_LOG=file        one line a candidate judged: shows what was judged twice
//   CUPILOT_FAKE_COMPILER=file   gets the compiler it was told to build with
//   CUPILOT_FAKE_DELAY_MS=n      time one candidate takes
//   CUPILOT_FAKE_RULES=file      see fake_rules.h

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "annotate/support/files.h"
#include "annotate/support/text.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/model/verdict_json.h"
#include "tests/fakes/worker/fake_rules.h"

namespace cupilot::fake {
using namespace cupilot::judge::bundle;
using namespace cupilot::model;
using namespace cupilot::spec;
namespace {

namespace fs = std::filesystem;

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

void say(const std::string &line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

[[noreturn]] void die() {
  ::raise(SIGKILL);
  std::abort();
}

bool emulated = false;  ///< called as cupilot-emulate is

DeviceReport device(const Bundle &bundle) {
  DeviceReport report;
  report.name = "Fake GPU";
  report.architecture = bundle.architecture;
  report.driver = report.runtime = "1.0";
  report.multiprocessors = 4;
  report.memory_bytes = std::size_t{1} << 30;
  report.l2_bytes = 1 << 20;
  report.copy_bandwidth_gbs = 100;
  report.sm_clock_mhz = 1000;
  if (emulated) report.emulated = true, report.table = "made up", report.copy_bandwidth_gbs = 0;
  return report;
}

SampleSet samples(double median) {
  SampleSet set;
  set.samples_us = {median * 0.999, median, median * 1.001};
  set.sm_clock_mhz = {1000, 1000, 1000};
  set.min_us = set.samples_us[0];
  set.q1_us = median * 0.9995;
  set.median_us = set.mean_us = median;
  set.q3_us = median * 1.0005;
  set.stdev_us = median * 0.001;
  return set;
}

Measurement measurement(const std::string &workload, const Answer &answer) {
  Measurement m;
  m.workload = workload;
  m.original = samples(100);
  m.candidate = samples(100 / answer.speedup);
  m.verdict = answer.kind;
  m.speedup = answer.speedup;
  m.speedup_low = m.original.min_us / m.candidate.q3_us;
  m.speedup_high = m.original.q3_us / m.candidate.min_us;
  m.bytes_moved = 1e6;
  m.bandwidth_share = std::min(1.0, 0.2 * answer.speedup);
  m.stopped_because = "relative error 0.1 %";
  return m;
}

Estimate estimate(const std::string &workload, const Answer &answer) {
  Estimate e{.workload = workload, .verdict = answer.kind, .ratio = answer.speedup};
  e.tie = answer.kind == VerdictKind::same;
  e.original = {100, "dram", {{"dram", 100}}, 1, 4096, 64};
  e.candidate = {100 / answer.speedup, "lsu", {{"lsu", 100 / answer.speedup}}, 1, 4096, 64};
  return e;
}

bool correct(VerdictKind kind) {
  using enum VerdictKind;
  return kind == faster || kind == slower || kind == same || kind == unsure;
}

Verdict verdict(const Bundle &bundle, const std::string &id, const Answer &answer) {
  Verdict result;
  result.candidate = id;
  result.kind = answer.kind;
  result.reason = answer.reason;
  result.device = device(bundle);
  result.precision = to_string(bundle.precision);
  result.oracle = "twin";
  result.seed = bundle.request.seed;
  result.secret = bundle.request.secret;
  result.stage = correct(answer.kind)                       ? "time"
                 : answer.kind == VerdictKind::build_failed ? "build"
                                                            : "correct";
  if (!correct(answer.kind)) return result;
  for (const auto &one : bundle.cases) {
    result.cases_passed.push_back(one.id);
    if (!one.shrunk.empty()) result.limits.push_back(one.workload + " verified at " + one.shrunk);
    if (!one.timed || !bundle.request.time) continue;
    if (emulated)
      result.estimates.push_back(estimate(one.id, answer));
    else
      result.measurements.push_back(measurement(one.id, answer));
  }
  return result;
}

/// Everything that can go wrong with a candidate, before its verdict is there.
bool meets_fate(const fs::path &bundle, const std::string &id, const Answer &answer,
                const std::string &text) {
  const auto place = verdict_path(bundle, id);
  const auto died_before = place.parent_path() / "died";
  switch (answer.fate) {
    case Fate::judged:
      return false;
    case Fate::silent:
      return true;
    case Fate::dies:
      die();
    case Fate::hangs:
      while (true) ::pause();
    case Fate::dies_half: {
      std::FILE *file = std::fopen(place.c_str(), "w");
      if (file) std::fputs(text.substr(0, text.size() / 2).c_str(), file), std::fclose(file);
      die();
    }
    case Fate::dies_once:
      if (fs::exists(died_before)) return false;
      if (!write_file_atomic(died_before, "")) std::abort();
      die();
  }
  return false;
}

struct Arguments {
  fs::path bundle;
  std::vector<std::string> only;
};

Arguments arguments(int count, char **words) {
  Arguments result;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (i == 1 && word == "judge")
      emulated = true;
    else if (word == "--jobs" && i + 1 < count)
      ++i;
    else if (word == "--only" && i + 1 < count)
      result.only = split(words[++i], ',');
    else
      result.bundle = word;
  }
  return result;
}

bool judge(const fs::path &folder, const Bundle &bundle, const std::string &id) {
  const auto variant = read_file(folder / "candidates" / id / "variant.cuh").value_or("");
  const auto answer = answer_for(variant, environment("CUPILOT_FAKE_RULES"));
  if (const auto log = environment("CUPILOT_FAKE_LOG"); !log.empty()) (void)append_line(log, id);
  ::usleep(static_cast<useconds_t>(std::atoi(environment("CUPILOT_FAKE_DELAY_MS").c_str())) * 1000);
  const auto text = to_json(verdict(bundle, id, answer));
  if (meets_fate(folder, id, answer, text)) return false;
  say(R"({"event":"built","candidate":")" + id + R"(","seconds":0.5})");
  if (!write_file_atomic(verdict_path(folder, id), text)) std::abort();
  say(R"({"event":"verdict","candidate":")" + id + R"(","verdict":")" + to_string(answer.kind) + R"("})");
  return true;
}

int run(const Arguments &arguments) {
  const auto bundle = read_bundle(arguments.bundle);
  if (!bundle) {
    std::fprintf(stderr, "fake-worker: %s\n", bundle.error().message.c_str());
    return 2;
  }
  if (const auto file = environment("CUPILOT_FAKE_COMPILER"); !file.empty())
    (void)write_file_atomic(file, environment("CUPILOT_NVCC"));
  if (const auto error = environment("CUPILOT_FAKE_ERROR"); !error.empty()) {
    const bool input = !environment("CUPILOT_FAKE_ERROR_INPUT").empty();
    say(R"({"event":"error","message":")" + error + R"(","input":)" + (input ? "true" : "false") + "}");
    return 1;
  }
  say(R"({"cupilot_worker":1,"device":{"name":"Fake GPU","architecture":")" + bundle->architecture +
      R"(","driver":"1.0","runtime":"1.0","multiprocessors":4,"memory_bytes":1073741824,"l2_bytes":1048576,)"
      R"("copy_bandwidth_gbs":100.0,"sm_clock_mhz":1000.0)" +
      (emulated ? R"(,"emulated":true)" : "") + "}}");
  const auto die_after = environment("CUPILOT_FAKE_DIE_AFTER");
  int judged = 0;
  for (const auto &candidate : bundle->candidates) {
    const auto &only = arguments.only;
    if (!only.empty() && std::ranges::find(only, candidate.id) == only.end()) continue;
    if (fs::exists(verdict_path(arguments.bundle, candidate.id))) continue;
    if (!die_after.empty() && judged >= std::atoi(die_after.c_str())) die();
    judged += judge(arguments.bundle, *bundle, candidate.id);
  }
  say(R"({"event":"done"})");
  return 0;
}

}  // namespace
}  // namespace cupilot::fake

int main(int count, char **words) {
  return cupilot::fake::run(cupilot::fake::arguments(count, words));
}
