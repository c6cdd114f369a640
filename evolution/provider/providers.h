// SPDX-License-Identifier: Apache-2.0
//
// The kinds of providers, and which provider answers which role. Owns nothing.

#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "evolution/provider/provider.h"

namespace cupilot {

/// Whom a user may name with --provider and --role.
struct ProviderKind {
  const char *name;
  const char *what;         ///< in help; "" where the name says it
  bool over_http = false;   ///< a server: its models have names, and their tokens are counted and paid for
  bool sends_text = false;  ///< whoever is asked may be outside of this machine: the user has to agree
  bool hides_cost = false;  ///< what an answer costs is told to nobody
};
inline constexpr std::array kProviderKinds{
    ProviderKind{.name = kBuiltinProvider, .what = "rules, no network"},
    ProviderKind{
        .name = kOpenaiProvider, .what = "any compatible server", .over_http = true, .sends_text = true},
    ProviderKind{.name = kAnthropicProvider, .what = "", .over_http = true, .sends_text = true},
    ProviderKind{.name = kCommandProvider, .what = "a program", .sends_text = true, .hides_cost = true},
    ProviderKind{.name = kMailboxProvider, .what = "a folder", .hides_cost = true},
    ProviderKind{.name = kReplayProvider, .what = "a recording"}};

/// Null: no provider has this name.
constexpr const ProviderKind *provider_kind(std::string_view name) {
  const auto *found = std::ranges::find(kProviderKinds, name, &ProviderKind::name);
  return found == kProviderKinds.end() ? nullptr : found;
}

class Providers {
public:
  /// `rules` answers where a policy asks for built-in rules; `otherwise` every role that has nobody of its
  /// own (the same as `rules` where no model was chosen).
  Providers(Provider &rules, Provider &otherwise) : rules_(&rules), otherwise_(&otherwise) {}
  void set(const std::string &role, Provider &provider) { by_role_[role] = &provider; }

  Provider &rules() const { return *rules_; }
  Provider &of(const std::string &role) const {
    const auto found = by_role_.find(role);
    return found == by_role_.end() ? *otherwise_ : *found->second;
  }
  /// Somebody other than built-in rules can be asked.
  bool has_model() const { return otherwise_ != rules_; }

private:
  Provider *rules_, *otherwise_;
  std::map<std::string, Provider *> by_role_;
};

}  // namespace cupilot
