// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/policy.h"

#include <fmt/format.h>
#include <algorithm>

#include "annotate/support/text.h"

namespace cupilot::search {
namespace {

// In the order in which the help text lists them.
constexpr Policy kPolicies[] = {
    {"rules", ModelUse::none, false, run_rules},           {"sce", ModelUse::required, true, run_sce},
    {"refine", ModelUse::required, true, run_refine},      {"tree", ModelUse::required, true, run_tree},
    {"branches", ModelUse::required, true, run_branches},  {"knobs", ModelUse::none, true, run_knobs},
    {"exhaustive", ModelUse::none, false, run_exhaustive}, {"auto", ModelUse::optional, true, run_auto},
    {"random", ModelUse::required, true, run_random}};

}  // namespace

std::span<const Policy> policies() {
  return kPolicies;
}

std::vector<std::string> policy_names(ModelUse use) {
  std::vector<std::string> names;
  for (const Policy &policy : kPolicies)
    if (policy.model == use) names.emplace_back(policy.name);
  return names;
}

Result<const Policy *> find_policy(const std::string &name) {
  if (const auto *found = std::ranges::find(kPolicies, name, &Policy::name); found != std::end(kPolicies))
    return found;
  std::vector<std::string> known;
  for (const Policy &policy : kPolicies) known.emplace_back(policy.name);
  return user_error(fmt::format("unknown search policy '{}'; {}", name, did_you_mean(name, known)));
}

}  // namespace cupilot::search
