// SPDX-License-Identifier: Apache-2.0
//
// Turns strategies into judged variants, for every policy with a model. The steps are: translate, judge,
// revise (diagnose, then edit lines), and align the strategy's text to the code that survived. A variant is
// revised at most five times, and given up after two failures that look the same. Independent questions are
// asked together, and independent variants are judged together.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/role/analyst.h"
#include "evolution/role/kernel_brief.h"
#include "evolution/role/revisor.h"
#include "evolution/role/translator.h"
#include "evolution/search/evaluator.h"
#include "evolution/search/role_caller.h"

namespace cupilot::search {

/// A variant that timed out is judged again unchanged up to this number of times, because the machine may
/// have caused it.
inline constexpr int kMostTimeouts = 3;

/// One strategy to apply to one base.
struct WorkOrder {
  model::Strategy strategy;
  const Evaluated *base = nullptr;   ///< the variant to start from; null: the original
  std::vector<std::string> parents;  ///< ids of individuals, for the lineage
  int depth = 0;  ///< number of steps or generations before this one; decides whether a profile is shown
  std::vector<std::string> failed;  ///< how earlier attempts at this strategy failed
};

struct Piece {
  model::Strategy strategy;           ///< aligned to the code if a variant survived, otherwise as ordered
  const Evaluated *result = nullptr;  ///< correct and timed; null if no variant survived
  std::string summary;                ///< the translator's summary of what it did
  std::string failure;                ///< why no variant survived: the failure of the one that came furthest
  model::VerdictKind failed_as =
      model::VerdictKind::not_evaluated;  ///< the kind of that failure; see state_rank()
  int fixes = 0;                          ///< revisions made
  bool refused = false;                   ///< the translator reported that a precondition does not hold
};

struct WorkshopSettings {
  int most_fixes = role::kMostFixes;
  bool critic = false;  ///< CudaForge's critic (arXiv 2511.01884) replaces the diagnosis
  bool align = true;
  bool show_profile = true;  ///< false: the digest of the profile is never shown (roofline guidance off)
};

/// How far a variant came, in CuTeGen's order of states (arXiv 2604.01489): 3 correct, 2 built, 1 written, 0
/// unknown.
int state_rank(model::VerdictKind kind);
/// The strategy text of an individual: the title on a line of its own, then the text form (strategy_text.h).
std::string text_of(const model::Strategy &strategy);

class Workshop {
public:
  Workshop(const role::KernelBrief &brief, const TuneSettings &settings, WorkshopSettings options,
           RoleCaller &roles, Evaluator &evaluator);

  /// Returns pieces in the order of `orders`. It stops early when the search is done; pieces that are missing
  /// then have a failure that says so.
  Result<std::vector<Piece>> make(const std::string &round, const std::vector<WorkOrder> &orders);
  /// The question that make() asks the translator for an order.
  Result<provider::RoleRequest> question_for(const WorkOrder &order);
  /// The same, with questions that the policy wrote itself (the steps of `refine`); `orders` give base,
  /// parents and depth. A strategy without a title gets the translator's summary as its title; one without
  /// steps is not aligned.
  Result<std::vector<Piece>> make(const std::string &round, const std::vector<WorkOrder> &orders,
                                  const std::vector<provider::RoleRequest> &questions);

  /// The analysis of the original (null) or of a judged individual, by rules or by the analyst if one was
  /// chosen. It is made once for each (for the original once more when there are counters). For the original
  /// it is empty until a verdict shows how the original runs.
  Result<role::Analysis> analysis_of(const Evaluated *one);
  /// The same, but if the kernel's pattern says that it is too early to show a profile at this depth, only
  /// the roofline class of the original.
  Result<role::Analysis> analysis_at(int depth, const Evaluated *one);
  /// The digest that a role sees at this depth; empty if the kernel's pattern says that it is too early.
  Result<std::string> digest_at(int depth, const Evaluated *one);
  /// True if the original was timed together with a candidate, with counters where they are permitted.
  bool counted_original() const;
  const role::KernelBrief &brief() const { return brief_; }
  role::KernelPattern pattern() const { return pattern_; }
  /// The reason why no more variants will be made; empty otherwise.
  std::string done_because() const;

private:
  struct Draft;
  using Drafts = std::vector<Draft>;

  Result<void> translate(const std::vector<provider::RoleRequest> &questions, Drafts &drafts);
  Result<void> judge(const std::string &round, Drafts &drafts);
  Result<void> judge_once(const std::string &round, Drafts &drafts);
  Result<void> revise(Drafts &drafts);
  Result<std::vector<Answered<role::Diagnosis>>> diagnose(const std::vector<Draft *> &broken);
  Result<void> edit(const std::vector<Draft *> &broken, const std::vector<role::Diagnosis> &diagnoses);
  Result<void> align(Drafts &drafts);
  void take_verdict(Draft &draft, const Evaluated *answer);
  void take_failure(Draft &draft, model::Verdict failure);
  model::Individual individual_of(const Draft &draft) const;
  bool profile_wanted(const Drafts &drafts) const;
  const model::Verdict *verdict_about_original() const;

  const role::KernelBrief &brief_;
  const TuneSettings &settings_;
  WorkshopSettings options_;
  RoleCaller &roles_;
  Evaluator &evaluator_;
  role::KernelPattern pattern_;
  bool counted_ = false;  ///< a variant was timed in a round that asked for counters
  std::map<std::string, role::Analysis> analyses_;  ///< by individual id; "timed", "counted": the original
  std::map<std::string, model::Strategy> aligned_;  ///< by the individual's id
};

}  // namespace cupilot::search
