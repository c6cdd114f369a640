// SPDX-License-Identifier: Apache-2.0
//
// Statements of a lifted form as CUDA.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/lifted.h"
#include "annotate/spec/lifted_text.h"

namespace cupilot::schedule {

/// `target` folded with a value: "sum += v;", "top = fmaxf(top, v);", and if a NaN in `target` is to stay,
/// "top = v > top ? v : top;".
std::string fold_text(const std::string &target, const std::string &op, const std::string &type,
                      const std::string &value, bool keeps_nan = false);
/// The statements, one a line, loops as `for`. `own` gives the text of parts of expressions.
std::string code_of(const std::vector<spec::Statement> &statements, const spec::OwnText &own = {});

/// An expression as an operand of `<` or `+`.
std::string limit_text(const spec::Expr &expr, const spec::OwnText &own = {});

/// The functions that folds of places call (annotate/lift/arguments.h), if the code does.
std::string argument_text(const std::string &code);

/// The independent loops that stand alone in each other, from the outermost, and what is in the innermost.
struct Nest {
  std::vector<const spec::Statement *> loops;
  const std::vector<spec::Statement> *body = nullptr;
};
Nest nest_of(const std::vector<spec::Statement> &body);

}  // namespace cupilot::schedule
