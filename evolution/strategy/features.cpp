// SPDX-License-Identifier: Apache-2.0
//
// Three steps: single words, then facts of statements (what is summed up, what is multiplied, which indices
// an array is read at), then patterns that are made of facts.

#include "evolution/strategy/features.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "evolution/strategy/code_statements.h"

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
constexpr std::array<std::string_view, 6> kFolds{"fmaxf", "fmax", "max", "fminf", "fmin", "min"};
constexpr std::array<std::string_view, 6> kRoots{"sqrt",   "sqrtf",       "rsqrt",
                                                 "rsqrtf", "__frsqrt_rn", "__fsqrt_rn"};
constexpr std::array<std::string_view, 4> kFused{"fma", "fmaf", "__fmaf_rn", "__fma_rn"};
constexpr std::array<std::string_view, 4> kComparisons{"<", ">", "<=", ">="};
constexpr std::array<std::string_view, 4> kMatrixUnits{"wmma", "mma_sync", "wgmma", "__dp4a"};

template <class Names>
bool one_of(const Names &names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

bool has(CodeWords words, std::string_view text) {
  return std::ranges::any_of(words, [&](const CodeWord &word) { return is(word, text); });
}

std::string text_of(CodeWords words) {
  std::string text;
  for (const CodeWord &word : words) text += word.text + " ";
  return text;
}

/// `array[index]`, with the indices of all its dimensions.
struct Subscript {
  std::string array;
  CodeWords index;                    ///< between the first bracket and the last
  std::vector<CodeWords> dimensions;  ///< the same, one by one
};

std::vector<Subscript> subscripts_of(CodeWords words) {
  std::vector<Subscript> found;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i].kind != Kind::name || !is(words[i + 1], "[")) continue;
    Subscript one{words[i].text, {}, {}};
    auto end = i;
    for (auto open = i + 1; open < words.size() && is(words[open], "["); open = end + 1) {
      end = closing_bracket(words, open);
      one.dimensions.push_back(words.subspan(open + 1, end - open - 1));
    }
    one.index = words.subspan(i + 2, end - i - 2);
    found.push_back(std::move(one));
  }
  return found;
}

/// `target op= value` and the words before it (conditions, a type).
struct Assignment {
  std::string target, op;
  bool is_subscripted = false;
  CodeWords before, value;
};

/// Up to the comma that ends it: in `a = f(x, y), b = 2` that is `f(x, y)`.
CodeWords first_value(CodeWords words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is(words[i], ",")) return words.first(i);
    if (is(words[i], "(") || is(words[i], "[") || is(words[i], "{")) i = closing_bracket(words, i);
  }
  return words;
}

/// Where the `]` at `close` opens.
std::optional<std::size_t> opening_bracket(CodeWords words, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    depth += is(words[i], "]");
    depth -= is(words[i], "[");
    if (depth == 0) return i;
  }
  return std::nullopt;
}

std::optional<Assignment> assignment_of(CodeWords words) {
  constexpr std::array<std::string_view, 3> kOperators{"=", "+=", "*="};
  const auto found = std::ranges::find_if(words, [&](const CodeWord &word) {
    return word.kind == Kind::symbol && one_of(kOperators, word.text);
  });
  const auto at = static_cast<std::size_t>(found - words.begin());
  if (at == 0 || at == words.size()) return std::nullopt;
  auto name = at - 1;
  while (is(words[name], "]")) {
    const auto open = opening_bracket(words, name);
    if (!open || *open == 0) return std::nullopt;
    name = *open - 1;
  }
  if (words[name].kind != Kind::name) return std::nullopt;
  return Assignment{words[name].text, found->text, name + 1 < at, words.first(name),
                    first_value(words.subspan(at + 1))};
}

class Facts {
public:
  Facts(const KernelSpec &spec, const std::vector<CodeWord> &words,
        const std::vector<CodeStatement> &statements)
      : spec_(spec), words_(words), statements_(statements) {
    for (const CodeStatement &statement : statements_) follow_lanes(statement);
    for (const CodeStatement &statement : statements_) look_at_indices(statement);
    for (const CodeStatement &statement : statements_) look_at(statement);
  }

