// SPDX-License-Identifier: Apache-2.0
//
// Provider `builtin`: no network, no model. The translator's answer is a source rewrite by `cupilot-annotate
// rewrite`, the strategist's is the list of strategies whose rule that program knows, greatest expected gain
// first.

#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/provider/provider.h"

namespace cupilot {

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
  /// One rewrite on each processor: a rewrite is a parse and takes a good part of a second.
  void answer_all(const std::vector<RoleRequest> &requests, const Arrived &arrived) override;

private:
  Result<std::string> translate(const std::string &content);
  Result<std::string> list_strategies(const std::string &content);
  Result<std::string> run_annotate(const std::string &verb, std::string input);

  BuiltinSettings settings_;
  std::mutex mutex_;                ///< of rules_
  std::vector<std::string> rules_;  ///< asked once
};

}  // namespace cupilot
