// SPDX-License-Identifier: Apache-2.0
//
// Derives the feature words from the extractor's facts about the code, the parameters' types and the kernel's
// name.

#include "evolution/strategy/features.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <string_view>

namespace cupilot::strategy {
namespace {

using Features = std::set<std::string>;

void add_if(bool there, const char *feature, Features &features) {
  if (there) features.emplace(feature);
}

/// Matches both "layer_norm" and "LayerNorm".
bool is_called(const spec::KernelSpec &spec, std::string_view part) {
  std::string name = fmt::format("{} {}", spec.name, spec.qualified_name);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name.find(part) != std::string::npos;
}

void add_data(const spec::KernelSpec &spec, Features &features) {
  for (const spec::Parameter &parameter : spec.parameters) {
    if (!parameter.pointer) continue;
    if (parameter.element_bytes > 0 && parameter.element_bytes < 16) features.emplace("narrow-elements");
    const spec::ElementType type = parameter.element;
    if (type == spec::ElementType::f16 || type == spec::ElementType::bf16) features.emplace("half");
    if (type == spec::ElementType::f32) features.emplace("float");
    if (type == spec::ElementType::f64) features.emplace("double");
    const bool integer = !spec::is_floating(type) && type != spec::ElementType::opaque;
    if (integer) features.emplace("integer");
    if (integer && parameter.element_bytes < 4) features.emplace("narrow-integers");
  }
}

void add_means(const spec::CodeFacts &facts, Features &features) {
  add_if(facts.has_loop, "loop", features);
  add_if(facts.has_shared_memory, "shared-memory", features);
  add_if(facts.has_barrier, "barrier", features);
  add_if(facts.has_shuffle, "shuffle", features);
  add_if(facts.has_atomic, "atomic", features);
  add_if(facts.divides, "division", features);
  add_if(facts.has_transcendental, "transcendental", features);
  add_if(facts.computes_in_double && !features.contains("double"), "mixed-double", features);
  features.emplace(facts.is_two_dimensional ? "two-dimensional" : "one-dimensional");
}

void add_patterns(const spec::KernelSpec &spec, Features &features) {
  const spec::CodeFacts &facts = spec.facts;
  const bool matmul =
      facts.has_matrix_unit || facts.multiplies_rows || (facts.multiplies && facts.is_two_dimensional);
  const bool scan = facts.scans || facts.shuffles_up || is_called(spec, "scan") ||
                    is_called(spec, "cumsum") || is_called(spec, "prefix");
  const bool reduction = facts.sums || facts.folds || facts.folds_lanes;
  const bool softmax = facts.folds && facts.sums && facts.divides && facts.has_exponential;
  add_if(matmul, "matmul", features);
  add_if(facts.multiplies && !matmul, "dot-product", features);
  add_if(matmul && facts.compares_indices, "triangular", features);
  add_if(scan, "scan", features);
  add_if(reduction, "reduction", features);
  add_if(facts.keeps_place || is_called(spec, "argm"), "arg-reduction", features);
  add_if(softmax || is_called(spec, "softmax"), "softmax", features);
  add_if(reduction && !matmul && (is_called(spec, "norm") || facts.has_root), "normalisation", features);
  add_if((reduction || scan) && !matmul && facts.has_rows && !facts.has_strided_loop, "row-wise", features);
  add_if((reduction || scan) && !matmul && facts.has_strided_loop, "column-wise", features);
  add_if(facts.is_stencil, "stencil", features);
  add_if(facts.has_window && !matmul, "window", features);
  add_if(facts.is_strided, "strided", features);
  add_if(facts.gathers, "gather", features);
  add_if(facts.has_loaded_bounds, "sparse", features);
  add_if(facts.stores && !reduction && !scan && !matmul && !facts.is_stencil && !facts.gathers &&
             !facts.has_shared_memory && !facts.has_atomic && !facts.has_shuffle,
         "elementwise", features);
}

}  // namespace

Features kernel_features(const spec::KernelSpec &spec) {
  Features features;
  add_data(spec, features);
  if (!spec.facts.known) return features;
  add_means(spec.facts, features);
  add_patterns(spec, features);
  return features;
}

}  // namespace cupilot::strategy
