// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/outcome_tally.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "annotate/support/text.h"
#include "evolution/model/verdict_fields.h"
#include "evolution/strategy/applicability.h"

namespace cupilot::strategy {
namespace {

// Factors that reduce an outcome's weight. Their order matters; the values are chosen by judgement. An
// outcome from another GPU generation weighs a quarter of one from the same architecture, and so does an
// estimate.
constexpr double kSameKernel = 2;
constexpr double kSameMajor = 0.5, kOtherArchitecture = 0.25, kUnknownArchitecture = 0.5;
constexpr double kNothingInCommon = 0.25, kUnknownFeatures = 0.5;
constexpr double kOtherClass = 0.5, kUnknownClass = 0.75;
constexpr double kEstimated = 0.25;

double architecture_factor(std::string_view one, std::string_view other) {
  const auto a = architecture_number(one), b = architecture_number(other);
  if (!a || !b) return kUnknownArchitecture;
  if (*a == *b) return 1;
  return *a / 10 == *b / 10 ? kSameMajor : kOtherArchitecture;
}

/// From kNothingInCommon to 1, by the share of common features.
double feature_factor(const std::set<std::string> &one, const std::set<std::string> &other) {
  if (one.empty() || other.empty()) return kUnknownFeatures;
  const auto common = static_cast<double>(
      std::ranges::count_if(one, [&](const std::string &feature) { return other.contains(feature); }));
  const double all = static_cast<double>(one.size() + other.size()) - common;
  return kNothingInCommon + (1 - kNothingInCommon) * common / all;
}

double class_factor(const std::string &one, const std::string &other) {
  if (one.empty() || other.empty()) return kUnknownClass;
  return one == other ? 1 : kOtherClass;
}

bool is_timed(model::VerdictKind kind) {
  return kind == model::VerdictKind::faster || kind == model::VerdictKind::slower ||
         kind == model::VerdictKind::same || kind == model::VerdictKind::unsure;
}

bool says_nothing(const model::StrategyOutcome &outcome) {
  return outcome.verdict == model::VerdictKind::not_evaluated && !outcome.refused;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const auto half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string count_words(const OutcomeTally::Count &count, const std::string &kind) {
  const std::string text =
      fmt::format("{} {} of {} {}", count.wins, count.wins == 1 ? "win" : "wins", count.tries, kind);
  if (count.speedups.empty()) return text;
  return fmt::format("{}, median {:.2f}x", text, median(count.speedups));
}

std::string failure_words(const std::map<std::string, int> &failures) {
  int count = 0;
  std::vector<std::string> kinds;
  for (const auto &[kind, times] : failures) {
    count += times;
    kinds.push_back(times > 1 ? fmt::format("{} {}x", kind, times) : kind);
  }
  return fmt::format("failed {} ({})", count == 1 ? "once" : fmt::format("{} times", count),
                     join(kinds, ", "));
}

}  // namespace

double weight_of(const model::StrategyOutcome &outcome, const KernelLikeness &kernel) {
  double weight = architecture_factor(outcome.architecture, kernel.architecture);
  if (outcome.estimated) weight *= kEstimated;
  if (!kernel.kernel_id.empty() && outcome.kernel_id == kernel.kernel_id) return weight * kSameKernel;
  return weight * feature_factor(outcome.features, kernel.features) *
         class_factor(outcome.roofline_class, kernel.roofline_class);
}

void OutcomeTally::add(const model::StrategyOutcome &outcome, const KernelLikeness &kernel) {
  const double weight = weight_of(outcome, kernel);
  const bool was_timed = !outcome.refused && is_timed(outcome.verdict);
  (was_timed ? realised : failed) += weight;
  const bool is_here = architecture_factor(outcome.architecture, kernel.architecture) == 1;
  Count &count = outcome.estimated ? estimated : is_here ? here : elsewhere;
  ++count.tries;
  if (!outcome.estimated && !is_here) other_architectures.insert(outcome.architecture);
  if (!was_timed) {
    ++failures[outcome.refused ? "refused" : std::string(model::to_string(outcome.verdict))];
    return;
  }
  count.wins += outcome.verdict == model::VerdictKind::faster;
  if (!(outcome.speedup > 0) || !std::isfinite(outcome.speedup)) return;
  count.speedups.push_back(outcome.speedup);
  timed += weight;
  log_speedups += weight * std::log(outcome.speedup);
}

std::string OutcomeTally::words(const std::string &architecture) const {
  std::vector<std::string> parts;
  if (here.tries > 0) parts.push_back(count_words(here, "on " + architecture));
  if (elsewhere.tries > 0)
    parts.push_back(count_words(
        elsewhere, "on " + join(std::vector(other_architectures.begin(), other_architectures.end()), ", ")));
  if (estimated.tries > 0) parts.push_back(count_words(estimated, "estimated"));
  if (!failures.empty()) parts.push_back(failure_words(failures));
  return join(parts, "; ");
}

std::map<std::string, OutcomeTally> tallies_of(std::span<const model::StrategyOutcome> history,
                                               const KernelLikeness &kernel) {
  std::map<std::string, OutcomeTally> tallies;
  for (const model::StrategyOutcome &outcome : history)
    if (!says_nothing(outcome)) tallies[outcome.strategy].add(outcome, kernel);
  return tallies;
}

}  // namespace cupilot::strategy
