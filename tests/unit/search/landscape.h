// SPDX-License-Identifier: Apache-2.0
//
// A search without compiler or GPU: a provider that writes variants which only say what they are, and a judge
// whose verdicts are a function of strategies and knobs. The clock moves only when something is judged.

#pragma once

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"
#include "evolution/model/role.h"
#include "evolution/model/verdict_json.h"
#include "evolution/provider/providers.h"
#include "evolution/search/knobs.h"
#include "evolution/search/search.h"
#include "evolution/store/database.h"
#include "evolution/strategy/pool.h"

namespace cupilot {
using namespace judge::bundle;
using namespace model;
using namespace provider;
using namespace search;
using namespace spec;
using namespace store;
using namespace strategy;

class FakeClock final : public Clock {
public:
  std::chrono::milliseconds now() const override { return time; }
  std::chrono::milliseconds time{0};
};

struct FakeRule {
  std::string name;
  double gain = 1.1;
  std::string knob_line;    ///< "constexpr int kThreads = 256;  // knob: 64 128 256"
  std::string refusal;      ///< not empty: refused with this reason ...
  std::string unless_with;  ///< ... unless this rule is there too
};

/// Plays `builtin`: a variant names its rules in its first line and carries their knob lines.
class FakeProvider final : public Provider {
public:
  explicit FakeProvider(std::vector<FakeRule> rules) : rules_(std::move(rules)) {}
  std::string name() const override { return "builtin"; }
  bool costly() const override { return false; }

  ProviderAnswer answer(const RoleRequest &request) override {
    if (!failure.empty()) return std::unexpected(NoAnswer{.reason = failure});
    const auto content = nlohmann::json::parse(request.content);
    std::vector<std::string> asked;
    for (const auto &strategy : content.at("strategies")) asked.push_back(strategy.at("id"));
    RoleAnswer answer;
    answer.content = (request.role == "strategist" ? choose(asked) : translate(asked)).dump();
    return answer;
  }
  std::string failure;

private:
  static nlohmann::json choose(const std::vector<std::string> &asked) {
    return {{"cupilot_answer", 1}, {"strategies", asked}};
  }
  nlohmann::json translate(const std::vector<std::string> &asked) const {
    nlohmann::json refused = nlohmann::json::array();
    std::string text = "// rules: " + join(asked, " ") + "\n";
    for (const std::string &name : asked) {
      const FakeRule &rule = *std::ranges::find(rules_, name, &FakeRule::name);
      const bool company = std::ranges::find(asked, rule.unless_with) != asked.end();
      if (!rule.refusal.empty() && !company)
        refused.push_back({{"rule", name}, {"reason", rule.refusal}, {"line", 7}});
      if (!rule.knob_line.empty()) text += rule.knob_line + "\n";
    }
    if (!refused.empty()) return {{"cupilot_answer", 1}, {"refused", refused}};
    return {{"cupilot_answer", 1}, {"variant", text}, {"knobs", nlohmann::json::array()}, {"applied", asked}};
  }
  std::vector<FakeRule> rules_;
};

struct Point {
  std::set<std::string> rules;
  std::map<std::string, long long> knobs;
  std::uint64_t seed = 0;
  bool finalist = false;
  bool has(const std::string &rule) const { return rules.contains(rule); }
  long long knob(const std::string &name, long long otherwise) const {
    const auto found = knobs.find(name);
    return found == knobs.end() ? otherwise : found->second;
  }
};

/// A speed-up makes faster, same or slower; the other kinds say so themselves.
struct Terrain {
  VerdictKind kind = VerdictKind::faster;
  double speedup = 0;
  std::string reason;
  double bandwidth_share = 0.5;
};
inline Terrain speed(double speedup) {
  if (speedup > 1.005) return {VerdictKind::faster, speedup, "faster"};
  if (speedup < 0.995) return {VerdictKind::slower, speedup, "slower"};
  return {VerdictKind::same, speedup, "no difference"};
}

class FakeJudge final : public BatchJudge {
public:
  using Landscape = std::function<Terrain(const Point &)>;
  FakeJudge(FakeClock &clock, Landscape landscape) : clock_(clock), landscape_(std::move(landscape)) {}

