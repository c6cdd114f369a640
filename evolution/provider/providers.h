// SPDX-License-Identifier: Apache-2.0
//
// The kinds of providers, and which provider answers which role. Does not own the providers.

#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "evolution/provider/provider.h"

namespace cupilot::provider {

/// The providers that a user may name with --provider and --role.
struct ProviderKind {
  const char *name;
  const char *what;         ///< description for the help text; "" if the name is enough
  bool over_http = false;   ///< a server: its models have names, and tokens are counted and paid for
  bool sends_text = false;  ///< the question may leave this machine: the user has to agree
  bool hides_cost = false;  ///< the cost of an answer is not reported
};
inline constexpr std::array kProviderKinds{
    ProviderKind{.name = kBuiltinProvider, .what = "rules, no network"},
    ProviderKind{
        .name = kOpenaiProvider, .what = "any compatible server", .over_http = true, .sends_text = true},
    ProviderKind{.name = kAnthropicProvider, .what = "", .over_http = true, .sends_text = true},
    ProviderKind{.name = kCommandProvider, .what = "a program", .sends_text = true, .hides_cost = true},
    ProviderKind{.name = kMailboxProvider, .what = "a folder", .hides_cost = true},
    ProviderKind{.name = kReplayProvider, .what = "a recording"}};

/// The kind with this name; null if there is none.
constexpr const ProviderKind *provider_kind(std::string_view name) {
  const auto *found = std::ranges::find(kProviderKinds, name, &ProviderKind::name);
  return found == kProviderKinds.end() ? nullptr : found;
}

class Providers {
public:
  /// `rules` answers questions for built-in rules. `otherwise` answers every role without a provider of its
  /// own (it equals `rules` if no model was chosen).
  Providers(Provider &rules, Provider &otherwise) : rules_(&rules), otherwise_(&otherwise) {}
  void set(const std::string &role, Provider &provider) { by_role_[role] = &provider; }

  Provider &rules() const { return *rules_; }
  Provider &of(const std::string &role) const {
    const auto found = by_role_.find(role);
    return found == by_role_.end() ? *otherwise_ : *found->second;
  }
  /// True if a provider other than the built-in rules can be asked.
  bool has_model() const { return otherwise_ != rules_; }

private:
  Provider *rules_, *otherwise_;
  std::map<std::string, Provider *> by_role_;
};

}  // namespace cupilot::provider
