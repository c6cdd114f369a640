// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/own_conditions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/screen/constants.h"
#include "evolution/judge/screen/declarations.h"
#include "evolution/judge/screen/lexer.h"

namespace cupilot::judge::engine {
namespace {

using launches::Condition;
using screen::CodeToken;
using screen::CodeTokenKind;

/// What a call may add to the conditions of its statement: nothing, comparisons of one argument with the
/// library's constants, or anything.
enum class Calls : std::uint8_t { nothing, mathematics, anything };

constexpr std::array<std::string_view, 12> kWords{"if",     "for",    "while",   "switch",
                                                  "return", "sizeof", "alignof", "decltype",
                                                  "catch",  "float",  "double",  "int"};
/// One instruction each, or a few without a condition of numbers.
constexpr std::array<std::string_view, 42> kPlain{
    "fabsf",     "fabs",      "fmaxf",      "fminf",    "fmax",        "fmin",        "max",
    "min",       "abs",       "fmaf",       "fma",      "sqrtf",       "sqrt",        "rsqrtf",
    "isnan",     "isinf",     "isfinite",   "signbit",  "make_float2", "make_float3", "make_float4",
    "make_int2", "make_int4", "make_uint4", "unsigned", "size_t",      "int64_t",     "uint32_t",
    "uint64_t",  "half",      "dim3",       "bool",     "char",        "long",        "short",
    "copysignf", "truncf",    "floorf",     "ceilf",    "rintf",       "char4",       "make_uint2"};
constexpr std::array<std::string_view, 24> kPlainBeginnings{
    "__ld",     "__st",   "__shfl",  "__sync",     "__float_as", "__int_as", "__uint_as", "__half",
    "__float2", "__int2", "__uint2", "__bfloat16", "__fadd",     "__fmul",   "__fmaf",    "__fsub",
    "__hadd",   "__hmul", "__hfma",  "__hsub",     "__any_",     "__all_",   "__ballot",  "atomic"};
/// With one argument, or as pow(), which compares both with constants. An `f` behind them is another name.
constexpr std::array<std::string_view, 37> kMathematics{
    "exp",   "exp2",   "exp10", "expm1", "log",   "log2",  "log10",  "log1p",  "sin",    "cos",
    "tan",   "sincos", "sinpi", "cospi", "asin",  "acos",  "atan",   "sinh",   "cosh",   "tanh",
    "asinh", "acosh",  "atanh", "erf",   "erfc",  "erfcx", "erfinv", "tgamma", "lgamma", "normcdf",
    "cbrt",  "rcbrt",  "pow",   "__exp", "__log", "__pow", "__sin"};

bool among(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

Calls known(std::string_view name) {
  if (among(kWords, name) || among(kPlain, name)) return Calls::nothing;
  if (std::ranges::any_of(kPlainBeginnings, [&](std::string_view with) { return name.starts_with(with); }))
    return Calls::nothing;
  const bool single = name.ends_with('f') && among(kMathematics, name.substr(0, name.size() - 1));
  return single || among(kMathematics, name) ? Calls::mathematics : Calls::anything;
}

/// As the type of a comparison holds them.
bool is_same(double a, double b) {
  return a == b || static_cast<float>(a) == static_cast<float>(b);
}

class VariantText {
public:
  explicit VariantText(std::string_view text) : tokens_(screen::tokenize(text).tokens) {
    std::vector<CodeToken> code;
    std::ranges::copy_if(tokens_, std::back_inserter(code),
                         [](const CodeToken &t) { return !t.preprocessor; });
    for (const screen::Declaration &one : screen::outline_of(code).declarations)
      if (one.kind == screen::DeclarationKind::function) own_.insert(one.name);
    for (std::size_t i = 0; i + 2 < code.size(); ++i)  // lambdas
      if (code[i].kind == CodeTokenKind::name && is(code[i + 1], "=") && is(code[i + 2], "["))
        own_.insert(code[i].text);
    read_macros();
    for (const CodeToken &token : tokens_)
      if (const auto number = screen::number_of(token)) numbers_.push_back(*number);
    tokens_ = std::move(code);
  }

  bool has(const Condition &condition) const {
    const Calls calls = of_statement(condition.line);
    if (calls == Calls::anything) return false;
    if (calls == Calls::nothing || (condition.reals.empty() && condition.integers.empty())) return true;
    return std::ranges::any_of(condition.reals, [&](double real) { return is_named(real); }) ||
           std::ranges::any_of(condition.integers,
                               [&](std::int64_t value) { return is_named(static_cast<double>(value)); });
  }

private:
  /// Not zeros and ones, which the library has, too.
  bool is_named(double value) const {
    return value != 0 && std::abs(value) != 1 &&
           std::ranges::any_of(numbers_, [&](double number) { return is_same(number, std::abs(value)); });
  }

  void read_macros() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (tokens_[i].kind != CodeTokenKind::directive || tokens_[i].text != "define") continue;
      const std::string &name = tokens_[i + 1].text;
      std::size_t end = i + 2;
      while (end < tokens_.size() && tokens_[end].preprocessor &&
             tokens_[end].kind != CodeTokenKind::directive)
        ++end;
      macros_[name] = of_calls(std::span(tokens_).subspan(i + 2, end - i - 2));
    }
  }

  Calls of_calls(std::span<const CodeToken> tokens) const {
    Calls most = Calls::nothing;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != CodeTokenKind::name) continue;
      const auto macro = macros_.find(tokens[i].text);
      const bool called = i + 1 < tokens.size() && is(tokens[i + 1], "(");
      if (macro != macros_.end())
        most = std::max(most, macro->second);
      else if (called && !own_.contains(tokens[i].text) && !declares(tokens, i))
        most = std::max(most, known(tokens[i].text));
    }
    return most;
  }

  /// "float4 sum(0)" declares.
  static bool declares(std::span<const CodeToken> tokens, std::size_t at) {
    return at > 0 && tokens[at - 1].kind == CodeTokenKind::name && !is(tokens[at - 1], "return") &&
           !is(tokens[at - 1], "else") && !is(tokens[at - 1], "do");
  }

  /// All statements that begin in the line: up to the end of the last one, or the brace that it opens.
  Calls of_statement(std::uint32_t line) const {
    const auto begin = std::ranges::find_if(
        tokens_, [&](const CodeToken &token) { return token.line >= static_cast<int>(line); });
    int depth = 0;
    auto end = begin;
    for (; end != tokens_.end(); ++end) {
      if (is(*end, "(") || is(*end, "[")) ++depth;
      if (is(*end, ")") || is(*end, "]")) --depth;
      const bool ends = is(*end, ";") || is(*end, "{") || is(*end, "}");
      if (ends && depth <= 0 && (end + 1 == tokens_.end() || (end + 1)->line > static_cast<int>(line))) break;
    }
    return of_calls(std::span(begin, end));
  }

  std::vector<CodeToken> tokens_;
  std::set<std::string> own_;
  std::map<std::string, Calls> macros_;
  std::vector<double> numbers_;
};

}  // namespace

void leave_library_conditions(launches::Coverage &coverage, std::string_view text) {
  const VariantText variant(text);
  for (Condition &condition : coverage.conditions) {
    if (!condition.data || variant.has(condition)) continue;
    condition.idle_true = condition.idle_false = true;
    condition.test = launches::TestKind::order;
  }
}

}  // namespace cupilot::judge::engine
