// SPDX-License-Identifier: Apache-2.0
//
// Single words, the parameters' types, and patterns that are made of what the statements do (source_facts.h).

#include "evolution/strategy/features.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "evolution/strategy/code_statements.h"
#include "evolution/strategy/source_facts.h"

namespace cupilot {
namespace {

using Features = std::set<std::string>;
using Kind = CodeWord::Kind;

struct Mark {
  std::string_view word;
  std::string_view feature;
  bool is_prefix = false;
};
constexpr Mark kMarks[] = {
    {"for", "loop"},
    {"while", "loop"},
    {"__shared__", "shared-memory"},
    {"__syncthreads", "barrier", true},
    {"__shfl_", "shuffle", true},
    {"__reduce_", "shuffle", true},
    {"atomic", "atomic", true},
    {"__fdividef", "division"},
};
constexpr std::array<std::string_view, 34> kTranscendental{
    "exp",    "expf", "exp2", "exp2f",  "exp10", "exp10f",  "expm1",  "expm1f", "__expf",
    "log",    "logf", "log2", "log2f",  "log1p", "log1pf",  "__logf", "pow",    "powf",
    "__powf", "sin",  "sinf", "__sinf", "cos",   "cosf",    "__cosf", "tanh",   "tanhf",
    "erf",    "erff", "erfc", "erfcf",  "tanf",  "sincosf", "hexp"};
constexpr std::array<std::string_view, 6> kExponentials{"exp", "expf", "exp2", "exp2f", "__expf", "hexp"};
constexpr std::array<std::string_view, 6> kRoots{"sqrt",   "sqrtf",       "rsqrt",
                                                 "rsqrtf", "__frsqrt_rn", "__fsqrt_rn"};
constexpr std::array<std::string_view, 4> kMatrixUnits{"wmma", "mma_sync", "wgmma", "__dp4a"};

bool mentions(const std::vector<CodeWord> &words, const auto &names) {
  return std::ranges::any_of(
      words, [&](const CodeWord &word) { return std::ranges::find(names, word.text) != std::end(names); });
}

/// "layer_norm" and "LayerNorm" both.
bool is_called(const KernelSpec &spec, std::string_view part) {
  std::string name = spec.name + " " + spec.qualified_name;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name.find(part) != std::string::npos;
}

void add_means(const std::vector<CodeWord> &words, Features &features) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].kind != Kind::name) continue;
    const std::string &name = words[i].text;
    for (const auto &[word, feature, is_prefix] : kMarks)
      if (is_prefix ? name.starts_with(word) : name == word) features.emplace(feature);
    const bool of_index = name == "threadIdx" || name == "blockIdx";
    if (of_index && i + 2 < words.size() && is(words[i + 2], "y")) features.emplace("two-dimensional");
  }
  if (!features.contains("two-dimensional")) features.emplace("one-dimensional");
  if (mentions(words, kTranscendental)) features.emplace("transcendental");
}

/// 0.5 and 1e-3 are double, 0.5f and 0x1f are not.
bool is_double(const CodeWord &word) {
  if (word.kind == Kind::name) return word.text == "double";
  if (word.kind != Kind::number || word.text.starts_with("0x") || word.text.starts_with("0X")) return false;
  const char last = word.text.back();
  return last != 'f' && last != 'F' && word.text.find_first_of(".eE") != std::string::npos;
}

void add_data(const KernelSpec &spec, const std::vector<CodeWord> &words, Features &features) {
  for (const Parameter &parameter : spec.parameters) {
    if (!parameter.pointer) continue;
    if (parameter.element_bytes > 0 && parameter.element_bytes < 16) features.emplace("narrow-elements");
    const ElementType type = parameter.element;
    if (type == ElementType::f16 || type == ElementType::bf16) features.emplace("half");
    if (type == ElementType::f32) features.emplace("float");
    if (type == ElementType::f64) features.emplace("double");
    const bool integer = !is_floating(type) && type != ElementType::opaque;
    if (integer) features.emplace("integer");
    if (integer && parameter.element_bytes < 4) features.emplace("narrow-integers");
  }
  if (!features.contains("double") && std::ranges::any_of(words, is_double)) features.emplace("mixed-double");
}

bool has_prefix(const std::vector<CodeWord> &words, std::string_view prefix) {
  return std::ranges::any_of(words, [&](const CodeWord &word) { return word.text.starts_with(prefix); });
}

void add_patterns(const KernelSpec &spec, const std::vector<CodeWord> &words, const SourceFacts &facts,
                  Features &features) {
  const auto add_if = [&](bool there, const char *feature) {
    if (there) features.emplace(feature);
  };
  const bool matmul = mentions(words, kMatrixUnits) || facts.multiplies_rows ||
                      (facts.multiplies && features.contains("two-dimensional"));
  const bool scan = facts.scans || has_prefix(words, "__shfl_up") || is_called(spec, "scan") ||
                    is_called(spec, "cumsum") || is_called(spec, "prefix");
  const bool reduction = facts.sums || facts.folds || has_prefix(words, "__shfl_down") ||
                         has_prefix(words, "__shfl_xor") || has_prefix(words, "__reduce_");
  add_if(facts.divides, "division");
  add_if(matmul, "matmul");
  add_if(facts.multiplies && !matmul, "dot-product");
  add_if(matmul && facts.compares_indices, "triangular");
  add_if(scan, "scan");
  add_if(reduction, "reduction");
  add_if(facts.keeps_place || is_called(spec, "argm"), "arg-reduction");
  add_if(is_called(spec, "softmax") ||
             (facts.folds && facts.sums && facts.divides && mentions(words, kExponentials)),
         "softmax");
  add_if(reduction && !matmul && (is_called(spec, "norm") || mentions(words, kRoots)), "normalisation");
  add_if((reduction || scan) && !matmul && facts.has_rows && !facts.has_strided_loop, "row-wise");
  add_if((reduction || scan) && !matmul && facts.has_strided_loop, "column-wise");
  add_if(facts.is_stencil, "stencil");
  add_if(facts.has_window && !matmul, "window");
  add_if(facts.is_strided, "strided");
  add_if(facts.gathers, "gather");
  add_if(facts.has_loaded_bounds, "sparse");
  add_if(facts.stores && !reduction && !scan && !matmul && !facts.is_stencil && !facts.gathers &&
             !features.contains("shared-memory"),
         "elementwise");
}

}  // namespace

Features kernel_features(const KernelSpec &spec) {
  const auto words = words_of_code(spec.slice);
  Features features;
  add_means(words, features);
  add_data(spec, words, features);
  add_patterns(spec, words, facts_of(spec, statements_of(words)), features);
  return features;
}

}  // namespace cupilot
