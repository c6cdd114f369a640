// SPDX-License-Identifier: Apache-2.0
//
// What cupilot-cc costs over running the compiler alone. Every case runs the bare compiler and the launched
// one in turns and reports the difference of the medians, of wall and of processor time. Goals: no pragma 2
// ms, a swap whose record matches 10 ms.
#include <benchmark/benchmark.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"

extern char **environ;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Clock = std::chrono::steady_clock;

/// Milliseconds of one child and all of its own; on a busy machine the processor's time tells more than the
/// wall's.
struct Spent {
  double wall = 0, processor = 0;
};

Spent run(const Words &command) {
  std::vector<char *> argv;
  for (const auto &word : command) argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  const auto begin = Clock::now();
  pid_t child = 0;
  int status = 1;
  struct rusage usage{};
  if (::posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), environ) == 0)
    ::wait4(child, &status, 0, &usage);
  const std::chrono::duration<double, std::milli> wall = Clock::now() - begin;
  if (status) std::fprintf(stderr, "'%s' failed\n", argv[0]), std::abort();
  const auto ms = [](const timeval &t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return {wall.count(), ms(usage.ru_utime) + ms(usage.ru_stime)};
}

double median(std::vector<Spent> values, double Spent::*member) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle, {}, member);
  return (*middle).*member;
}

class Project {
public:
  Project(int headers, bool pragma) {
    std::string source = pragma ? "#pragma cupilot optimize\n" : "";
    for (int i = 0; i < headers; ++i) {
      const auto name = "h" + std::to_string(i) + ".h";
      write(name, std::string(20000, '\n') + "int x;\n");
      source += "#include \"" + name + "\"\n";
    }
    write("x.cu", source + "__global__ void k(float *x, int n) { x[0] = n; }\n");
  }
  void write(const fs::path &name, const std::string &content) const {
    if (!cupilot::write_file_atomic(folder_.path() / name, content)) std::abort();
  }
  void land() const {
    const std::string variant = "bool launch(const cupilot::Launch &, float *, int) { return false; }\n";
    const auto source = cupilot::read_file(folder_.path() / "x.cu").value();
    write("tuned/k/sm_90/variant.cuh", variant);
    write(
        "tuned/k/sm_90/record.json",
        R"({"cupilot_record":1,"arch":"sm_90","kernel":{"name":"k","instantiation":"k","namespaces":[],"file":"x.cu",)"
        R"("parameters":[{"name":"x"},{"name":"n"}]},"kernel_id":"id","fingerprints":[{"source":"x.cu","macros":")" +
            cupilot::Sha256().hex() + R"(","files":[{"path":"x.cu","sha256":")" + cupilot::sha256(source) +
            R"("}]}],"guard":{"domain":{},"launch":{"grid":["1","1","1"],"block":["n","1","1"],"shared_bytes":"0"}},)" +
            R"("variant_sha256":")" + cupilot::sha256(variant) + R"("})");
  }
  /// The committed records of other kernels, as long as records are.
  void land_others() const {
    std::error_code failed;
    fs::copy(OTHER_RECORDS, folder_.path() / "tuned", fs::copy_options::recursive, failed);
    if (failed) std::abort();
  }
  Words bare() const {
    const auto at = [&](const char *name) { return (folder_.path() / name).string(); };
    return {INSTANT_COMPILER, "-arch=sm_90", "-MD",    "-MF", at("x.d"), "-x", "cu", "-c",
            at("x.cu"),       "-o",          at("x.o")};
  }
  Words launched() const {
    Words command{CUPILOT_CC,
                  "--records",
                  (folder_.path() / "tuned").string(),
                  "--cache",
                  (folder_.path() / "cache").string(),
                  "--"};
    std::ranges::copy(bare(), std::back_inserter(command));
    return command;
  }

private:
  cupilot::TemporaryFolder folder_ = cupilot::TemporaryFolder::create("cupilot-bench").value();
};

void measure(benchmark::State &state, const Project &project) {
  const auto bare = project.bare(), launched = project.launched();
  run(launched);  // fills the cache
  std::vector<Spent> alone, together;
  for (auto _ : state) {
    alone.push_back(run(bare));
    together.push_back(run(launched));
    state.SetIterationTime(together.back().wall / 1000);
  }
  state.counters["bare_ms"] = median(alone, &Spent::wall);
  state.counters["over_ms"] = median(together, &Spent::wall) - median(alone, &Spent::wall);
  state.counters["over_cpu_ms"] = median(together, &Spent::processor) - median(alone, &Spent::processor);
}

void no_pragma(benchmark::State &state) {
  measure(state, Project(static_cast<int>(state.range(0)), false));
}
void pragma_without_record(benchmark::State &state) {
  measure(state, Project(0, true));
}
void pragma_beside_other_records(benchmark::State &state) {
  const Project project(0, true);
  project.land_others();
  measure(state, project);
}
void cached_swap(benchmark::State &state) {
  const Project project(static_cast<int>(state.range(0)), true);
  project.land();
  measure(state, project);
}

BENCHMARK(no_pragma)->Arg(0)->Arg(24)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(pragma_without_record)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(pragma_beside_other_records)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(cached_swap)->Arg(0)->Arg(24)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char **argv) {
  ::setenv("INSTANT_OBJECT", SWAPPED_OBJECT, 1);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
