// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/ideas.h"

#include <cstdio>

namespace cupilot {

std::string strategy_id(const std::string &prefix, std::size_t number) {
  const std::string digits = std::to_string(number);
  return prefix + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

std::string describe_effect(const Strategy &strategy, double predicted, double observed) {
  char figures[64];
  std::snprintf(figures, sizeof figures, ": predicted %.2fx, observed %.2fx", predicted, observed);
  return strategy.title + figures;
}

}  // namespace cupilot
