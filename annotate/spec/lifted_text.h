// SPDX-License-Identifier: Apache-2.0
//
// The lifted form as text. Expressions are C++, so that generated code is made of the same words; statements
// are for people.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "annotate/spec/lifted.h"

namespace cupilot::spec {

// Expressions that schedules and the lifter build.
Expr constant(std::int64_t value);
Expr named(ExprKind kind, std::string name, std::string type);
Expr binary(std::string op, Expr left, Expr right, std::string type);
Expr load(std::string buffer, Expr index, std::string type);
bool is_constant(const Expr &expr, std::int64_t value);
bool is_set(const Expr &expr);

/// The condition that holds where this one does not. Floating numbers keep their "!": with NaN neither of a
/// comparison and its opposite holds.
Expr negated(const Expr &condition);
/// The conditions that together are this one: the parts of a conjunction; of `!(a || b)`, `!a` and `!b`.
std::vector<Expr> conjuncts(const Expr &condition);
/// Of one condition or more, that they all hold.
Expr conjunction(const std::vector<Expr> &conditions);

/// Visits an expression and all its parts, outermost first.
void visit(const Expr &expr, const std::function<void(const Expr &)> &what);
/// Visits all expressions of a statement, those of its bodies too.
void visit(const Statement &statement, const std::function<void(const Expr &)> &what);
/// Visits a statement and those of its bodies, in order.
void visit_statements(const std::vector<Statement> &statements,
                      const std::function<void(const Statement &)> &what);
bool mentions(const Expr &expr, std::string_view name);
/// Whether nothing but parameters, launch sizes and numbers is in it: it is known when the kernel is
/// launched.
bool is_of_parameters(const Expr &expr);

/// The expression with every part replaced for which `replaced` has an answer, outermost first.
using Replace = std::function<std::optional<Expr>(const Expr &)>;
Expr replace(const Expr &expr, const Replace &replaced);
void replace_all(std::vector<Statement> &statements, const Replace &replaced);

/// C++ text, with as few parentheses as precedence allows. `own` may give the text of a part; it is put in
/// parentheses unless it is one word, a call or an access.
using OwnText = std::function<std::optional<std::string>(const Expr &)>;
std::string to_text(const Expr &expr, const OwnText &own = {});
/// One statement a line; loops read "for row in 0 .. rows (independent)".
std::string to_text(const std::vector<Statement> &statements, int columns = 0);
std::string to_text(const Lifted &lifted);

/// Whether the number is what the fold leaves every value as: 0 of a sum, -INFINITY of a maximum.
bool is_identity(const std::string &op, const Expr &value);
/// A text for that number in the given type, if there is one.
std::optional<std::string> identity_of(const std::string &op, const std::string &type);

}  // namespace cupilot::spec
