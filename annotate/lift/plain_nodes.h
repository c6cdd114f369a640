// SPDX-License-Identifier: Apache-2.0
//
// Pieces of syntax that plain.h's passes put into a kernel.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "annotate/rewrite/syntax.h"

namespace cupilot::lift {

/// An assignment, `++` or `--`.
bool is_step(const rewrite::Node &node);
/// Whether evaluating it writes something: one of these is in it.
bool has_steps(const rewrite::Node &node);

/// What stands in braces alone, without them.
const rewrite::Node &without_braces(const rewrite::Node &body);
/// `a = b` of a body that does nothing else; nullptr: it does.
const rewrite::Node *assignment_alone(const rewrite::Node &body);
/// The same of `if (condition) a = b;`.
const rewrite::Node *only_assignment(const rewrite::Node &branch);
/// The counter of `for (int i = begin; ...; ++i)` or `i += number`, which the body leaves alone; -1: it
/// counts in another way.
int counter_upwards(const rewrite::Node &loop);
/// `__stcs(pointer, value)` and its kin: stores that say how long the caches should keep it.
bool is_hinted_store(const rewrite::Node &node);
/// The condition of `if (condition) break;`.
const rewrite::Node *break_condition(const rewrite::Node &node);
/// Whether a condition that holds in one iteration of a loop holds in all that come after it: `row >= rows`
/// where `row` is a sum that grows with the loop's counter.
bool stays_true(const rewrite::Node &condition, const rewrite::Node &body, int counter);

/// An array of each thread that is nothing but numbers.
bool is_number_array(const rewrite::Variable &variable);

/// A node in the place of `at`, without children.
rewrite::Node node_at(const rewrite::Node &at, rewrite::Kind kind, std::string text = {});
/// `left op right`
rewrite::Node binary_of(std::string op, rewrite::Node left, rewrite::Node right, rewrite::Type type);
/// The same of a comparison, or of conditions.
rewrite::Node condition_of(std::string op, rewrite::Node left, rewrite::Node right);
/// An `int` in the place of `at`.
rewrite::Node integer_at(const rewrite::Node &at, std::int64_t value);
/// `{ statements }`
rewrite::Node compound_at(const rewrite::Node &at, std::vector<rewrite::Node> statements);
/// A call of a function, by its name.
rewrite::Node call_at(const rewrite::Node &at, const std::string &function, const rewrite::Type &type,
                      std::vector<rewrite::Node> arguments);
/// `target op value`
rewrite::Node assignment_of(const std::string &op, rewrite::Node target, rewrite::Node value);
/// A new variable of the kernel, by its name.
rewrite::Node name_at(const rewrite::Node &at, rewrite::Kernel &kernel, rewrite::Variable variable);
/// `type name = value;`
rewrite::Node declaration_of(const rewrite::Node &name, rewrite::Node value);

}  // namespace cupilot::lift
