// SPDX-License-Identifier: Apache-2.0
//
// What a user may set about a policy: one table, from which follow the options of `cupilot tune`, the words
// of the command that repeats a run, and the text that tells one run from another.

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "evolution/role/kernel_brief.h"

namespace cupilot {

class Providers;
struct TuneSettings;

/// The policies that run where the user names none.
inline constexpr const char *kPolicyWithoutModel = "rules", *kPolicyWithModel = "auto";

/// Each policy reads those that it knows.
struct PolicySettings {
  std::size_t population = 8, generations = 4, epochs = 2;
  int depth = 10;
  std::size_t branches = 4;
  std::string dialect = kCudaDialect;
  bool critic = false;          ///< CudaForge's critic instead of the diagnosis
  bool retrieval = true;        ///< false: the first population is brainstormed without pool and history
  bool guidance = true;         ///< false: no roofline class, no digest
  bool code_crossover = false;  ///< crossover shows both parents' code instead of their strategies
};

/// One member of PolicySettings. Its default is the member's own, and all of them are part of a run's
/// identity.
struct PolicySetting {
  using Member = std::variant<std::size_t PolicySettings::*, int PolicySettings::*, bool PolicySettings::*,
                              std::string PolicySettings::*>;
  std::string_view name;  ///< in the text of a run's options
  Member member;
  const char *option;  ///< of `cupilot tune`; that of a flag turns the default over
  const char *help;
  bool for_comparison = false;  ///< turns a part of cupilot off, to measure what that part is worth
};
std::span<const PolicySetting> policy_settings();

/// The numbers among the settings are all in this range.
inline constexpr int kLeastSetting = 1, kMostSetting = 1000;

/// The dialects as the command line calls them and as prompts do.
inline constexpr std::pair<std::string_view, const char *> kDialects[] = {{"cuda", kCudaDialect},
                                                                          {"cute", kCuteDialect}};

/// What makes a search another one, apart from its policy and seed: one line "name=value" for each setting
/// and then one line "role=provider:model" for each role that may be asked. Empty for a policy without
/// options. A run with other options is another run. The critic has its line only where
/// settings.options.critic is set: runs without it keep the text that they had when no run named its critic.
std::string run_options(const TuneSettings &settings, const Providers &providers);

/// Takes over one line of run_options(). False: the line is about no setting, or its value is none.
bool adopt_setting(std::string_view name, const std::string &value, PolicySettings &settings);

/// What is not at its default, as options of `cupilot tune`: " --population 4 --no-guidance".
std::string option_words(const PolicySettings &settings);

}  // namespace cupilot
