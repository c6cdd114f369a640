// SPDX-License-Identifier: Apache-2.0
//
// CUPILOT_EMULATE_* of the environment: how a program that was not started by us says what it wants.

#include "evolution/emulate/runtime/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace cupilot::emulate::runtime {
namespace {

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

bool set(const char *name) {
  const auto value = variable(name);
  return !value.empty() && value != "0";
}

Result<std::uint64_t> number(const char *name) {
  const auto text = variable(name);
  if (text.empty()) return 0;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return user_error(fmt::format("{} must be a number from 0 on, not '{}'", name, text));
  return value;
}

}  // namespace

Result<machine::Checks> parse_checks(const std::string &text) {
  machine::Checks checks;
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto word = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const bool all = word == "all";
    if (!all && word != "races" && word != "init" && word != "none")
      return user_error(fmt::format("unknown check '{}'; the checks are races, init, all and none", word));
    checks.races |= all || word == "races";
    checks.initialised |= all || word == "init";
  }
  return checks;
}

Result<DeviceOptions> options_from_environment() {
  DeviceOptions options;
  if (const auto architecture = variable("CUPILOT_EMULATE_ARCH"); !architecture.empty())
    options.architecture = architecture;
  CUPILOT_TRY(checks, parse_checks(variable("CUPILOT_EMULATE_CHECKS")));
  options.launch.checks = checks;
  CUPILOT_TRY(threads, number("CUPILOT_EMULATE_THREADS"));
  options.launch.threads = static_cast<unsigned>(threads);
  CUPILOT_TRY(megabytes, number("CUPILOT_EMULATE_MEMORY_MB"));
  options.memory_bytes = megabytes << 20;
  CUPILOT_TRY(budget, number("CUPILOT_EMULATE_BUDGET"));
  options.launch.instruction_budget = budget;
  options.only_log = set("CUPILOT_EMULATE_ONLY_LOG");
  options.log_launches = options.only_log || set("CUPILOT_EMULATE_LOG");
  options.report = variable("CUPILOT_EMULATE_REPORT");
  return options;
}

}  // namespace cupilot::emulate::runtime
