// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/translator.h"

#include "evolution/role/prompt.h"
#include "evolution/role/strategy_words.h"
#include "evolution/role/words.h"

namespace cupilot {

RoleRequest translation_request(const TranslationQuestion &question) {
  return role_request("translator", "translator", stable_prefix(question.brief),
                      {{"strategy", fenced(strategy_words(question.strategy), "text")},
                       {"base", question.base.empty() ? "" : fenced(question.base, "cuda")},
                       {"base_score", factor(question.base_score)},
                       {"digest", question.digest},
                       {"failed", bullets(question.failed)}});
}

}  // namespace cupilot
