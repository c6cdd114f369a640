// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/bundle/twin_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <span>

#include "evolution/judge/screen/lexer.h"

namespace cupilot {

namespace {

using std::string_view;

constexpr string_view kPrefix = "cupilot_twin_";

template <std::size_t N>
bool among(const std::array<string_view, N> &list, string_view word) {
  return std::ranges::find(list, word) != list.end();
}

constexpr std::array<string_view, 5> kSingle{"float", "float2", "float3", "float4", "float_t"};
constexpr std::array<string_view, 8> kSixteen{
    "half", "__half", "half2", "__half2", "nv_bfloat16", "__nv_bfloat16", "nv_bfloat162", "__nv_bfloat162"};
constexpr std::array<string_view, 3> kCommon{"half", "half2", "make_half2"};
constexpr std::array<string_view, 25> kIntegers{
    "int",     "unsigned", "uint",   "long",    "short",     "ushort",     "int2",     "int3",    "int4",
    "uint2",   "uint3",    "uint4",  "int16_t", "uint16_t",  "int32_t",    "uint32_t", "int64_t", "uint64_t",
    "ushort2", "ushort4",  "short2", "short4",  "longlong2", "ulonglong2", "uchar4"};
constexpr std::array<string_view, 9> kConstants{"FLT_MAX",      "FLT_MIN",  "FLT_EPSILON",
                                                "FLT_TRUE_MIN", "INFINITY", "NAN",
                                                "HUGE_VALF",    "MAXFLOAT", "FLT_DENORM_MIN"};
constexpr std::array<string_view, 17> kForeignTypes{"__half_raw",
                                                    "__half2_raw",
                                                    "__nv_bfloat16_raw",
                                                    "__nv_bfloat162_raw",
                                                    "cuComplex",
                                                    "cuFloatComplex",
                                                    "float1",
                                                    "__nv_fp8_e4m3",
                                                    "__nv_fp8_e5m2",
                                                    "__nv_fp8x2_e4m3",
                                                    "__nv_fp8x4_e4m3",
                                                    "__nv_fp8x2_e5m2",
                                                    "__nv_fp8x4_e5m2",
                                                    "__nv_fp4_e2m1",
                                                    "__nv_fp4x2_e2m1",
                                                    "cudaTextureObject_t",
                                                    "cudaSurfaceObject_t"};

/// Functions whose name alone says that a narrower float goes in or comes out, and that the prelude lacks.
bool narrow_function(string_view word) {
  const bool intrinsic = word.starts_with("__") && (word.starts_with("__f") || word.ends_with("f"));
  const bool rounds =
      word.ends_with("_rn") || word.ends_with("_rz") || word.ends_with("_ru") || word.ends_with("_rd");
  const bool converts = word.find("2float") != string_view::npos || word.find("float2") != string_view::npos;
  static constexpr std::array<string_view, 12> kMath{
      "nextafterf", "remquof",  "scalblnf",       "ynf",           "jnf", "nanf", "normf", "rnormf",
      "norm4df",    "rnorm4df", "cyl_bessel_i0f", "cyl_bessel_i1f"};
  return (intrinsic && (rounds || word.ends_with("f"))) || (word.starts_with("__") && converts) ||
         among(kMath, word);
}

void add_ways(std::set<std::string, std::less<>> &names, const std::string &begin) {
  for (const char *way : {"_rn", "_rz", "_ru", "_rd"}) names.insert(begin + way);
}

/// TWIN_WHOLES and TWIN_SHORTS of the prelude.
void add_wholes(std::set<std::string, std::less<>> &names, const std::string &word,
                std::span<const char *const> types) {
  for (const char *type : types) {
    add_ways(names, "__" + word + "2" + type);
    add_ways(names, std::string("__") + type + "2" + word);
  }
}

/// The names one macro call `TWIN_X(first, second...)` introduces.
void add_call(std::set<std::string, std::less<>> &names, string_view macro,
              std::span<const CodeToken> arguments) {
  static constexpr const char *kWholes[] = {"int", "uint", "ll", "ull"}, *kShorts[] = {"short", "ushort"};
  const std::string &first = arguments.front().text;
  if (macro == "TWIN_WHOLES") return add_wholes(names, first, kWholes);
  if (macro == "TWIN_SHORTS") return add_wholes(names, first, kShorts);
  if (macro.starts_with("TWIN_WAYS_")) return add_ways(names, first);
  int depth = 0;
  for (std::size_t i = 0; i < arguments.size() && depth >= 0; ++i) {
    if (arguments[i].text == "(") ++depth;
    if (arguments[i].text == ")") --depth;
    const bool alone = (i == 0 || arguments[i - 1].text == ",") && i + 1 < arguments.size() &&
                       (arguments[i + 1].text == "," || arguments[i + 1].text == ")");
    const bool typed = arguments[i].text.starts_with("cupilot_") || is_integer_type(arguments[i].text);
    if (depth == 0 && alone && arguments[i].kind == CodeTokenKind::name && arguments[i].text.size() > 1 &&
        !typed)
      names.insert(arguments[i].text);
  }
}

std::set<std::string, std::less<>> names_in(string_view prelude) {
  std::set<std::string, std::less<>> names;
  const TokenList list = tokenize(prelude);
  const std::span<const CodeToken> tokens(list.tokens);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const CodeToken &token = tokens[i];
    if (token.preprocessor || token.kind != CodeTokenKind::name) continue;
    if (token.text.starts_with(kPrefix)) names.insert(token.text.substr(kPrefix.size()));
    if (token.text.starts_with("TWIN_") && tokens[i + 1].text == "(")
      add_call(names, token.text, tokens.subspan(i + 2));
  }
  names.erase("double");
  return names;
}

}  // namespace