  bool sums = false, folds = false, scans = false, divides = false;
  bool gathers = false, has_loaded_bounds = false, has_rows = false, stores = false;
  bool multiplies_rows = false, multiplies = false;
  bool is_strided = false, has_window = false, compares_indices = false, keeps_place = false;

  bool is_stencil() const {
    return std::ranges::any_of(offsets_, [](const auto &one) { return one.second.size() > 1; });
  }

private:
  /// Which names move by one from lane to lane, and which by more.
  void follow_lanes(const CodeStatement &statement) {
    const auto assigned = assignment_of(statement.words);
    if (!assigned || assigned->is_subscripted) return;
    if (statement.is_header) loop_names_.insert(assigned->target);
    if (statement.is_header || !all_numbers(assigned->value)) variables_.insert(assigned->target);
    if (has(assigned->value, "/") || has(assigned->value, "[")) return;
    const auto stride = lane_stride(assigned->value);
    if (stride == LaneStride::one) unit_names_.insert(assigned->target);
    if (stride == LaneStride::more) strided_names_.insert(assigned->target);
  }

  enum class LaneStride { none, one, more };
  LaneStride lane_stride(CodeWords words) const {
    auto stride = LaneStride::none;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool thread = is(words[i], "threadIdx") && i + 2 < words.size() && is(words[i + 2], "x");
      if (strided_names_.contains(words[i].text)) return LaneStride::more;
      if (!thread && !unit_names_.contains(words[i].text)) continue;
      auto next = i + (thread ? 3 : 1);
      while (next < words.size() && is(words[next], ")")) ++next;
      const bool multiplied =
          (i > 0 && is(words[i - 1], "*")) || (next < words.size() && is(words[next], "*"));
      if (multiplied) return LaneStride::more;
      stride = LaneStride::one;
    }
    return stride;
  }

  /// `i + k` of an outer and an inner index.
  bool is_window(CodeWords index) const {
    for (std::size_t i = 0; i + 2 < index.size(); ++i) {
      const std::string &one = index[i].text, &other = index[i + 2].text;
      const bool sum = is(index[i + 1], "+") && one != other && moves(one) && moves(other) &&
                       (loop_names_.contains(one) || loop_names_.contains(other));
      const bool multiplied =
          (i > 0 && is(index[i - 1], "*")) || (i + 3 < index.size() && is(index[i + 3], "*"));
      if (sum && !multiplied) return true;
    }
    return false;
  }
  bool moves(const std::string &name) const {
    return loop_names_.contains(name) || unit_names_.contains(name);
  }

  void look_at_indices(const CodeStatement &statement) {
    const auto subscripts = subscripts_of(statement.words);
    for (const Subscript &one : subscripts) {
      for (const CodeWord &word : one.index)
        if (word.kind == Kind::name) in_indices_.insert(word.text);
      arrays_.insert(one.array);
      has_rows = has_rows || (has(one.index, "*") && has(one.index, "+"));
      is_strided = is_strided || (is_parameter(one.array) && lane_stride(one.index) == LaneStride::more);
      has_window = has_window || is_window(one.index);
      note_offset(one);
    }
    const auto assigned = assignment_of(statement.words);
    if (!assigned || assigned->is_subscripted) return;
    // `const float *row = x + r * n`, `float a = A[i]`.
    const bool pointer = has(assigned->before, "*");
    has_rows = has_rows || (pointer && has(assigned->value, "+") && has(assigned->value, "*"));
    is_strided = is_strided || (pointer && lane_stride(assigned->value) == LaneStride::more);
    const auto values = subscripts_of(assigned->value);
    if (assigned->op == "=" && values.size() == 1 && !pointer) loaded_[assigned->target] = values[0];
  }

  /// `u[i - 1]` and `u[i + nx]`: by array, dimension and what stands before the last sign.
  void note_offset(const Subscript &one) {
    for (std::size_t d = 0; d < one.dimensions.size(); ++d) {
      const CodeWords index = one.dimensions[d];
      for (std::size_t i = index.size(); i-- > 1 && !is(index[i], ")") && !is(index[i], "]");) {
        if (!is(index[i], "+") && !is(index[i], "-")) continue;
        offsets_[{one.array + " " + std::to_string(d), text_of(index.first(i))}].insert(index[i].text);
        break;
      }
    }
  }

  void look_at(const CodeStatement &statement) {
    const CodeWords words = statement.words;
    for (const Subscript &one : subscripts_of(words)) note_gather(one);
    if (statement.is_header && (loads(words) || mentions_loaded_integer(words))) has_loaded_bounds = true;
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
      if ((is(words[i], "/") || is(words[i], "%") || is(words[i], "/=") || is(words[i], "%=")) &&
          words[i + 1].kind != Kind::number)
        divides = true;
    compares_indices = compares_indices || compares(statement);
    const auto assigned = assignment_of(words);
    if (!assigned && is_condition(words)) condition_ = words;
    if (!assigned || statement.is_header) return;
    stores = stores || assigned->is_subscripted;
    if (statement.depth > 0) look_at_loop(statement, *assigned);
  }

  void look_at_loop(const CodeStatement &statement, const Assignment &assigned) {
    if (is_sum(assigned)) {
      sums = true;
      accumulators_[statement.loop].insert(assigned.target);
      note_product(assigned);
    } else if (is_fold(assigned)) {
      folds = true;
      accumulators_[statement.loop].insert(assigned.target);
    } else if (folds && is_place(assigned)) {
      keeps_place = true;
    } else if (assigned.is_subscripted) {
      const auto &running = accumulators_[statement.loop];
      scans = scans || std::ranges::any_of(assigned.value,
                                           [&](const CodeWord &word) { return running.contains(word.text); });
    }
  }

  /// Not an index or pointer that is moved on, not an element that changes by itself.
  bool is_sum(const Assignment &assigned) const {
    const bool again = has(assigned.value, assigned.target);
    if (assigned.op == "=" && !(again && (has(assigned.value, "+") || is_call(assigned.value, kFused))))
      return false;
    if (assigned.is_subscripted) return again || !is_parameter(assigned.target);
    const bool moves = in_indices_.contains(assigned.target) || arrays_.contains(assigned.target);
    return !moves && !all_numbers(assigned.value);
  }

  /// `m = fmaxf(m, x)`, `if (x > m) m = x` or the latter with braces.
  bool is_fold(const Assignment &assigned) const {
    if (assigned.op != "=") return false;
    if (is_call(assigned.value, kFolds) && has(assigned.value, assigned.target)) return true;
    const CodeWords condition = is_condition(assigned.before) ? assigned.before : condition_;
    return has(condition, assigned.target) && (has(condition, "<") || has(condition, ">"));
  }
  /// `best_index = i`, beside a fold.
  bool is_place(const Assignment &assigned) const {
    return assigned.op == "=" && !assigned.is_subscripted && assigned.before.empty() &&
           assigned.value.size() == 1 && loop_names_.contains(assigned.value[0].text);
  }
  static bool is_condition(CodeWords words) { return !words.empty() && is(words[0], "if"); }
  static bool all_numbers(CodeWords words) {
    return std::ranges::all_of(words, [](const CodeWord &word) { return word.kind == Kind::number; });
  }

  /// `row > col` in a condition or a loop's bound: two indices that are no sizes.
  bool compares(const CodeStatement &statement) const {
    const CodeWords words = statement.words;
    if (!statement.is_header && !is_condition(words)) return false;
    const auto is_index = [&](const CodeWord &word) {
      return variables_.contains(word.text) && in_indices_.contains(word.text);
    };
    for (std::size_t i = 1; i + 1 < words.size(); ++i)
      if (one_of(kComparisons, words[i].text) && is_index(words[i - 1]) && is_index(words[i + 1]))
        return true;
    return false;
  }

  template <class Names>
  static bool is_call(CodeWords words, const Names &names) {
    return words.size() > 1 && one_of(names, words[0].text) && is(words[1], "(");
  }

  bool is_parameter(const std::string &name) const {
    return std::ranges::any_of(spec_.parameters,
                               [&](const Parameter &one) { return one.pointer && one.name == name; });
  }

  /// Elements of two arrays at different indices make a matrix product; at the same one, or of one matrix and
  /// one vector, a product of vectors.
  void note_product(const Assignment &assigned) {
    if (!has(assigned.value, "*") && !is_call(assigned.value, kFused)) return;
    std::vector<Subscript> factors = subscripts_of(assigned.value);
    std::erase_if(factors, [&](const Subscript &one) { return one.array == assigned.target; });
    for (const CodeWord &word : assigned.value)
      if (const auto found = loaded_.find(word.text); found != loaded_.end())
        factors.push_back(found->second);
    if (factors.size() < 2 || factors[0].array == factors[1].array) return;
    multiplies = true;
    multiplies_rows = multiplies_rows || (text_of(factors[0].index) != text_of(factors[1].index) &&
                                          has(factors[0].index, "*") && has(factors[1].index, "*"));
  }

  void note_gather(const Subscript &one) {
    gathers = gathers || loads(one.index) || mentions_loaded_integer(one.index);
  }

  bool mentions_loaded_integer(CodeWords words) const {
    return std::ranges::any_of(words, [&](const CodeWord &word) {
      const auto found = loaded_.find(word.text);
      return found != loaded_.end() && is_integer_parameter(found->second.array);
    });
  }

  bool loads(CodeWords words) const {
    return std::ranges::any_of(subscripts_of(words),
                               [&](const Subscript &one) { return is_integer_parameter(one.array); });
  }

  bool is_integer_parameter(const std::string &name) const {
    return std::ranges::any_of(spec_.parameters, [&](const Parameter &one) {
      return one.pointer && one.name == name && !is_floating(one.element) &&
             one.element != ElementType::opaque;
    });
  }

  const KernelSpec &spec_;
  const std::vector<CodeWord> &words_;
  const std::vector<CodeStatement> &statements_;
  std::set<std::string> in_indices_, arrays_;
  std::set<std::string> unit_names_, strided_names_, loop_names_, variables_;
  CodeWords condition_;                                        ///< the last `if` whose statement has braces
  std::map<std::string, Subscript> loaded_;                    ///< by the name it was loaded into
  std::map<std::size_t, std::set<std::string>> accumulators_;  ///< by loop
  std::map<std::pair<std::string, std::string>, std::set<std::string>> offsets_;  ///< signs
};

