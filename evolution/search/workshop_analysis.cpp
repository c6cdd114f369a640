// SPDX-License-Identifier: Apache-2.0
//
// The workshop's analyses of how variants run, and when roles see them.

#include "evolution/search/workshop_draft.h"

#include <algorithm>

#include "evolution/model/role.h"
#include "evolution/provider/provider.h"

namespace cupilot::search {
namespace {

bool says_how_it_runs(const model::Verdict &verdict) {
  return !verdict.original_profiles.empty() || !verdict.measurements.empty() || !verdict.estimates.empty();
}

}  // namespace

/// Counters cost GPU time, so they are collected only if a role will see them.
bool Workshop::profile_wanted(const Drafts &drafts) const {
  if (!options_.show_profile) return false;
  if (!counted_original()) return true;
  return std::ranges::any_of(drafts, [&](const Draft &draft) {
    return draft.order->depth + 1 >= role::profile_from_depth(pattern_);
  });
}

bool Workshop::counted_original() const {
  const model::Verdict *known = verdict_about_original();
  return known != nullptr && (counted_ || !settings_.profile || !known->original_profiles.empty());
}

const model::Verdict *Workshop::verdict_about_original() const {
  const model::Verdict *timed = nullptr;
  for (const Evaluated &one : evaluator_.all()) {
    if (!one.verdict.original_profiles.empty()) return &one.verdict;
    if (timed == nullptr && says_how_it_runs(one.verdict)) timed = &one.verdict;
  }
  return timed;
}

Result<role::Analysis> Workshop::analysis_of(const Evaluated *one) {
  const model::Verdict *verdict = one ? &one->verdict : verdict_about_original();
  if (verdict == nullptr) return role::Analysis{};
  // An analysis of the original from times alone is made again once there are counters.
  const std::string id = one ? one->individual.id : verdict->original_profiles.empty() ? "timed" : "counted";
  if (const auto known = analyses_.find(id); known != analyses_.end()) return known->second;
  const bool by_rules = roles_.provider_of(model::kAnalyst).name() == provider::kBuiltinProvider;
  role::Analysis analysis = role::analyse(*verdict, one != nullptr);
  if (!by_rules && done_because().empty()) {
    CUPILOT_TRY(answer, roles_.ask<role::Analysis>(role::analyst_request(brief_, *verdict, one != nullptr),
                                                   role::parse_analyst_answer));
    if (answer) analysis = std::move(*answer);
  }
  return analyses_[id] = std::move(analysis);
}

Result<role::Analysis> Workshop::analysis_at(int depth, const Evaluated *one) {
  if (!options_.show_profile) return role::Analysis{};
  CUPILOT_TRY(original, analysis_of(nullptr));
  if (depth < role::profile_from_depth(pattern_))
    return role::Analysis{.roofline_class = original.roofline_class};
  CUPILOT_TRY(analysis, analysis_of(one));
  if (analysis.roofline_class.empty()) analysis.roofline_class = original.roofline_class;
  return analysis;
}

Result<std::string> Workshop::digest_at(int depth, const Evaluated *one) {
  // Before the depth at which the digest is shown, the analyst is not asked either.
  if (!options_.show_profile || depth < role::profile_from_depth(pattern_)) return std::string();
  CUPILOT_TRY(analysis, analysis_of(one));
  return analysis.digest.empty() ? std::string() : role::digest_text(analysis);
}

}  // namespace cupilot::search
