// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/translator.h"

#include "evolution/role/prompt.h"
#include "evolution/role/strategy_words.h"
#include "evolution/role/words.h"

namespace cupilot::role {

provider::RoleRequest translation_request(const TranslationQuestion &question) {
  return role_request("translator", stable_prefix(question.brief),
                      {{"strategy", fenced(strategy_words(question.strategy), "text")},
                       {"base", question.base.empty() ? "" : fenced(question.base, "cuda")},
                       {"base_score", factor(question.base_score)},
                       {"digest", question.digest},
                       {"failed", bullets(question.failed)}});
}

provider::RoleRequest refine_request(const RefineQuestion &question) {
  const bool first = question.base.empty();
  return role_request("refine", stable_prefix(question.brief),
                      {{"first", first ? "yes" : ""},
                       {"base", first ? "" : fenced(question.base, "cuda")},
                       {"depth", std::to_string(question.depth)},
                       {"base_score", factor(question.base_score)},
                       {"best_score", factor(question.best_score)},
                       {"done", bullets(question.done)},
                       {"digest", question.digest},
                       {"menu", first ? "" : question.menu}});
}

std::string refine_menu(KernelPattern pattern) {
  switch (pattern) {
    case KernelPattern::matmul:
      return prompt("menu_matmul").fill({});
    case KernelPattern::attention:
      return prompt("menu_attention").fill({});
    case KernelPattern::convolution:
      return prompt("menu_convolution").fill({});
    case KernelPattern::reduction:
    case KernelPattern::normalisation:
    case KernelPattern::loss:
      return prompt("menu_rows").fill({});
    case KernelPattern::elementwise:
      return prompt("menu_elementwise").fill({});
    case KernelPattern::other:
      break;
  }
  return prompt("menu_other").fill({});
}

}  // namespace cupilot::role
