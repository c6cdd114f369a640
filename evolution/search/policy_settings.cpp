// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/policy_settings.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <type_traits>

#include "evolution/model/role.h"
#include "evolution/provider/providers.h"
#include "evolution/search/policy.h"
#include "evolution/search/tune.h"

namespace cupilot::search {
namespace {

constexpr PolicySetting kPolicySettings[] = {
    {"population", &PolicySettings::population, "--population", "sce: individuals in a generation"},
    {"generations", &PolicySettings::generations, "--generations", "sce: generations in an epoch"},
    {"epochs", &PolicySettings::epochs, "--epochs", "sce: epochs; each starts from the best variants"},
    {"depth", &PolicySettings::depth, "--depth", "refine, tree: most steps from the original"},
    {"branches", &PolicySettings::branches, "--branches", "branches: ideas followed at the same time"},
    {"dialect", &PolicySettings::dialect, "--dialect",
     "cuda, or cute: variants in CuTe, for files that include cute/tensor.hpp; default: cuda"},
    {"critic", &PolicySettings::critic, "--critic",
     "Repairs begin with the one issue a critic names, not with a diagnosis"},
    {"retrieval", &PolicySettings::retrieval, "--no-retrieval",
     "Make the first population without the strategy pool and the history", true},
    {"guidance", &PolicySettings::guidance, "--no-guidance",
     "Leave the roofline class and the digest of counters out of prompts", true},
    {"form", &PolicySettings::form, "--no-form",
     "Leave what the kernel computes, in the lifted form, out of prompts", true, true},
    {"code crossover", &PolicySettings::code_crossover, "--code-crossover",
     "Cross over both parents' code instead of their strategies", true}};

std::string setting_text(const std::string &value) {
  return value;
}
std::string setting_text(bool value) {
  return value ? "yes" : "no";
}
template <class Number>
std::string setting_text(Number value) {
  return std::to_string(value);
}

bool adopt_value(const std::string &value, bool &into) {
  if (value != "yes" && value != "no") return false;
  into = value == "yes";
  return true;
}
bool adopt_value(const std::string &value, std::string &into) {
  const auto *known = std::ranges::find(kDialects, value, [](const auto &dialect) { return dialect.second; });
  if (known == std::end(kDialects)) return false;
  into = value;
  return true;
}
template <class Number>
bool adopt_value(const std::string &value, Number &into) {
  into = static_cast<Number>(std::strtoll(value.c_str(), nullptr, 10));
  return true;
}

std::string option_value(const std::string &dialect) {
  const auto *known = std::ranges::find(kDialects, dialect, [](const auto &one) { return one.second; });
  CUPILOT_CHECK(known != std::end(kDialects));
  return fmt::format(" {}", known->first);
}
std::string option_value(bool) {
  return {};
}
template <class Number>
std::string option_value(Number value) {
  return fmt::format(" {}", value);
}

std::string provider_text(const provider::Provider &provider) {
  return provider.model().empty() ? provider.name() : fmt::format("{}:{}", provider.name(), provider.model());
}

}  // namespace

std::span<const PolicySetting> policy_settings() {
  return kPolicySettings;
}

std::string run_options(const TuneSettings &settings, const provider::Providers &providers) {
  if (const auto policy = find_policy(settings.policy); policy && !(*policy)->has_options) return {};
  std::string text;
  const auto line = [&](std::string_view name, const std::string &value) {
    text += fmt::format("{}{}={}", text.empty() ? "" : "\n", name, value);
  };
  for (const PolicySetting &setting : kPolicySettings) {
    const auto *flag = std::get_if<bool PolicySettings::*>(&setting.member);
    if (setting.named_if_on && flag != nullptr && !(settings.options.*(*flag))) continue;
    line(setting.name,
         std::visit([&](auto member) { return setting_text(settings.options.*member); }, setting.member));
  }
  for (const model::Role &role : model::kRoles)
    if (role.always || settings.options.critic) line(role.name, provider_text(providers.of(role.name)));
  return text;
}

bool adopt_setting(std::string_view name, const std::string &value, PolicySettings &settings) {
  const auto *setting = std::ranges::find(kPolicySettings, name, &PolicySetting::name);
  if (setting == std::end(kPolicySettings)) return false;
  return std::visit([&](auto member) { return adopt_value(value, settings.*member); }, setting->member);
}

std::string option_words(const PolicySettings &settings) {
  const PolicySettings usual;
  std::string words;
  for (const PolicySetting &setting : kPolicySettings)
    words += std::visit(
        [&](auto member) {
          return settings.*member == usual.*member
                     ? std::string()
                     : fmt::format(" {}{}", setting.option, option_value(settings.*member));
        },
        setting.member);
  return words;
}

}  // namespace cupilot::search
