// SPDX-License-Identifier: Apache-2.0
//
// The roles that may be given to a model. This list is the only one: the command line offers these roles, a
// question finds its role by its prompt, and the providers of the roles are part of a run's identity.

#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace cupilot {

inline constexpr const char *kAnalyst = "analyst", *kStrategist = "strategist", *kTranslator = "translator",
                            *kRevisor = "revisor", *kAligner = "aligner", *kCritic = "critic";

struct Role {
  const char *name;  ///< as users, questions and the run database call it; CUPILOT_ROLE of a command
  std::array<std::string_view, 3> prompts;  ///< the prompts with which it asks, files of role/prompts
  bool always = true;                       ///< false: asked only where PolicySettings::critic says so
};

inline constexpr std::array kRoles{
    Role{kAnalyst, {"analyst"}},
    Role{kStrategist, {"strategist_initial", "strategist_crossover", "strategist_extend"}},
    Role{kTranslator, {"translator", "refine"}},
    Role{kRevisor, {"revisor_diagnose", "revisor_edit"}},
    Role{kAligner, {"aligner"}},
    Role{kCritic, {"critic"}, false}};

/// The role that asks with this prompt; null for a prompt that is part of others.
constexpr const Role *role_of_prompt(std::string_view prompt) {
  const auto found = std::ranges::find_if(kRoles, [&](const Role &role) {
    return std::ranges::find(role.prompts, prompt) != role.prompts.end();
  });
  return prompt.empty() || found == kRoles.end() ? nullptr : &*found;
}

}  // namespace cupilot
