// SPDX-License-Identifier: Apache-2.0
//
// CUPILOT_PRAGMA(optimize) is `#pragma cupilot optimize` for code whose compilers refuse unknown pragmas: they see
// nothing at all, cupilot-annotate (which defines CUPILOT_ANNOTATE) sees the pragma.

#pragma once

#if defined(CUPILOT_ANNOTATE)
#define CUPILOT_PRAGMA_TEXT(text) _Pragma(#text)
#define CUPILOT_PRAGMA(...) CUPILOT_PRAGMA_TEXT(cupilot __VA_ARGS__)
#else
#define CUPILOT_PRAGMA(...)
#endif
