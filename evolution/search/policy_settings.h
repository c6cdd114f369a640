// SPDX-License-Identifier: Apache-2.0
//
// The settings of policies, in one table. The options of `cupilot tune`, the command line that repeats a run,
// and the text that identifies a run are made from this table.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "evolution/role/kernel_brief.h"

namespace cupilot::provider {
class Providers;
}  // namespace cupilot::provider

namespace cupilot::search {

struct TuneSettings;

/// The default policies, without and with a model.
inline constexpr const char *kPolicyWithoutModel = "rules", *kPolicyWithModel = "auto";

/// Each policy reads only the settings that apply to it.
struct PolicySettings {
  std::size_t population = 8, generations = 4, epochs = 2;
  int depth = 10;
  std::size_t branches = 4;
  std::string dialect = role::kCudaDialect;
  bool critic = false;          ///< CudaForge's critic (arXiv 2511.01884) replaces the diagnosis
  bool retrieval = true;        ///< false: the first population uses neither pool nor history
  bool guidance = true;         ///< false: no roofline class, no digest
  bool form = true;             ///< false: what the kernel computes is not told in the lifted form
  bool code_crossover = false;  ///< crossover shows both parents' code instead of their strategies
};

/// Describes one member of PolicySettings. The default is the member's initial value. All settings are part
/// of a run's identity.
struct PolicySetting {
  using Member = std::variant<std::size_t PolicySettings::*, int PolicySettings::*, bool PolicySettings::*,
                              std::string PolicySettings::*>;
  std::string_view name;  ///< name in the text of a run's options
  Member member;
  const char *option;  ///< option of `cupilot tune`; the option of a flag inverts its default
  const char *help;
  bool for_comparison = false;  ///< disables a part of cupilot, to measure how much that part contributes
  bool named_if_on = false;     ///< of a flag that older runs did not have: they were without
};
std::span<const PolicySetting> policy_settings();

/// Range of all numeric settings.
inline constexpr int kLeastSetting = 1, kMostSetting = 1000;

/// For each dialect its name on the command line and its name in prompts.
inline constexpr std::pair<std::string_view, const char *> kDialects[] = {{"cuda", role::kCudaDialect},
                                                                          {"cute", role::kCuteDialect}};

/// The text that identifies a search besides its policy and seed: one line "name=value" for each setting,
/// then one line "role=provider:model" for each role that may be asked. Empty for a policy without options.
/// Different options make a different run. The critic has a line only if settings.options.critic is set, and
/// a flag with `named_if_on` only if it is on, so that the text of older runs without them does not change.
std::string run_options(const TuneSettings &settings, const provider::Providers &providers);

/// Applies one line of run_options(). False if the name is not a setting or the value is not valid.
bool adopt_setting(std::string_view name, const std::string &value, PolicySettings &settings);

/// The settings that differ from their defaults, as options of `cupilot tune`: " --population 4
/// --no-guidance".
std::string option_words(const PolicySettings &settings);

}  // namespace cupilot::search
