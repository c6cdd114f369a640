// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/policy.h"

#include "annotate/support/text.h"
#include "evolution/search/auto_policy.h"
#include "evolution/search/branches.h"
#include "evolution/search/knobs_policy.h"
#include "evolution/search/random_policy.h"
#include "evolution/search/refine.h"
#include "evolution/search/rules_policy.h"
#include "evolution/search/sce.h"
#include "evolution/search/tree_policy.h"

namespace cupilot {
namespace {

struct NamedPolicy {
  const char *name;
  std::unique_ptr<Policy> (*make)();
};
constexpr NamedPolicy kPolicies[] = {
    {"rules", [] { return std::unique_ptr<Policy>(std::make_unique<RulesPolicy>()); }},
    {"auto", [] { return std::unique_ptr<Policy>(std::make_unique<AutoPolicy>()); }},
    {"sce", [] { return std::unique_ptr<Policy>(std::make_unique<ScePolicy>()); }},
    {"refine", [] { return std::unique_ptr<Policy>(std::make_unique<RefinePolicy>()); }},
    {"tree", [] { return std::unique_ptr<Policy>(std::make_unique<TreePolicy>()); }},
    {"branches", [] { return std::unique_ptr<Policy>(std::make_unique<BranchesPolicy>()); }},
    {"knobs", [] { return std::unique_ptr<Policy>(std::make_unique<KnobsPolicy>()); }},
    {"random", [] { return std::unique_ptr<Policy>(std::make_unique<RandomPolicy>()); }},
};

}  // namespace

Result<std::unique_ptr<Policy>> make_policy(const std::string &name) {
  std::vector<std::string> known;
  for (const NamedPolicy &policy : kPolicies) {
    if (name == policy.name) return policy.make();
    known.emplace_back(policy.name);
  }
  return user_error("unknown search policy '" + name + "'; " + did_you_mean(name, known));
}

}  // namespace cupilot
