// SPDX-License-Identifier: Apache-2.0
//
// Where strategies become judged variants, for every policy with a model: translate, judge, revise (diagnose,
// then line edits; at most five times, given up after two failures nobody can tell apart), and align the
// strategy's text to the code that survived. What does not depend on each other is asked and judged together.

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

namespace cupilot {

/// What ran out of time is judged again as it stands this often: it may have been the machine.
inline constexpr int kMostTimeouts = 3;

/// One strategy to be applied to one base.
struct WorkOrder {
  Strategy strategy;
  const Evaluated *base = nullptr;   ///< null: the original
  std::vector<std::string> parents;  ///< ids of individuals, for the lineage
  int depth = 0;  ///< steps or generations before this one: decides whether a profile is shown
  std::vector<std::string> failed;  ///< how earlier tries at it ended
};

struct Piece {
  Strategy strategy;                  ///< aligned when something survived, else as ordered
  const Evaluated *result = nullptr;  ///< correct and timed; null: nothing survived, or the search is done
  std::string summary;                ///< the translator's own words for what it did
  std::string failure;  ///< why nothing did, for people and for the next try: the nearest it came
  VerdictKind failed_as = VerdictKind::not_evaluated;  ///< how near that was; see state_rank()
  int fixes = 0;                                       ///< revisions made
  bool refused = false;                                ///< the translator said a precondition does not hold
};

struct WorkshopSettings {
  int most_fixes = kMostFixes;
  bool critic = false;  ///< CudaForge's critic instead of the diagnosis
  bool align = true;
  bool show_profile = true;  ///< false: no digest is ever shown (roofline guidance off)
};

/// How far a variant came, as CuTeGen ranks states: 3 correct, 2 built, 1 written, 0 nothing known.
int state_rank(VerdictKind kind);
/// Of an individual: the title in a line of its own, then the text form (strategy_text.h).
std::string text_of(const Strategy &strategy);

class Workshop {
public:
  Workshop(const KernelBrief &brief, const TuneSettings &settings, WorkshopSettings options,
           RoleCaller &roles, Evaluator &evaluator);

  /// Pieces in the order asked. Stops early when the search is done: what is missing has a failure that says
  /// so.
  Result<std::vector<Piece>> make(const std::string &round, const std::vector<WorkOrder> &orders);
  /// The translator's question make() asks for an order.
  Result<RoleRequest> question_for(const WorkOrder &order);
  /// The same from questions a policy wrote itself (refine's steps); `orders` say base, parents and depth. A
  /// strategy without a title gets the translator's summary for one; without steps it is not aligned.
  Result<std::vector<Piece>> make(const std::string &round, const std::vector<WorkOrder> &orders,
                                  const std::vector<RoleRequest> &questions);

  /// Of the original (null) or of something judged; by rules, or by the analyst where one was chosen. Asked
  /// once for each (for the original once more when there are counters). Empty for the original as long as
  /// nothing that says how it runs was judged.
  Result<Analysis> analysis_of(const Evaluated *one);
  /// The same; where the kernel's pattern says it is too early at this depth, the original's class alone.
  Result<Analysis> analysis_at(int depth, const Evaluated *one);
  /// The digest a role sees at this depth; empty where the kernel's pattern says it is too early.
  Result<std::string> digest_at(int depth, const Evaluated *one);
  /// The original was timed beside something, with counters where they are allowed.
  bool counted_original() const;
  const KernelBrief &brief() const { return brief_; }
  KernelPattern pattern() const { return pattern_; }
  /// Why nothing more will be made; empty: go on.
  std::string done_because() const;

private:
  struct Draft;
  using Drafts = std::vector<Draft>;

  Result<void> translate(const std::vector<RoleRequest> &questions, Drafts &drafts);
  Result<void> judge(const std::string &round, Drafts &drafts);
  Result<void> judge_once(const std::string &round, Drafts &drafts);
  Result<void> revise(Drafts &drafts);
  Result<std::vector<Answered<Diagnosis>>> diagnose(const std::vector<Draft *> &broken);
  Result<void> edit(const std::vector<Draft *> &broken, const std::vector<Diagnosis> &diagnoses);
  Result<void> align(Drafts &drafts);
  void take_verdict(Draft &draft, const Evaluated *answer);
  void take_failure(Draft &draft, Verdict failure);
  Individual individual_of(const Draft &draft) const;
  bool profile_wanted(const Drafts &drafts) const;
  const Verdict *verdict_about_original() const;

  const KernelBrief &brief_;
  const TuneSettings &settings_;
  WorkshopSettings options_;
  RoleCaller &roles_;
  Evaluator &evaluator_;
  KernelPattern pattern_;
  bool counted_ = false;                      ///< something was timed in a round that asked for counters
  std::map<std::string, Analysis> analyses_;  ///< by the individual's id; "timed", "counted": the original
  std::map<std::string, Strategy> aligned_;   ///< by the individual's id
};

}  // namespace cupilot
