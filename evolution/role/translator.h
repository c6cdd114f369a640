// SPDX-License-Identifier: Apache-2.0
//
// Role `translator`: strategies and a kernel in, a variant out, or which strategy does not fit and why.

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

namespace cupilot {

struct TranslatorQuestion {
  const KernelSpec &spec;
  std::vector<Strategy> strategies;  ///< in the order to apply
};

struct Translation {
  std::string variant;
  std::vector<Knob> knobs;
  std::vector<std::string> applied;  ///< what the answer says it did, in order
  std::string summary;
};

struct Refusal {
  std::string rule;
  std::string reason;
  int line = 0;  ///< of the user's file; 0: none
};
using TranslatorAnswer = std::variant<Translation, std::vector<Refusal>>;

RoleRequest translator_request(const TranslatorQuestion &question);

/// Strict: either a variant with knobs that have values, or at least one refusal with a reason.
Result<TranslatorAnswer> parse_translator_answer(std::string_view content);

}  // namespace cupilot
