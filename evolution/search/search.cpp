// SPDX-License-Identifier: Apache-2.0
//
// The steps of a search: start (imports what a killed run left), policy, confirmation, summary.

#include "evolution/search/search.h"

#include <fmt/format.h>
#include <algorithm>
#include <string_view>
#include <tuple>

#include "annotate/spec/kernel_spec_json.h"
#include "annotate/support/hash.h"
#include "annotate/support/text.h"
#include "evolution/judge/time/statistics.h"
#include "evolution/provider/providers.h"
#include "evolution/search/bundle_judge.h"
#include "evolution/search/kernel_brief_of.h"
#include "evolution/search/outcome.h"
#include "evolution/search/policy.h"
#include "evolution/search/policy_settings.h"
#include "evolution/search/recorded_judge.h"
#include "evolution/search/strategy_outcomes.h"

namespace cupilot::search {
namespace {

/// Margin above 1 for the lower bound of the confirmed speed-up. The lower bound is used because the best of
/// many measurements is partly luck.
constexpr double kConfirmedMargin = 0;

SearchIdentity identity_of(const store::RunInfo &info, std::int64_t run, const std::string &device) {
  return {.kernel = info.kernel,
          .key = {.kernel_id = info.kernel_id,
                  .workload_id = info.workload_id,
                  .architecture = info.architecture,
                  .executor = info.executor,
                  .flags = info.flags,
                  .device = device},
          .run = run};
}

std::vector<const Evaluated *> finalists(const Evaluator &evaluator, const TuneSettings &settings) {
  std::vector<const Evaluated *> list;
  for (const Evaluated &one : evaluator.all())
    if (one.seed == settings.seed && one.verdict.kind == model::VerdictKind::faster) list.push_back(&one);
  const auto strategies = [](const Evaluated *one) { return one->individual.strategies.size(); };
  std::ranges::sort(list, {}, [&](const Evaluated *one) {
    return std::tuple(-score(one->verdict), strategies(one), std::string_view(one->individual.id));
  });
  // Among individuals that measurements cannot distinguish, the simplest comes first, because a person will
  // read it.
  const auto apart = std::ranges::find_if(list, [&](const Evaluated *one) {
    return score(one->verdict) < score(list.front()->verdict) / (1 + same_score(settings));
  });
  std::ranges::stable_sort(list.begin(), apart, {}, strategies);
  if (list.size() > settings.confirmations) list.resize(settings.confirmations);
  return list;
}

/// True if it is faster again with certainty and passed the last stage.
bool is_confirmed(const model::Verdict &verdict) {
  if (verdict.kind != model::VerdictKind::faster) return false;
  return !verdict.estimates.empty() || judge::time::confirms_speedup(verdict.measurements, kConfirmedMargin);
}

/// Hold-outs are not shown to anything before the end, least of all to roles.
spec::KernelSpec without_hold_outs(spec::KernelSpec spec) {
  std::erase_if(spec.workloads, [](const spec::Workload &workload) { return workload.holdout; });
  return spec;
}

/// Tries the best individuals one after the other and returns the first that is `faster` again on new data;
/// null if there is none or the search was stopped.
Result<const Evaluated *> confirm(Evaluator &evaluator, const TuneSettings &settings) {
  for (const Evaluated *one : finalists(evaluator, settings)) {
    if (evaluator.interrupted() || evaluator.device_changed()) break;
    CUPILOT_TRY(answers, evaluator.judge({.name = "confirm",
                                          .individuals = {one->individual},
                                          .seed = confirm_seed(settings.seed),
                                          .profile = true,
                                          .final = true}));
    if (answers[0] != nullptr && is_confirmed(answers[0]->verdict)) return answers[0];
  }
  return nullptr;
}

TuneOutcome empty_outcome(const store::RunInfo &info) {
  TuneOutcome outcome;
  outcome.kernel = info.kernel;
  outcome.kernel_id = info.kernel_id;
  outcome.workload_id = info.workload_id;
  outcome.architecture = info.architecture;
  outcome.policy = info.policy;
  outcome.seed = info.seed;
  outcome.confirm_seed = confirm_seed(info.seed);
  return outcome;
}

/// The spending over all starts of the run. It is read from the database, so that the sum does not depend on
/// the order of the answers.
Result<provider::Spending> spent_on_models(const store::Database &database, std::int64_t run) {
  CUPILOT_TRY(spending, database.role_spending(run));
  return provider::Spending{spending.tokens_in, spending.tokens_cached, spending.tokens_out,
                            spending.price_usd};
}

/// Empty if nothing was left to try.
std::string why_ended(const Evaluator &evaluator, const RoleCaller &models, bool has_model) {
  if (evaluator.done()) return evaluator.done_because();
  if (!models.done_because().empty()) return models.done_because();
  if (has_model && evaluator.at_roof())
    return "close to the hardware's limit (roofline): a model has little left to gain";
  return {};
}

struct Attempt {
  TuneOutcome outcome;
  std::string changed_device;  ///< if not empty: start again for this device
};

Result<Attempt> attempt(const spec::KernelSpec &spec, const TuneSettings &settings,
                        const TuneCollaborators &with, BatchJudge &judge, const SearchIdentity &identity,
                        const store::RunInfo &info) {
  CUPILOT_TRY(policy, find_policy(settings.policy));
  CUPILOT_TRY(spent, spent_on_models(with.database, identity.run));
  Ledger ledger(settings.budget, spent);
  RoleCaller rules([&](const std::string &) -> provider::Provider & { return with.providers.rules(); },
                   with.database, identity.run, ledger);
  RoleCaller models([&](const std::string &role) -> provider::Provider & { return with.providers.of(role); },
                    with.database, identity.run, ledger);
  models.report_to(with.progress, spec.name);
  const spec::KernelSpec shown = without_hold_outs(spec);
  Breeder breeder(shown, with, rules);
  Evaluator evaluator(identity, settings, with, judge);
  const role::KernelBrief brief = kernel_brief_of(shown, settings.architecture, settings.options);
  Workshop workshop(brief, settings,
                    {.critic = settings.options.critic, .show_profile = settings.options.guidance}, models,
                    evaluator);
  PolicyContext context{shown,  settings, with.pool, with.history, rules,
                        models, breeder,  evaluator, workshop};
  if (with.facts_of)
    context.facts_of = [&](const std::string &variant) { return with.facts_of(shown, variant); };
  CUPILOT_CHECKED(policy->run(context));

  Attempt result{.outcome = empty_outcome(info)};
  TuneOutcome &outcome = result.outcome;
  const std::string ended = why_ended(evaluator, models, with.providers.has_model());
  CUPILOT_TRY(confirmed, confirm(evaluator, settings));
  if (evaluator.device_changed()) result.changed_device = evaluator.device();
  if (evaluator.best() != nullptr) {
    CUPILOT_TRY(best, evaluator.whole_verdict(*evaluator.best()));
    outcome.best = JudgedIndividual{evaluator.best()->individual, std::move(best)};
  }
  if (confirmed != nullptr) {
    CUPILOT_TRY(winner, evaluator.whole_verdict(*confirmed));
    outcome.winner = JudgedIndividual{confirmed->individual, std::move(winner)};
    CUPILOT_TRY(cases, judge.cases({outcome.confirm_seed, outcome.winner->verdict.secret}, true));
    outcome.cases = std::move(cases);
    for (std::string &line : declined_workloads(outcome.cases, outcome.winner->verdict))
      outcome.winner->verdict.limits.push_back(std::move(line));
  }
  outcome.interrupted = evaluator.interrupted();
  outcome.models_ended = !evaluator.done() && !models.done_because().empty();
  outcome.stopped_because = outcome.interrupted ? "interrupted"
                            : ended.empty()     ? "nothing left to try"
                                                : ended;
  CUPILOT_CHECKED(summarise(evaluator, breeder, outcome));
  outcome.outcomes = strategy_outcomes({shown, settings, with.pool, evaluator, breeder,
                                        outcome.winner ? &outcome.winner->individual : nullptr});
  CUPILOT_TRY(spent_in_all, spent_on_models(with.database, identity.run));
  outcome.spent = spent_in_all;
  return result;
}

Result<TuneOutcome> search(const spec::KernelSpec &spec, const TuneSettings &settings,
                           const TuneCollaborators &with, BatchJudge &judge, const store::RunInfo &info,
                           std::int64_t run) {
  CUPILOT_TRY(last_device, with.database.last_device(settings.architecture, info.executor));
  SearchIdentity identity = identity_of(info, run, settings.device.empty() ? last_device : settings.device);
  CUPILOT_TRY(first, attempt(spec, settings, with, judge, identity, info));
  if (first.changed_device.empty()) return std::move(first.outcome);
  // The verdicts from the database belong to another device. Now that the device is known, its own verdicts
  // are looked up and the search starts again.
  CUPILOT_CHECKED(with.database.add_event(run, "device", "now " + first.changed_device));
  identity.key.device = first.changed_device;
  CUPILOT_TRY(second, attempt(spec, settings, with, judge, identity, info));
  if (second.changed_device.empty()) return std::move(second.outcome);
  return fail(
      fmt::format("the GPU changed twice while {} was tuned (it is {} now); select one GPU with "
                  "CUDA_VISIBLE_DEVICES",
                  spec.name, second.changed_device));
}

/// Facts and twin are derived from the rest of the spec. Leaving them out of the hash lets a run continue
/// after the extractor improves them.
std::string spec_hash(spec::KernelSpec spec) {
  spec.facts = {};
  spec.twin = {};
  return sha256(spec::to_json(spec));
}

}  // namespace

store::RunInfo run_info(const spec::KernelSpec &spec, const TuneSettings &settings,
                        const provider::Providers &providers, bool replayed) {
  return {.kernel = spec.name,
          .kernel_id = spec.kernel_id,
          .workload_id = spec.workload_id,
          .architecture = settings.architecture,
          .executor = replayed             ? store::kReplayExecutor
                      : settings.estimates ? store::kCpuExecutor
                                           : store::kGpuExecutor,
          .spec_sha256 = spec_hash(spec),
          .flags = join(spec.command.flags, "\n"),
          .policy = settings.policy,
          .options = run_options(settings, providers),
          .seed = settings.seed};
}

std::uint64_t confirm_seed(std::uint64_t seed) {
  // The increment of splitmix64, far from any seed a person would choose. The top bit stays clear because SQL
  // integers are signed.
  std::uint64_t mixed = seed + 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  return (mixed ^ (mixed >> 27)) >> 1;
}

Result<TuneOutcome> search_kernel(const spec::KernelSpec &spec, const TuneSettings &settings,
                                  const TuneCollaborators &with, BatchJudge &judge) {
  const store::RunInfo info = run_info(spec, settings, with.providers, with.recorded != nullptr);
  CUPILOT_CHECKED(find_policy(settings.policy));  // before anything is written
  CUPILOT_CHECKED(with.database.import_open_bundles());
  CUPILOT_TRY(run, with.database.begin_run(info));
  with.progress.kernel_started(spec.name, settings.architecture);
  auto outcome = search(spec, settings, with, judge, info, run);
  if (!outcome) {
    (void)with.database.end_run(run, "error: " + outcome.error().message);
    return within("tuning " + spec.name, outcome.error());
  }
  CUPILOT_CHECKED(with.database.end_run(run, outcome->stopped_because));
  with.progress.finished(*outcome);
  return outcome;
}

Result<TuneOutcome> Tuner::tune_kernel(const spec::KernelSpec &spec) {
  if (with_.recorded != nullptr) {
    RecordedJudge judge(*with_.recorded, spec, settings_.estimates);
    return search_kernel(spec, settings_, with_, judge);
  }
  BundleJudge judge(with_.executor, spec, settings_.architecture, settings_.estimates, settings_.waived);
  return search_kernel(spec, settings_, with_, judge);
}

}  // namespace cupilot::search
