// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/features.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cupilot {
namespace {

constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
    {"for (", "loop"},
    {"for(", "loop"},
    {"while (", "loop"},
    {"while(", "loop"},
    {"__shared__", "shared-memory"},
    {"__syncthreads", "barrier"},
    {"__shfl_", "shuffle"},
    {"atomic", "atomic"},
    {"threadIdx.y", "two-dimensional"},
    {"blockIdx.y", "two-dimensional"},
};

}  // namespace

std::set<std::string> kernel_features(const KernelSpec &spec) {
  std::set<std::string> features;
  for (const auto &[mark, feature] : kMarks)
    if (spec.slice.find(mark) != std::string::npos) features.emplace(feature);
  if (!features.contains("two-dimensional")) features.emplace("one-dimensional");
  for (const Parameter &parameter : spec.parameters) {
    if (!parameter.pointer) continue;
    if (parameter.element_bytes > 0 && parameter.element_bytes < 16) features.emplace("narrow-elements");
    if (parameter.element == ElementType::f16 || parameter.element == ElementType::bf16)
      features.emplace("half");
  }
  return features;
}

}  // namespace cupilot
