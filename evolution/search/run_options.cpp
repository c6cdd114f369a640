// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/run_options.h"

namespace cupilot {
namespace {

constexpr const char *kRoles[] = {"analyst", "strategist", "translator", "revisor", "aligner"};

std::string line(const std::string &name, const std::string &value) {
  return name + "=" + value + "\n";
}
std::string line(const std::string &name, bool value) {
  return line(name, std::string(value ? "yes" : "no"));
}
std::string line(const std::string &name, std::size_t value) {
  return line(name, std::to_string(value));
}

std::string name_of(const Provider &provider) {
  return provider.model().empty() ? provider.name() : provider.name() + ":" + provider.model();
}

}  // namespace

std::string run_options(const TuneSettings &settings, const Providers &providers) {
  if (settings.policy == "rules") return {};
  const PolicySettings &options = settings.options;
  std::string text = line("population", options.population) + line("generations", options.generations) +
                     line("epochs", options.epochs) + line("depth", static_cast<std::size_t>(options.depth)) +
                     line("branches", options.branches) + line("dialect", options.dialect) +
                     line("critic", options.critic) + line("retrieval", options.retrieval) +
                     line("guidance", options.guidance) + line("code crossover", options.code_crossover);
  for (const char *role : kRoles) text += line(role, name_of(providers.of(role)));
  text.pop_back();
  return text;
}

}  // namespace cupilot
