// SPDX-License-Identifier: Apache-2.0
//
// Role `translator`: a strategy and code in, a variant out, or which strategy does not fit and why.

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

namespace cupilot {

/// For built-in rules.
struct TranslatorQuestion {
  const KernelSpec &spec;
  std::vector<Strategy> strategies;  ///< in the order to apply
};
RoleRequest translator_request(const TranslatorQuestion &question);

/// For a model: exactly one strategy, applied to `base`.
struct TranslationQuestion {
  const KernelBrief &brief;
  Strategy strategy;
  std::string base;                 ///< a variant's text; empty: the original, which the prefix shows
  double base_score = 1;            ///< its speed-up over the original
  std::string digest;               ///< of the base's profile; empty: not shown at this depth
  std::vector<std::string> failed;  ///< earlier tries at this very strategy and how each ended
};
RoleRequest translation_request(const TranslationQuestion &question);

/// CuTeGen's two stages (seeds.md 3a): the simplest correct variant, then one optimisation a step.
struct RefineQuestion {
  const KernelBrief &brief;
  int depth = 0;
  std::string base;  ///< the last passing variant; empty at depth 0
  double base_score = 1, best_score = 1;
  std::string digest;             ///< empty: not shown at this depth
  std::vector<std::string> done;  ///< summaries of the steps so far with their effect
  std::string menu;               ///< of the kernel's pattern; refine_menu()
};
RoleRequest refine_request(const RefineQuestion &question);
/// What usually pays for kernels of the pattern, for RefineQuestion::menu.
std::string refine_menu(KernelPattern pattern);

struct Translation {
  std::string variant;
  std::vector<Knob> knobs;  ///< as a bare JSON answer says them; a model's stand in the variant's text
  std::vector<std::string> applied;  ///< what the answer says it did, in order
  std::string summary;
};

struct Refusal {
  std::string rule;
  std::string reason;
  int line = 0;  ///< of the user's file; 0: none
};
using TranslatorAnswer = std::variant<Translation, std::vector<Refusal>>;

/// Strict: either a variant (member `variant` of a bare object, else the block of code), or at least one
/// refusal with a reason.
Result<TranslatorAnswer> parse_translator_answer(std::string_view content);

}  // namespace cupilot
