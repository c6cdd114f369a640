// SPDX-License-Identifier: Apache-2.0
//
// `--policy`, `--provider` and what belongs to them: which search, who answers its roles, at what price. What
// can be wrong with the words is found here, before anything is built or asked.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/bundle/executor.h"
#include "evolution/provider/price.h"
#include "evolution/provider/providers.h"
#include "evolution/search/tune.h"

namespace CLI {
class App;
}

namespace cupilot {
struct Recording;
}

namespace cupilot::cli {

struct ModelOptions {
  std::string policy;    ///< empty until check_model_options(), unless the user said it
  std::string provider;  ///< the same; kBuiltinProvider where nobody else was named
  std::string model, base_url, key_variable, effort, command, mailbox, replay, price;
  std::optional<double> temperature;
  int parallel = kUsualParallel;
  std::vector<std::string> roles;  ///< "translator=anthropic:model"
  bool data_policy = false, accept_data_policy = false;
  PolicySettings settings;

  bool has_model() const { return provider != kBuiltinProvider; }
  /// Somebody is asked whose tokens are counted: never without a limit.
  bool counts_tokens() const;
};

void add_model_options(CLI::App &command, ModelOptions &options);

/// Fills in what was left out (a provider that an option implies, the policy) and refuses what does not fit
/// together; every message names the option to change.
Result<void> check_model_options(ModelOptions &options);

/// A recording is played again as it was made: its policy, the policy's options and who else than a model
/// answered.
void adopt_recording(ModelOptions &options, const Recording &recording);

/// As a command that repeats this says it; no keys, no folders of this machine.
std::string model_words(const ModelOptions &options);

/// One provider with one model, and the roles it answers.
struct ModelChoice {
  std::string provider, model;
  std::vector<std::string> roles;
};
/// First what --provider says with the roles nobody else answers, then one for each other pair of --role;
/// built-in rules are not among them. Of checked options.
std::vector<ModelChoice> model_choices(const ModelOptions &options);

/// One line for people: what somebody has to do (a mailbox).
using Waiting = std::function<void(const std::string &)>;

/// Everybody who may be asked. Lives as long as the search.
class ModelProviders {
public:
  const Providers &providers() const { return *providers_; }
  /// What is not known: costs of these models count as nothing.
  const std::vector<std::string> &without_price() const { return without_price_; }

private:
  friend Result<ModelProviders> make_model_providers(const ModelOptions &, Provider &, const StopFlag &,
                                                     const Waiting &);
  std::vector<std::unique_ptr<Provider>> owned_;
  std::unique_ptr<Providers> providers_;
  std::vector<std::string> without_price_;
};

Result<ModelProviders> make_model_providers(const ModelOptions &options, Provider &rules,
                                            const StopFlag &stop, const Waiting &waiting);

}  // namespace cupilot::cli
