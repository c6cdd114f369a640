// SPDX-License-Identifier: Apache-2.0
//
// The roles that a model can take. This is the only list of them: the command line offers these roles, the
// role of a question follows from its prompt, and the providers of the roles are part of a run's identity.

#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace cupilot::model {

inline constexpr const char *kAnalyst = "analyst", *kStrategist = "strategist", *kTranslator = "translator",
                            *kRevisor = "revisor", *kAligner = "aligner", *kCritic = "critic";

struct Role {
  /// the name in options, questions and the run database; CUPILOT_ROLE for a command provider
  const char *name;
  std::array<std::string_view, 3> prompts;  ///< its prompts: file names in role/prompts
  bool always = true;                       ///< false: used only if PolicySettings::critic is set
};

inline constexpr std::array kRoles{
    Role{kAnalyst, {"analyst"}},
    Role{kStrategist, {"strategist_initial", "strategist_crossover", "strategist_extend"}},
    Role{kTranslator, {"translator", "refine"}},
    Role{kRevisor, {"revisor_diagnose", "revisor_edit"}},
    Role{kAligner, {"aligner"}},
    Role{kCritic, {"critic"}, false}};

/// The role that uses this prompt; null for a text that is only a part of other prompts.
constexpr const Role *role_of_prompt(std::string_view prompt) {
  const auto found = std::ranges::find_if(kRoles, [&](const Role &role) {
    return std::ranges::find(role.prompts, prompt) != role.prompts.end();
  });
  return prompt.empty() || found == kRoles.end() ? nullptr : &*found;
}

}  // namespace cupilot::model