  /// Where a kill strikes, counted in verdicts: the engine hears of verdict `die_at` or only its file is
  /// there.
  enum class Death { after_callback, before_callback, before_file };
  int die_at = -1;
  Death death = Death::after_callback;
  std::function<void(int)> after_verdict;  ///< how many there were
  std::string device = "NVIDIA H200", failure;
  double gpu_seconds = 0;         ///< of each verdict
  std::chrono::seconds start{0};  ///< until the first build of a batch runs
  std::map<std::pair<std::string, std::uint64_t>, int> times_judged;  ///< by variant and seed
  std::vector<std::size_t> batch_sizes;
  int verdicts = 0;

  Result<std::vector<Verdict>> judge(const Batch &batch, JudgeEvents &events) override {
    if (!failure.empty()) return fail(failure);
    batch_sizes.push_back(batch.individuals.size());
    clock_.time += start;
    for (const Individual &individual : batch.individuals) {
      if (stop != nullptr && stop->load()) break;
      const bool dying = verdicts + 1 == die_at;
      if (dying && death == Death::before_file) return fail("killed");
      const Verdict verdict = judge_one(individual, batch);
      leave_file(batch, verdict);
      if (dying && death == Death::before_callback) return fail("killed");
      events.built(individual.id, 1);
      events.verdict(verdict);
      if (after_verdict) after_verdict(verdicts);
      if (dying) return fail("killed");
    }
    return std::vector<Verdict>{};
  }
  Result<std::vector<Case>> cases(const judge::cases::Draw &draw, bool) override {
    return std::vector<Case>{{.id = "case with seed " + std::to_string(draw.seed)}};
  }
  const std::atomic<bool> *stop = nullptr;

private:
  Verdict judge_one(const Individual &individual, const Batch &batch) {
    ++verdicts;
    ++times_judged[{individual.variant, batch.seed}];
    clock_.time += std::chrono::seconds(1);
    Point point = point_of(individual.variant, batch.seed);
    point.finalist = batch.finalist;
    const Terrain terrain = landscape_(point);
    Verdict verdict;
    verdict.candidate = individual.id;
    verdict.kind = terrain.kind;
    verdict.reason = terrain.reason;
    verdict.device.name = device;
    verdict.verify_seconds = gpu_seconds / 2;
    verdict.time_seconds = gpu_seconds / 2;
    if (terrain.speedup > 0) verdict.measurements = {measurement(terrain)};
    if (!batch.finalist || terrain.kind == VerdictKind::slower) return verdict;
    verdict.stage = "finalist";
    const bool passed = terrain.kind == VerdictKind::faster;
    verdict.finalist = {{"20 repeats",
                         passed ? FinalistCheck::Outcome::passed : FinalistCheck::Outcome::failed,
                         terrain.reason, 1}};
    if (terrain.speedup <= 0) return verdict;
    // What is known of hold-outs must not turn anything in the search.
    verdict.measurements.push_back(verdict.measurements.front());
    verdict.measurements.back().workload = "unseen";
    verdict.measurements.back().holdout = true;
    verdict.measurements.back().speedup = 1000;
    return verdict;
  }
  static Measurement measurement(const Terrain &terrain) {
    Measurement one{.workload = "w", .verdict = terrain.kind, .speedup = terrain.speedup};
    one.speedup_low = 0.99 * terrain.speedup, one.speedup_high = 1.01 * terrain.speedup;
    if (terrain.kind == VerdictKind::faster) one.speedup_low = std::max(one.speedup_low, 1.005);
    one.original.median_us = 100;
    one.candidate.median_us = 100 / terrain.speedup;
    one.bandwidth_share = terrain.bandwidth_share;
    one.original.samples_us = {100, 100.0 / 3};
    one.candidate.dropped = {{9, "sm clock 61 %"}};
    one.noise = 0.01 / 3;
    one.launches = 24;
    one.note = "timed beside another workload";
    return one;
  }
  static Point point_of(const std::string &variant, std::uint64_t seed) {
    Point point{.seed = seed};
    std::istringstream words(variant.substr(std::string("// rules: ").size(), variant.find('\n') - 10));
    for (std::string rule; words >> rule;) point.rules.insert(rule);
    const auto knobs = parse_knobs(variant).value();
    for (const Knob &knob : knobs) point.knobs[knob.name] = knob.value;
    return point;
  }
  // As the worker leaves it, but without waiting for the disk.
  static void leave_file(const Batch &batch, const Verdict &verdict) {
    const auto folder = batch.folder / "candidates" / verdict.candidate;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "verdict.json") << to_json(verdict);
  }
  FakeClock &clock_;
  Landscape landscape_;
};

