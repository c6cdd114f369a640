// SPDX-License-Identifier: Apache-2.0
//
// The words of a slice that mean something else in its twin. Single words and their neighbours only; what the
// words stand in is twin.cpp's.

#pragma once

#include <string>
#include <string_view>

namespace cupilot {

/// The text that stands before the promoted slice: types and functions named cupilot_twin_<word>; the second
/// part where there are 16-bit types.
std::string_view twin_prelude();
std::string_view twin_prelude_sixteen();

/// The prelude has a type or function for this word.
bool has_twin(std::string_view word);
bool has_sixteen_twin(std::string_view word);  ///< its second part

enum class FloatType { none, single, sixteen };
/// "float", "float4": single; "__half", "half2", "__nv_bfloat16": sixteen bits.
FloatType float_type_of(std::string_view word);
/// `half`, `half2`, ...: words a user may use for something of their own.
bool is_common_word(std::string_view word);
/// "int", "uint4", "uint32_t": what bits are read as.
bool is_integer_type(std::string_view word);

/// A macro for a number of type float (FLT_MAX, INFINITY, CUDART_INF_F): its value stays.
bool is_float_constant(std::string_view word);

/// Why a slice with this word has no twin; empty when it may have one. `called`: a parenthesis follows.
std::string untwinnable(std::string_view word, bool called);

/// The literal as a double's: "1.5f" is "1.5", "0x1p-3f" is "0x1p-3"; others stay.
std::string wide_literal(std::string_view number);

}  // namespace cupilot