bool has_twin(string_view word) {
  static const auto names = names_in(twin_prelude());
  return names.contains(word) || has_sixteen_twin(word);
}

bool has_sixteen_twin(string_view word) {
  static const auto names = names_in(twin_prelude_sixteen());
  return names.contains(word);
}

FloatType float_type_of(string_view word) {
  return among(kSingle, word)    ? FloatType::single
         : among(kSixteen, word) ? FloatType::sixteen
                                 : FloatType::none;
}

bool is_common_word(string_view word) {
  return among(kCommon, word);
}

bool is_integer_type(string_view word) {
  return among(kIntegers, word);
}

bool is_float_constant(string_view word) {
  return among(kConstants, word) || (word.starts_with("CUDART_") && word.ends_with("_F"));
}

std::string untwinnable(string_view word, bool called) {
  const std::string quoted = "'" + std::string(word) + "'";
  if (word == "union") return "a union may read the bits of a float";
  if (word == "bit_cast" || word == "__builtin_bit_cast") return quoted + " looks at the bits of a number";
  if (word == "wmma" || word.starts_with("wgmma"))
    return quoted + ": matrix instructions have no form in double";
  if (word.ends_with("_fp8") || word.ends_with("_fp8x2") || among(kForeignTypes, word))
    return quoted + " has no counterpart in double";
  if (!called || has_twin(word)) return "";
  const bool bits =
      word.starts_with("__float_as_") || word.starts_with("__half_as_") || word.starts_with("__bfloat16_as_");
  const bool from_bits =
      word.starts_with("__") &&
      (word.ends_with("_as_float") || word.ends_with("_as_half") || word.ends_with("_as_bfloat16"));
  if (bits) return quoted + " looks at the bits of a float";
  if (from_bits) return quoted + " makes a float of bits";
  if (narrow_function(word)) return quoted + " has no counterpart in double";
  return "";
}

std::string wide_literal(string_view number) {
  const bool suffixed = number.ends_with('f') || number.ends_with('F');
  const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
  const bool floating = hexadecimal ? number.find_first_of("pP") != string_view::npos
                                    : number.find_first_of(".eE") != string_view::npos;
  return std::string(suffixed && floating ? number.substr(0, number.size() - 1) : number);
}

}  // namespace cupilot
