// SPDX-License-Identifier: Apache-2.0
//
// Role `translator`: applies a strategy to code. The answer is a variant, or the strategies that do not apply
// and why.

#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/individual.h"
#include "evolution/model/strategy.h"
#include "evolution/provider/provider.h"
#include "evolution/role/analyst.h"
#include "evolution/role/kernel_brief.h"

namespace cupilot::role {

/// The question for built-in rules.
struct TranslatorQuestion {
  const spec::KernelSpec &spec;
  std::vector<model::Strategy> strategies;  ///< in the order to apply
};
provider::RoleRequest translator_request(const TranslatorQuestion &question);

/// The question for a model: exactly one strategy, applied to `base`.
struct TranslationQuestion {
  const KernelBrief &brief;
  model::Strategy strategy;
  std::string base;                 ///< a variant's text; empty: the original, which the prefix shows
  double base_score = 1;            ///< its speed-up over the original
  std::string digest;               ///< digest of the base's profile; empty: not shown at this depth
  std::vector<std::string> failed;  ///< earlier attempts at the same strategy and how each ended
};
provider::RoleRequest translation_request(const TranslationQuestion &question);

/// The two stages of CuTeGen (arXiv 2604.01489): first the simplest correct variant, then one optimisation
/// for each step.
struct RefineQuestion {
  const KernelBrief &brief;
  int depth = 0;
  std::string base;  ///< the last variant that passed; empty at depth 0
  double base_score = 1, best_score = 1;
  std::string digest;             ///< empty: not shown at this depth
  std::vector<std::string> done;  ///< summaries of the steps so far, with their effects
  std::string menu;               ///< menu of the kernel's pattern; see refine_menu()
};
provider::RoleRequest refine_request(const RefineQuestion &question);
/// Optimisations that usually help kernels of this pattern, for RefineQuestion::menu.
std::string refine_menu(KernelPattern pattern);

struct Translation {
  std::string variant;
  std::vector<model::Knob>
      knobs;  ///< from a bare JSON answer; a model declares its knobs in the variant's text
  std::vector<std::string> applied;  ///< what the answer claims to have applied, in order
  std::string summary;
};

struct Refusal {
  std::string rule;
  std::string reason;
  int line = 0;  ///< line of the user's file; 0: none
};
using TranslatorAnswer = std::variant<Translation, std::vector<Refusal>>;

/// Parses strictly. The answer must contain either a variant (member `variant` of a bare object, otherwise
/// the block of code) or at least one refusal with a reason.
Result<TranslatorAnswer> parse_translator_answer(std::string_view content);

}  // namespace cupilot::role
