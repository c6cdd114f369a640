// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/evaluator.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "annotate/support/hash.h"
#include "evolution/search/intake.h"
#include "evolution/search/knobs.h"

namespace cupilot::search {
namespace {

/// Drops the samples: they are most of a verdict's memory, and the search does not use them.
void drop_samples(model::Verdict &verdict) {
  for (model::Measurement &one : verdict.measurements)
    for (model::SampleSet *set : {&one.original, &one.candidate}) {
      // `= {}` would keep the allocated memory.
      set->samples_us = std::vector<double>();
      set->sm_clock_mhz = std::vector<double>();
      set->dropped = std::vector<model::SampleSet::Dropped>();
    }
}

BestSoFar best_event(const std::string &kernel, const Evaluated &best) {
  BestSoFar event{.kernel = kernel,
                  .candidate = best.individual.id,
                  .speedup = model::overall_speedup(best.verdict),
                  .estimate = model::overall_estimate(best.verdict)};
  if (!best.verdict.estimates.empty()) {
    event.original_estimate_us = best.verdict.estimates.front().original.time_us;
    event.best_estimate_us = best.verdict.estimates.front().candidate.time_us;
  }
  if (!best.verdict.measurements.empty()) {
    const model::Measurement &first = best.verdict.measurements.front();
    event.original_us = first.original.median_us;
    event.best_us = first.candidate.median_us;
    event.bandwidth_share = first.bandwidth_share;
  }
  return event;
}

}  // namespace

std::string numbered_name(const std::string &prefix, std::size_t number) {
  return fmt::format("{}{:04}", prefix, number);
}

Evaluator::Evaluator(SearchIdentity identity, const TuneSettings &settings, const TuneCollaborators &with,
                     BatchJudge &judge)
    : identity_(std::move(identity)),
      settings_(settings),
      with_(with),
      judge_(judge),
      allowance_(settings.budget, with.clock) {}

Result<std::vector<const Evaluated *>> Evaluator::judge(Round round) {
  std::vector<MemoKey> keys;
  for (const model::Individual &individual : round.individuals)
    keys.emplace_back(sha256(individual.variant), round.seed);
  CUPILOT_TRY(sorted, sort_out(round, keys));
  in_round_ = 0;
  round_size_ = sorted.known.size() + sorted.fresh.size();
  if (round_size_ > 0) {
    CUPILOT_CHECKED(with_.database.add_event(
        identity_.run, "round",
        fmt::format("{}: {} to judge, {} known", round.name, sorted.fresh.size(), sorted.known.size())));
    with_.progress.round_started({.kernel = identity_.kernel,
                                  .number = static_cast<int>(rounds_++),
                                  .name = round.name,
                                  .candidates = sorted.fresh.size(),
                                  .known = sorted.known.size()});
  }
  CUPILOT_CHECKED(keep_known(sorted.known, round.seed));
  for (auto &[individual, verdict] : sorted.known)
    take(std::move(individual), std::move(verdict), round.seed, true);
  CUPILOT_CHECKED(judge_fresh(round, std::move(sorted.fresh)));

  std::vector<const Evaluated *> answers;
  for (const MemoKey &key : keys) {
    const auto found = memo_.find(key);
    answers.push_back(found == memo_.end() ? nullptr : found->second);
  }
  return answers;
}

Result<Evaluator::Sorted> Evaluator::sort_out(Round &round, const std::vector<MemoKey> &keys) {
  Sorted sorted;
  std::set<MemoKey> in_this_round;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (memo_.contains(keys[i]) || !in_this_round.insert(keys[i]).second) {
      ++duplicates_;
      continue;
    }
    if (!round.final && !allowance_.may_name()) continue;
    model::Individual &individual = round.individuals[i];
    if (individual.id.empty()) individual.id = numbered_name("c", allowance_.name_next());
    store::VerdictKey key = identity_.key;
    key.variant_sha256 = keys[i].first;
    key.seed = round.seed;
    CUPILOT_TRY(verdict, with_.database.find_verdict(key));
    if (verdict) {
      verdict->candidate = individual.id;
      sorted.known.emplace_back(std::move(individual), std::move(*verdict));
    } else {
      sorted.fresh.push_back(std::move(individual));
    }
  }
  return sorted;
}

/// These were judged for another run of this database; they are part of this run's lineage nevertheless.
Result<void> Evaluator::keep_known(const std::vector<std::pair<model::Individual, model::Verdict>> &known,
                                   std::uint64_t seed) {
  std::vector<model::Individual> individuals;
  for (const auto &[individual, verdict] : known) individuals.push_back(individual);
  return with_.database.keep_known(identity_.run, seed, individuals);
}

Result<void> Evaluator::judge_fresh(const Round &round, std::vector<model::Individual> fresh) {
  std::size_t next = 0;
  while (next < fresh.size() && may_go_on(round.final)) {
    const std::size_t end =
        std::min(fresh.size(), next + (round.final ? kLargestBatch : allowance_.batch_size()));
    std::vector<model::Individual> batch(
        std::make_move_iterator(fresh.begin() + static_cast<std::ptrdiff_t>(next)),
        std::make_move_iterator(fresh.begin() + static_cast<std::ptrdiff_t>(end)));
    CUPILOT_CHECKED(judge_batch(round, std::move(batch)));
    next = end;
  }
  return {};
}

