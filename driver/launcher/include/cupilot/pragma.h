// SPDX-License-Identifier: Apache-2.0
//
// CUPILOT_PRAGMA(optimize) is `#pragma cupilot optimize` for code whose compilers refuse unknown pragmas: it
// is empty for nvcc and its host compiler. Clang, with which cupilot-annotate parses, sees the pragma.

#pragma once

#if defined(__clang__) && !defined(__NVCC__)
#define CUPILOT_PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)
#define CUPILOT_PRAGMA(...) CUPILOT_PRAGMA_TEXT(cupilot __VA_ARGS__)
#else
#define CUPILOT_PRAGMA(...)
#endif
