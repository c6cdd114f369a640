// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/aligner.h"

#include "evolution/role/prompt.h"
#include "evolution/role/strategy_words.h"
#include "evolution/role/words.h"

namespace cupilot::role {

provider::RoleRequest align_request(const AlignQuestion &question) {
  return role_request("aligner", stable_prefix(question.brief),
                      {{"strategy", fenced(strategy_words(question.strategy), "text")},
                       {"variant", fenced(question.variant, "cuda")}});
}

}  // namespace cupilot::role
