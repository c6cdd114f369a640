// SPDX-License-Identifier: Apache-2.0
//
// How often the timing of this project is right on this GPU: the same kernel against itself must be `same`,
// one that does one percent less work `faster`. Prints a table; --json and --samples write what it stands on.
//
//   timing_trial [--same N] [--one-percent N] [--kernels NAME,...] [--per-process N] [--budget SECONDS]
//                [--seconds CAP] [--json FILE] [--samples FILE]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "annotate/support/process.h"
#include "evolution/device/kernels/cuda_call.h"
#include "evolution/device/timing/comparison.h"
#include "evolution/judge/data/input_family.h"
#include "evolution/judge/time/statistics.h"
#include "timing_kernels.h"

namespace cupilot::trial {
using namespace cupilot::device::memory;
using namespace cupilot::device::timing;
using namespace cupilot::judge::data;
using namespace cupilot::judge::launches;
using namespace cupilot::judge::time;
using namespace cupilot::model;
using namespace cupilot::spec;
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Options {
  int same = 0, one_percent = 0, per_process = 10;
  double budget = 600, seconds = 2;
  std::string json, samples;
  std::vector<std::string> kernels;
  std::string child;  ///< "kernel units first count": this process is one that runs trials
};

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Parameter pointer(const std::string &name, bool is_const) {
  Parameter parameter;
  parameter.name = name;
  parameter.type = is_const ? "const float *" : "float *";
  parameter.pointer = true;
  parameter.const_pointee = is_const;
  parameter.element = ElementType::f32;
  parameter.element_type = "float";
  parameter.element_bytes = 4;
  return parameter;
}

/// Everything made anew, as for a candidate; `units` of the original, 100 of the candidate.
Result<TimingReport> compare(const Kernel &kernel, int units, std::uint64_t seed, double seconds,
                             const cudaDeviceProp &properties, double clock_mhz) {
  const std::vector<Parameter> parameters{pointer("in", true), pointer("out", false)};
  Case which;
  which.id = which.workload = kernel.name;
  which.buffers = {{"in", BufferRole::in, kernel.elements, {}},
                   {"out", BufferRole::out, kernel.elements, {}}};
  Setting setting;
  setting.which = &which;
  setting.family = "user";
  setting.seed = seed;
  cudaStream_t stream = nullptr;
  CUPILOT_CUDA("creating a stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CaseMemory memory(stream);
  Rotation rotation(stream, memory);
  CUPILOT_TRY(watch, Stopwatch::make(stream, static_cast<std::size_t>(properties.l2CacheSize),
                                     properties.multiProcessorCount));
  TimingOptions options;
  options.seconds = seconds;
  options.order_seed = seed + 1;
  options.seeds = {seed, seed + 2, seed + 3, seed + 4};
  if (kernel.elements > (16u << 20)) options.seeds.resize(2);
  CUPILOT_CHECKED(rotation.prepare(parameters, setting, options.seeds));
  const auto launcher = [&](Comparison::Side side, CaseMemory &at) -> Result<Stopwatch::Launch> {
    const auto *in = reinterpret_cast<const float *>(at.address(at.layout().buffers[0]));
    auto *out = reinterpret_cast<float *>(at.address(at.layout().buffers[1]));
    const int work = side == Comparison::kOriginal ? units : 100;
    return Stopwatch::Launch([&kernel, in, out, work, stream]() -> Result<> {
      CUPILOT_CUDA("launching", kernel.launch(in, out, kernel.elements, work, stream));
      return {};
    });
  };
  const Comparison::Device device{stream, static_cast<std::size_t>(properties.l2CacheSize), clock_mhz};
  auto report = Comparison(device, *watch, rotation, launcher, options).run();
  (void)cudaStreamSynchronize(stream);
  return report;
}

std::vector<double> rounded(const std::vector<double> &values, double to) {
  std::vector<double> all;
  for (const double value : values) all.push_back(std::round(value * to) / to);
  return all;
}

Json trial_json(const Kernel &kernel, int units, const TimingReport &report, double seconds) {
  Measurement m;
  m.original = report.original;
  m.candidate = report.candidate;
  summarise(m.original);
  summarise(m.candidate);
  judge_times(m);
  if (!report.too_short.empty()) m.verdict = VerdictKind::unsure;
  std::uint64_t differing = 0, unwritten = 0, launches = 0;
  for (const TimedOutputs &seen : report.outputs)
    differing += seen.differing, unwritten += seen.unwritten, launches += seen.launches;
  return Json{{"kernel", kernel.name},
              {"original_units", units},
              {"candidate_units", 100},
              {"verdict", to_string(m.verdict)},
              {"speedup", m.speedup},
              {"low", m.speedup_low},
              {"high", m.speedup_high},
              {"noise", m.noise},
              {"median_us", m.candidate.median_us},
              {"launches", report.launches},
              {"stopped_because", report.stopped_because},
              {"too_short", report.too_short},
              {"dropped", m.candidate.dropped.size()},
              {"checked_launches", launches},
              {"differing", differing},
              {"unwritten", unwritten},
              {"synchronised", report.synchronised},
              {"looks", report.looks.size()},
              {"events_us", report.looks.empty() ? 0 : report.looks.back().candidate.events_us},
              {"wall_us", report.looks.empty() ? 0 : report.looks.back().candidate.wall_us},
              {"batch", report.looks.empty() ? 0 : report.looks.back().candidate.launches},
              {"seconds", seconds},
              {"original_us", rounded(m.original.samples_us, 1e4)},
              {"original_mhz", rounded(m.original.sm_clock_mhz, 10)},
              {"candidate_us", rounded(m.candidate.samples_us, 1e4)},
              {"candidate_mhz", rounded(m.candidate.sm_clock_mhz, 10)}};
}

const Kernel *kernel_named(const std::string &name) {
  for (const Kernel &kernel : kernels())
    if (kernel.name == name) return &kernel;
  return nullptr;
}

/// One JSON line a trial.
Result<> run_child(const Options &options) {
  std::istringstream words(options.child);
  std::string name;
  int units = 0, first = 0, count = 0;
  words >> name >> units >> first >> count;
  const Kernel *kernel = kernel_named(name);
  if (!kernel) return fail("no kernel '" + name + "'");
  cudaDeviceProp properties{};
  int clock_khz = 0;
  CUPILOT_CUDA("asking for the device's properties", cudaGetDeviceProperties(&properties, 0));
  CUPILOT_CUDA("asking for the clock", cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
  for (int i = first; i < first + count; ++i) {
    const auto start = Clock::now();
    const std::uint64_t seed = derived_seed(static_cast<std::uint64_t>(i), name);
    CUPILOT_TRY(report, compare(*kernel, units, seed, options.seconds, properties, clock_khz / 1e3));
    std::cout << trial_json(*kernel, units, report, since(start)).dump() << '\n' << std::flush;
  }
  return {};
}

/// All trials of one kernel and one difference.
struct Series {
  const Kernel *kernel;
  int units;
  std::vector<Json> trials;
  std::string problem;
};

void run_series(Series &series, int wanted, const Options &options, Clock::time_point begun,
                const std::string &program) {
  for (int first = 0; first < wanted; first += options.per_process) {
    if (since(begun) > options.budget) {
      series.problem = "budget of " + std::to_string(static_cast<int>(options.budget)) + " s spent";
      return;
    }
    ProcessRequest ask;
    ask.argv = {program, "--seconds", std::to_string(options.seconds), "--child",
                series.kernel->name + " " + std::to_string(series.units) + " " + std::to_string(first) + " " +
                    std::to_string(std::min(options.per_process, wanted - first))};
    const auto answer = run_process(ask);
    if (!answer) {
      series.problem = answer.error().message;
      return;
    }
    std::istringstream lines(answer->out);
    for (std::string line; std::getline(lines, line);) {
      Json trial = Json::parse(line, nullptr, false);
      if (!trial.is_discarded()) series.trials.push_back(std::move(trial));
    }
    if (!answer->err.empty()) series.problem = answer->err;
  }
}

double at_share(const std::vector<Json> &trials, const char *member, double share) {
  std::vector<double> values;
  for (const Json &trial : trials) values.push_back(trial.at(member).get<double>());
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : quantile(values, share);
}

void print_head() {
  std::printf("%-15s %-8s %5s | %6s %6s %6s %6s | %8s %8s %8s | %8s %8s %4s %7s\n", "kernel", "work", "n",
              "faster", "slower", "same", "unsure", "low 5%", "median", "high 5%", "us", "noise %", "k",
              "s/trial");
}

Json summarise_series(const Series &series) {
  std::map<std::string, int> verdicts{{"faster", 0}, {"slower", 0}, {"same", 0}, {"unsure", 0}};
  double samples = 0;
  std::uint64_t differing = 0, unwritten = 0;
  for (const Json &trial : series.trials) {
    ++verdicts[trial.at("verdict")];
    samples += static_cast<double>(trial.at("candidate_us").size());
    differing += trial.at("differing").get<std::uint64_t>();
    unwritten += trial.at("unwritten").get<std::uint64_t>();
  }
  const auto n = static_cast<double>(std::max<std::size_t>(1, series.trials.size()));
  const std::string work = std::to_string(series.units) + ":100";
  std::printf("%-15s %-8s %5zu | %6d %6d %6d %6d | %8.4f %8.4f %8.4f | %8.2f %8.3f %4.0f %7.2f\n",
              series.kernel->name.c_str(), work.c_str(), series.trials.size(), verdicts["faster"],
              verdicts["slower"], verdicts["same"], verdicts["unsure"],
              at_share(series.trials, "speedup", 0.05), at_share(series.trials, "speedup", 0.5),
              at_share(series.trials, "speedup", 0.95), at_share(series.trials, "median_us", 0.5),
              100 * at_share(series.trials, "noise", 0.5), at_share(series.trials, "launches", 0.5),
              at_share(series.trials, "seconds", 0.5));
  if (differing || unwritten)
    std::printf("  outputs: %llu launches differ, %llu elements unwritten\n",
                static_cast<unsigned long long>(differing), static_cast<unsigned long long>(unwritten));
  if (!series.problem.empty()) std::printf("  %s\n", series.problem.c_str());
  std::fflush(stdout);
  return Json{{"kernel", series.kernel->name},
              {"bound", series.kernel->bound},
              {"work", work},
              {"trials", series.trials.size()},
              {"verdicts", verdicts},
              {"speedup_5", at_share(series.trials, "speedup", 0.05)},
              {"speedup_50", at_share(series.trials, "speedup", 0.5)},
              {"speedup_95", at_share(series.trials, "speedup", 0.95)},
              {"median_us", at_share(series.trials, "median_us", 0.5)},
              {"noise_50", at_share(series.trials, "noise", 0.5)},
              {"noise_95", at_share(series.trials, "noise", 0.95)},
              {"samples", samples / n},
              {"seconds_50", at_share(series.trials, "seconds", 0.5)},
              {"seconds_95", at_share(series.trials, "seconds", 0.95)},
              {"problem", series.problem}};
}

int run_all(const Options &options, const std::string &program) {
  const auto begun = Clock::now();
  Json table = Json::array();
  std::ofstream samples;
  if (!options.samples.empty()) samples.open(options.samples);
  print_head();
  for (const Kernel &kernel : kernels()) {
    if (!options.kernels.empty() && std::ranges::find(options.kernels, kernel.name) == options.kernels.end())
      continue;
    for (const auto &[units, wanted] : {std::pair{100, options.same}, std::pair{101, options.one_percent}}) {
      if (wanted == 0) continue;
      Series series{&kernel, units, {}, {}};
      run_series(series, wanted, options, begun, program);
      table.push_back(summarise_series(series));
      for (const Json &trial : series.trials) samples << trial.dump() << '\n';
    }
  }
  std::printf("%.0f s in all\n", since(begun));
  if (!options.json.empty()) std::ofstream(options.json) << table.dump(1) << '\n';
  return 0;
}

Result<Options> read_options(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string word = argv[i];
    if (i + 1 >= argc) return fail(word + " needs a value");
    const std::string value = argv[i + 1];
    const double number = std::strtod(value.c_str(), nullptr);
    if (word == "--same")
      options.same = static_cast<int>(number);
    else if (word == "--one-percent")
      options.one_percent = static_cast<int>(number);
    else if (word == "--per-process")
      options.per_process = std::max(1, static_cast<int>(number));
    else if (word == "--budget")
      options.budget = number;
    else if (word == "--seconds")
      options.seconds = number;
    else if (word == "--json")
      options.json = value;
    else if (word == "--samples")
      options.samples = value;
    else if (word == "--child")
      options.child = value;
    else if (word == "--kernels") {
      std::istringstream names(value);
      for (std::string name; std::getline(names, name, ',');) {
        if (!kernel_named(name)) return fail("no kernel '" + name + "'");
        options.kernels.push_back(name);
      }
    } else
      return fail("unknown option " + word);
  }
  if (options.child.empty() && options.same == 0 && options.one_percent == 0)
    options.same = options.one_percent = 10;
  return options;
}

int run(int argc, char **argv) {
  const auto options = read_options(argc, argv);
  if (!options) {
    std::cerr << "timing_trial: " << options.error().message << '\n';
    return 2;
  }
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::cout << "skipped: no usable CUDA device\n";
    return 77;
  }
  if (options->child.empty()) return run_all(*options, "/proc/self/exe");
  const auto done = run_child(*options);
  if (!done) std::cerr << "timing_trial: " << done.error().message << '\n';
  return done ? 0 : 1;
}

}  // namespace
}  // namespace cupilot::trial

int main(int argc, char **argv) {
  return cupilot::trial::run(argc, argv);
}
