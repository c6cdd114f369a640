// SPDX-License-Identifier: Apache-2.0
//
// Provider `builtin` answers without network and model. The translator's answer is a schedule of the kernel's
// lifted form, or a source rewrite made by `cupilot-annotate rewrite`. The strategist's answer is the list of
// strategies whose rule is one of these, greatest expected gain first.

#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/provider.h"

namespace cupilot::provider {

struct BuiltinSettings {
  std::string annotate;  ///< path of cupilot-annotate
  std::chrono::seconds time_limit{120};
};

class BuiltinProvider final : public Provider {
public:
  explicit BuiltinProvider(BuiltinSettings settings) : settings_(std::move(settings)) {}
  std::string name() const override { return kBuiltinProvider; }
  bool costly() const override { return false; }
  ProviderAnswer answer(const RoleRequest &request) override;
  /// Runs one rewrite on each processor, because a rewrite includes a parse, which takes a large part of a
  /// second.
  void answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) override;

private:
  Result<std::string> translate(const std::string &content);
  Result<std::string> list_strategies(const std::string &content);
  Result<std::string> run_annotate(const std::string &verb, std::string input);

  BuiltinSettings settings_;
  std::mutex mutex_;                ///< guards rules_
  std::vector<std::string> rules_;  ///< known rules; asked for once
};

}  // namespace cupilot::provider
