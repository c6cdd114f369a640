// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/strategy_words.h"

#include <fmt/format.h>

#include "annotate/support/text.h"
#include "evolution/role/words.h"

namespace cupilot::role {

std::string strategy_words(const model::Strategy &strategy) {
  std::string text;
  const auto add = [&](const std::string &name, const std::string &value) {
    if (!value.empty()) text += fmt::format("{}: {}\n", name, value);
  };
  const auto each = [&](const std::string &name, const std::vector<std::string> &values) {
    for (const std::string &value : values) add(name, value);
  };
  add("id", strategy.id);
  add("title", strategy.title);
  add("helps where", join(strategy.roofline_classes, ", "));
  add("for", join(strategy.architectures, ", "));
  each("needs", strategy.preconditions);
  for (std::size_t i = 0; i < strategy.steps.size(); ++i)
    add(fmt::format("step {}", i + 1), strategy.steps[i]);
  add("effect", strategy.expected_effect);
  add("typical gain", factor(strategy.gain));
  add("risk", strategy.risk);
  add("check", strategy.check);
  add("cannot be combined with", join(strategy.conflicts, ", "));
  each("evidence", strategy.evidence);
  add("made of", join(strategy.parents, ", "));
  return text;
}

std::string strategy_words(const std::vector<model::Strategy> &strategies) {
  std::string text;
  for (const model::Strategy &strategy : strategies)
    text += (text.empty() ? "" : "\n") + strategy_words(strategy);
  return text;
}

}  // namespace cupilot::role
