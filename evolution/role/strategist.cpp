// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/strategist.h"

#include "evolution/role/prompt.h"
#include "evolution/role/strategy_words.h"
#include "evolution/role/words.h"

namespace cupilot::role {

provider::RoleRequest initial_request(const InitialQuestion &question) {
  const std::string retrieved = strategy_words(question.retrieved);
  return role_request("strategist_initial", stable_prefix(question.brief),
                      {{"count", std::to_string(question.count)},
                       {"roofline", question.analysis.roofline_class},
                       {"digest", digest_text(question.analysis)},
                       {"retrieved", retrieved.empty() ? "" : fenced(retrieved, "text")},
                       {"experience", bullets(question.experience)}});
}

provider::RoleRequest crossover_request(const CrossoverQuestion &question) {
  return role_request("strategist_crossover", prefix_without_code(question.brief),
                      {{"roofline", question.analysis.roofline_class},
                       {"digest", digest_text(question.analysis)},
                       {"first", fenced(strategy_words(question.first), "text")},
                       {"first_score", factor(question.first_score)},
                       {"second", fenced(strategy_words(question.second), "text")},
                       {"second_score", factor(question.second_score)},
                       {"conflicts", bullets(question.conflicts)},
                       {"experience", bullets(question.experience)}});
}

provider::RoleRequest extend_request(const ExtendQuestion &question) {
  return role_request("strategist_extend", stable_prefix(question.brief),
                      {{"predicted", factor(question.predicted)},
                       {"observed", factor(question.observed)},
                       {"realised", fenced(strategy_words(question.realised), "text")},
                       {"roofline", question.analysis.roofline_class},
                       {"digest", digest_text(question.analysis)},
                       {"tried", bullets(question.tried)},
                       {"most", std::to_string(question.most)}});
}

}  // namespace cupilot::role
