// SPDX-License-Identifier: Apache-2.0
//
// Which provider answers which role. Owns nothing.

#pragma once

#include <map>
#include <string>

#include "evolution/provider/provider.h"

namespace cupilot {

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
