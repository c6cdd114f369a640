// SPDX-License-Identifier: Apache-2.0
//
// The engine's own cost: questions and answers into the run database, variants into bundles of the database,
// verdicts of full size out of a judge that takes no time. Goals: at most 20 ms a candidate, memory that does
// not grow with the number of candidates by more than what a search may look at again (the variants).

#include <benchmark/benchmark.h>

#include <atomic>
#include <string>

#include "annotate/support/files.h"
#include "evolution/provider/providers.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/role_caller.h"
#include "evolution/store/database.h"
#include "evolution/strategy/pool.h"
#include "tests/resident_memory.h"

namespace cupilot {
using namespace judge::bundle;
using namespace model;
using namespace provider;
using namespace search;
using namespace store;
using namespace strategy;
namespace {

constexpr std::size_t kVariantBytes = 6000, kPrefixBytes = 20000, kPromptBytes = 8000;
constexpr std::size_t kSamples = 300, kWorkloads = 3;
constexpr int kBatch = 8;

double resident_mib() {
  return static_cast<double>(resident_bytes()) / (1 << 20);
}

class InstantModel final : public Provider {
public:
  std::string name() const override { return "instant"; }
  bool costly() const override { return true; }
  Spending at_most(const RoleRequest &) const override { return {.tokens_in = 5000, .tokens_out = 5000}; }
  ProviderAnswer answer(const RoleRequest &) override {
    RoleAnswer answer{.spent = {.tokens_in = 4000, .tokens_out = 2000}};
    answer.content = "// variant " + std::to_string(++answers_) + "\n" + std::string(kVariantBytes, 'v');
    return answer;
  }

private:
  int answers_ = 0;
};

class InstantJudge final : public BatchJudge {
public:
  InstantJudge() {
    verdict_.kind = VerdictKind::faster;
    verdict_.stage = "time";
    verdict_.device.name = "NVIDIA H200";
    for (std::size_t i = 0; i < kWorkloads; ++i) {
      Measurement one{.workload = "w" + std::to_string(i), .verdict = VerdictKind::faster, .speedup = 1.5};
      for (SampleSet *set : {&one.original, &one.candidate})
        for (std::size_t sample = 0; sample < kSamples; ++sample) {
          set->samples_us.push_back(10 + 0.001 * static_cast<double>(sample));
          set->sm_clock_mhz.push_back(1980);
        }
      verdict_.measurements.push_back(one);
    }
  }
  Result<std::vector<Verdict>> judge(const Batch &batch, JudgeEvents &events) override {
    for (const Individual &individual : batch.individuals) {
      verdict_.candidate = individual.id;
      events.verdict(verdict_);
    }
    return std::vector<Verdict>{};
  }
  Result<std::vector<Case>> cases(const judge::cases::Draw &, bool) override { return std::vector<Case>{}; }

private:
  Verdict verdict_;
};

class NoExecutor final : public Executor {
public:
  Result<std::vector<Verdict>> judge(const std::filesystem::path &, JudgeEvents &) override {
    return fail("no executor");
  }
};

/// One search that never ends.
struct Engine {
  Result<void> next_batch() {
    std::vector<RoleRequest> requests;
    for (int i = 0; i < kBatch; ++i)
      requests.push_back({.role = "translator",
                          .prefix = std::string(kPrefixBytes, 'k'),
                          .prompt = std::to_string(++asked) + std::string(kPromptBytes, 'p')});
    CUPILOT_TRY(answers,
                models.ask_all<std::string>(requests, [](std::string_view text) -> Result<std::string> {
                  return std::string(text);
                }));
    Round round{.name = "round", .individuals = {}, .seed = 1};
    for (const auto &answer : answers) {
      Individual individual;
      individual.strategies = {"s" + std::to_string(asked)};
      individual.variant = *answer;
      individual.calls = answer.calls;
      round.individuals.push_back(std::move(individual));
    }
    CUPILOT_CHECKED(evaluator.judge(std::move(round)));
    return {};
  }

  TemporaryFolder folder = TemporaryFolder::create("engine").value();
  Database database = Database::open(folder.path() / "run.db").value();
  std::int64_t run = database.begin_run({.kernel = "k", .kernel_id = "kid"}).value();
  InstantModel model;
  Providers providers{model, model};
  StrategyPool pool;
  SteadyClock clock;
  Progress silence;
  std::atomic<bool> stop{false};
  NoExecutor executor;
  InstantJudge judge;
  TuneSettings settings{.budget = {.wall = std::chrono::hours(24), .candidates = 1000000},
                        .bundles = folder.path()};
  Ledger ledger{settings.budget, {}};
  RoleCaller models{[this](const std::string &) -> Provider & { return model; }, database, run, ledger};
  Evaluator evaluator{{.kernel = "k", .key = {.kernel_id = "kid"}, .run = run},
                      settings,
                      {database, executor, providers, pool, clock, silence, stop},
                      judge};
  int asked = 0;
};

/// A batch of eight candidates, for each one question with its answer, one individual, one verdict with 1,800
/// samples.
void Candidate(benchmark::State &state) {
  Engine engine;
  for (auto _ : state)
    if (const auto next = engine.next_batch(); !next)
      return state.SkipWithError(next.error().message.c_str());
  state.SetItemsProcessed(state.iterations() * kBatch);
}
BENCHMARK(Candidate)->Unit(benchmark::kMillisecond)->Iterations(20);

/// Resident memory after so many candidates of one search, and what each added since the first 500.
void Memory(benchmark::State &state) {
  for (auto _ : state) {
    Engine engine;
    double early = 0;
    for (std::int64_t done = 0; done < state.range(0); done += kBatch) {
      if (done < 500 && done + kBatch >= 500) early = resident_mib();
      if (const auto next = engine.next_batch(); !next)
        return state.SkipWithError(next.error().message.c_str());
    }
    state.counters["resident_MiB"] = resident_mib();
    state.counters["KiB_per_candidate"] =
        (resident_mib() - early) * 1024 / static_cast<double>(state.range(0) - 500);
  }
}
BENCHMARK(Memory)->Arg(1000)->Arg(5000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace cupilot

BENCHMARK_MAIN();
