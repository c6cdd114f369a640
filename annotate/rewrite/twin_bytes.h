// SPDX-License-Identifier: Apache-2.0
//
// Finds floating data that is read as another type, or the reverse: `*(int *)&x`, memcpy between types. Such
// code has no twin, because the twin's numbers have another size.

#pragma once

namespace clang {
class CallExpr;
class Expr;
class ExplicitCastExpr;
}  // namespace clang

namespace cupilot::rewrite::twin {

class TwinEdits;

/// Looks for a read through a cast, given the pointer that is dereferenced: `*(int *)&x`, `((int *)&x)[0]`,
/// `*((int *)x + 1)`.
void look_at_read(const clang::Expr &pointer, TwinEdits &edits);

/// Looks at a cast that is not dereferenced at once.
void look_at_cast(const clang::ExplicitCastExpr &cast, TwinEdits &edits);

/// Looks at a call of memcpy.
void look_at_copy(const clang::CallExpr &call, TwinEdits &edits);

}  // namespace cupilot::rewrite::twin