/// No test gets as far as an executor: the landscape stands in front of it.
class NoExecutor final : public Executor {
public:
  Result<std::vector<Verdict>> judge(const std::filesystem::path &, JudgeEvents &) override {
    return fail("no executor");
  }
};

inline StrategyPool pool_of(const std::vector<FakeRule> &rules) {
  std::vector<Strategy> strategies;
  for (const FakeRule &rule : rules) {
    Strategy strategy;
    strategy.id = strategy.rule = rule.name;
    strategy.gain = rule.gain;
    strategies.push_back(strategy);
  }
  return StrategyPool::of(strategies).value();
}

/// In memory where there is such a folder: hundreds of databases are made here, and none needs to outlive the
/// machine.
inline TemporaryFolder memory_folder() {
  if (std::filesystem::is_directory("/dev/shm")) setenv("TMPDIR", "/dev/shm", 0);
  return TemporaryFolder::create("search").value();
}

/// One build folder: a run database and whatever searches are started on it.
struct Playground {
  explicit Playground(std::vector<FakeRule> rules, FakeJudge::Landscape landscape)
      : pool(pool_of(rules)), provider(rules), judge(clock, std::move(landscape)) {
    judge.stop = &stop;
    spec.name = "k";
    spec.kernel_id = "kid";
    spec.workload_id = "wid";
    settings.architecture = "sm_90";
    settings.seed = 1;
    settings.bundles = folder.path() / "bundles";
  }
  /// As a process would: opens the database, searches, is gone.
  Result<TuneOutcome> run() {
    CUPILOT_TRY(database, Database::open(folder.path() / "run.db"));
    NoExecutor executor;
    Providers providers(provider, model == nullptr ? provider : *model);
    if (critic != nullptr) providers.set(kCritic, *critic);
    return search_kernel(spec, settings,
                         {database, executor, providers, pool, clock, *progress, stop, history}, judge);
  }
  int most_often_judged() const {
    int most = 0;
    for (const auto &[key, times] : judge.times_judged) most = std::max(most, times);
    return most;
  }

  TemporaryFolder folder = memory_folder();
  StrategyPool pool;
  FakeProvider provider;
  Provider *model = nullptr;   ///< for policies that ask one
  Provider *critic = nullptr;  ///< instead of it, for this role
  std::vector<StrategyOutcome> history;
  FakeClock clock;
  FakeJudge judge;
  Progress silence;
  Progress *progress = &silence;
  std::atomic<bool> stop{false};
  KernelSpec spec;
  TuneSettings settings;
};

/// Gains multiply; the best knobs are away from where the rules put them; one rule is refused, one is wrong.
inline std::vector<FakeRule> hilly_rules() {
  return {{"warp-per-row", 4, "constexpr int kLanes = 32;  // knob: 4 8 16 32"},
          {"wide-access", 1.4, "constexpr int kVector = 2;  // knob: 1 2 4 8"},
          {"pad-shared", 1.3, "", "no shared array"},
          {"grid-stride", 1.15, ""},
          {"block-size", 1.1, "constexpr int kThreads = 256;  // knob: 64 128 256 512 1024"}};
}
inline Terrain hills(const Point &point) {
  if (point.has("grid-stride")) return {VerdictKind::wrong, 0, "y differs at 17"};
  double speedup = 0.9;
  if (point.has("warp-per-row")) speedup *= point.knob("kLanes", 0) == 16 ? 3 : 2.5;
  if (point.has("wide-access")) speedup *= point.knob("kVector", 0) == 4 ? 1.5 : 1.2;
  if (point.has("block-size")) {
    if (point.knob("kThreads", 0) == 1024) return {VerdictKind::build_failed, 0, "too many registers"};
    speedup *= point.knob("kThreads", 0) == 128 ? 1.2 : 1.1;
  }
  return speed(speedup);
}

}  // namespace cupilot
