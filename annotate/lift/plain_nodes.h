// SPDX-License-Identifier: Apache-2.0
//
// Pieces of syntax that plain.h's passes put into a kernel.

#pragma once

#include <cstdint>
#include <vector>

#include "annotate/rewrite/syntax.h"

namespace cupilot::lift {

/// An assignment, `++` or `--`.
bool is_step(const rewrite::Node &node);
/// Whether evaluating it writes something: one of these is in it.
bool has_steps(const rewrite::Node &node);

/// An array of each thread that is nothing but numbers.
bool is_number_array(const rewrite::Variable &variable);

/// An `int` in the place of `at`.
rewrite::Node integer_at(const rewrite::Node &at, std::int64_t value);
/// `{ statements }`
rewrite::Node compound_at(const rewrite::Node &at, std::vector<rewrite::Node> statements);
/// A new variable of the kernel, by its name.
rewrite::Node name_at(const rewrite::Node &at, rewrite::Kernel &kernel, rewrite::Variable variable);
/// `type name = value;`
rewrite::Node declaration_of(const rewrite::Node &name, rewrite::Node value);

}  // namespace cupilot::lift
