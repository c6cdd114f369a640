// SPDX-License-Identifier: Apache-2.0
//
// `--policy`, `--provider` and what belongs to them: which policy searches, which providers answer the roles,
// and at what price. Errors in these options are found here, before anything is built and before a model is
// asked.

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

namespace cupilot::provider {
struct Recording;
}  // namespace cupilot::provider

namespace cupilot::cli::tune {}

namespace cupilot::cli::tune {

struct ModelOptions {
  std::string policy;    ///< empty until check_model_options(), unless the user named one
  std::string provider;  ///< the same; kBuiltinProvider when no other is named
  std::string model, base_url, key_variable, effort, command, mailbox, replay, price;
  std::optional<double> temperature;
  int parallel = provider::kUsualParallel;
  std::vector<std::string> roles;  ///< "translator=anthropic:model"
  bool data_policy = false, accept_data_policy = false;
  search::PolicySettings settings;

  bool has_model() const { return provider != provider::kBuiltinProvider; }
  /// True when a provider over HTTP answers a role. Its tokens are counted, and such a search always has a
  /// limit.
  bool counts_tokens() const;
};

void add_model_options(CLI::App &command, ModelOptions &options);

/// Fills in the omitted options (a provider that another option implies, the policy) and refuses options that
/// contradict each other. Every message names the option to change.
Result<void> check_model_options(ModelOptions &options);

/// Takes over the policy, the policy's options and the roles answered by built-in rules from a recording, so
/// that the replay runs like the recorded search.
void adopt_recording(ModelOptions &options, const provider::Recording &recording);

/// The options for a command that repeats this run, without keys and without paths of this machine.
std::string model_words(const ModelOptions &options);

/// One provider with one model, and the roles it answers.
struct ModelChoice {
  std::string provider, model;
  std::vector<std::string> roles;
};
/// First the choice of --provider, with the roles that no --role names, then one choice for each other
/// provider and model of --role. Built-in rules are left out. The options must have been checked.
std::vector<ModelChoice> model_choices(const ModelOptions &options);

/// Receives one line that tells the user what to do (for a mailbox).
using Waiting = std::function<void(const std::string &)>;

/// Owns all providers that may be asked. Must outlive the search.
class ModelProviders {
public:
  const provider::Providers &providers() const { return *providers_; }
  /// Models without a known price; their costs are counted as zero.
  const std::vector<std::string> &without_price() const { return without_price_; }

private:
  friend Result<ModelProviders> make_model_providers(const ModelOptions &, provider::Provider &,
                                                     const judge::bundle::StopFlag &, const Waiting &);
  std::vector<std::unique_ptr<provider::Provider>> owned_;
  std::unique_ptr<provider::Providers> providers_;
  std::vector<std::string> without_price_;
};

Result<ModelProviders> make_model_providers(const ModelOptions &options, provider::Provider &rules,
                                            const judge::bundle::StopFlag &stop, const Waiting &waiting);

}  // namespace cupilot::cli::tune
