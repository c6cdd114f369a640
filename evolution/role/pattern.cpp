// SPDX-License-Identifier: Apache-2.0
#include "evolution/role/pattern.h"

#include <array>
#include <cstddef>

namespace cupilot::role {

const char *to_string(KernelPattern pattern) {
  static constexpr std::array<const char *, 8> kNames{
      "matmul", "attention", "convolution", "reduction", "normalisation", "loss", "elementwise", "other"};
  return kNames[static_cast<std::size_t>(pattern)];
}

KernelPattern pattern_of(const spec::CodeFacts &facts) {
  if (!facts.known) return KernelPattern::other;
  const bool products = facts.products > 0 || facts.has_matrix_unit;
  const bool combines = facts.sums || facts.folds || facts.scans || facts.has_shuffle || facts.has_atomic ||
                        facts.calls_reduction;
  if (facts.named_loss && facts.product_depth <= 1 && !facts.has_matrix_unit) return KernelPattern::loss;
  if (products && facts.has_exponential && (facts.products > 1 || facts.has_matrix_unit))
    return KernelPattern::attention;
  const bool direct = !facts.has_shared_memory && facts.product_depth >= 3;
  if (products && ((facts.named_convolution && facts.product_depth >= 1) || direct))
    return KernelPattern::convolution;
  if (products) return KernelPattern::matmul;
  if (combines && (facts.has_root || facts.has_exponential)) return KernelPattern::normalisation;
  if (combines) return KernelPattern::reduction;
  return facts.has_shared_memory ? KernelPattern::other : KernelPattern::elementwise;
}

int profile_from_depth(KernelPattern pattern) {
  switch (pattern) {
    case KernelPattern::matmul:
    case KernelPattern::attention:
    case KernelPattern::convolution:
      return 6;
    case KernelPattern::reduction:
    case KernelPattern::normalisation:
      return 5;
    case KernelPattern::loss:
      return 3;
    case KernelPattern::elementwise:
      return 2;
    case KernelPattern::other:
      break;
  }
  return 1;
}

}  // namespace cupilot::role