bool mentions(const std::vector<CodeWord> &words, const auto &names) {
  return std::ranges::any_of(words, [&](const CodeWord &word) { return one_of(names, word.text); });
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
    if (!is_floating(type) && type != ElementType::opaque) features.emplace("integer");
  }
  if (!features.contains("double") && std::ranges::any_of(words, is_double)) features.emplace("mixed-double");
}

bool has_prefix(const std::vector<CodeWord> &words, std::string_view prefix) {
  return std::ranges::any_of(words, [&](const CodeWord &word) { return word.text.starts_with(prefix); });
}

void add_patterns(const KernelSpec &spec, const std::vector<CodeWord> &words, const Facts &facts,
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
  add_if((reduction || scan) && !matmul && facts.has_rows, "row-wise");
  add_if(facts.is_stencil(), "stencil");
  add_if(facts.has_window && !matmul, "window");
  add_if(facts.is_strided, "strided");
  add_if(facts.gathers, "gather");
  add_if(facts.has_loaded_bounds, "sparse");
  add_if(facts.stores && !reduction && !scan && !matmul && !facts.is_stencil() && !facts.gathers &&
             !features.contains("shared-memory"),
         "elementwise");
}

}  // namespace

Features kernel_features(const KernelSpec &spec) {
  const auto words = words_of_code(spec.slice);
  const auto statements = statements_of(words);
  Features features;
  add_means(words, features);
  add_data(spec, words, features);
  add_patterns(spec, words, Facts(spec, words, statements), features);
  return features;
}

}  // namespace cupilot