Result<void> Evaluator::judge_batch(const Round &round, std::vector<model::Individual> individuals) {
  CUPILOT_TRY(number, with_.database.next_bundle_number());
  Batch batch{.id = numbered_name(identity_.kernel + "-", static_cast<std::size_t>(number)),
              .individuals = std::move(individuals),
              .seed = round.seed,
              .profile = round.profile && settings_.profile,
              .finalist = round.final};
  // The path is absolute because the next start may come from another working folder.
  batch.folder = std::filesystem::absolute(settings_.bundles / batch.id);
  CUPILOT_CHECKED(with_.database.add_bundle(identity_.run, {.id = batch.id,
                                                            .folder = batch.folder.string(),
                                                            .seed = batch.seed,
                                                            .individuals = batch.individuals}));
  const auto before = with_.clock.now();
  Allowance::BatchTimes times;
  Intake intake(batch, identity_.kernel, settings_.estimates, with_,
                [&](const model::Individual &individual, const model::Verdict &verdict) {
                  if (verdict.stage != "static") {
                    times.last = with_.clock.now() - before;
                    if (times.verdicts++ == 0) times.first = times.last;
                  }
                  note_device(verdict);
                  take(individual, verdict, batch.seed, false);
                });
  const auto verdicts = judge_.judge(batch, intake);
  // A stop may appear as an error here; verdicts that came before it have been stored.
  if (!verdicts && !interrupted()) return within("judging bundle " + batch.id, verdicts.error());
  if (verdicts)
    for (const model::Verdict &verdict : *verdicts) intake.verdict(verdict);
  allowance_.count_batch(times);
  CUPILOT_CHECKED(intake.problem());
  // The bundle stays open if verdicts are missing: their files may still appear, and the next start imports
  // them.
  return intake.complete() ? with_.database.close_bundle(batch.id) : Result<void>();
}

Result<void> Evaluator::align(const Evaluated &of, const std::string &strategy_text,
                              const std::vector<std::int64_t> &calls) {
  const auto found = std::ranges::find_if(evaluated_, [&](const Evaluated &one) { return &one == &of; });
  CUPILOT_CHECK(found != evaluated_.end());
  found->individual.strategy_text = strategy_text;
  found->individual.calls.insert(found->individual.calls.end(), calls.begin(), calls.end());
  return with_.database.align(identity_.run, of.individual.id, strategy_text, found->individual.calls);
}

Result<model::Verdict> Evaluator::whole_verdict(const Evaluated &of) const {
  store::VerdictKey key = identity_.key;
  key.variant_sha256 = sha256(of.individual.variant);
  key.seed = of.seed;
  CUPILOT_TRY(verdict, with_.database.find_verdict(key));
  // There is none if it belongs to another device than this search's; then the verdict in memory is used.
  if (!verdict) return of.verdict;
  verdict->candidate = of.individual.id;
  return std::move(*verdict);
}

Result<void> Evaluator::refuse(const model::Strategy &strategy, const std::string &reason) {
  refused_.push_back({strategy, reason});
  with_.progress.strategy_refused(identity_.kernel, {strategy.id}, reason);
  return note("refused", fmt::format("{}: {}", strategy.id, reason));
}

void Evaluator::note_device(const model::Verdict &verdict) {
  const std::string &device = verdict.device.name;
  if (device.empty() || device == identity_.key.device) return;
  if (!identity_.key.device.empty()) device_changed_ = true;
  identity_.key.device = device;
}

void Evaluator::take(model::Individual individual, model::Verdict verdict, std::uint64_t seed, bool resumed) {
  MemoKey key(sha256(individual.variant), seed);
  allowance_.count(verdict, resumed);
  drop_samples(verdict);
  evaluated_.push_back({std::move(individual), std::move(verdict), seed, resumed});
  const Evaluated &entry = evaluated_.back();
  memo_[std::move(key)] = &entry;
  ++in_round_;
  with_.progress.candidate_judged({.kernel = identity_.kernel,
                                   .candidate = entry.individual.id,
                                   .strategies = entry.individual.strategies,
                                   .knobs = describe_knobs(entry.individual.knobs),
                                   .verdict = entry.verdict.kind,
                                   .speedup = model::overall_speedup(entry.verdict),
                                   .reason = entry.verdict.reason,
                                   .resumed = resumed,
                                   .estimate = model::overall_estimate(entry.verdict)});
  const bool search_seed = seed == settings_.seed;
  if (search_seed && entry.verdict.kind == model::VerdictKind::faster &&
      (best_ == nullptr || score(entry.verdict) > score(best_->verdict))) {
    best_ = &entry;
    with_.progress.best_so_far(best_event(identity_.kernel, entry));
  }
  if (search_seed && reaches_bandwidth(entry.verdict, settings_.bandwidth_goal)) goal_reached_ = true;
  with_.progress.standing({.kernel = identity_.kernel,
                           .judged = allowance_.judged(),
                           .resumed = allowance_.resumed(),
                           .in_round = in_round_,
                           .round_size = round_size_,
                           .elapsed = allowance_.elapsed(),
                           .left = allowance_.time_left(round_size_ - in_round_)});
}

std::string Evaluator::done_because() const {
  if (interrupted()) return "interrupted";
  if (device_changed_) return "the device changed";
  if (goal_reached_) return "the kernel reaches the copy bandwidth: nothing left to gain";
  return allowance_.spent_because();
}

Result<void> Evaluator::note(const std::string &kind, const std::string &text) {
  return with_.database.add_event(identity_.run, kind, text);
}

bool Evaluator::may_go_on(bool final) const {
  return !interrupted() && !device_changed_ && (final || allowance_.may_judge());
}

}  // namespace cupilot::search
