// SPDX-License-Identifier: Apache-2.0
//
// The lifted form: what a kernel computes, whatever way its threads go about it. It is a serial program of
// loops whose iterations are marked: independent, a reduction, or in order. Thread and block indices are
// gone; a thread a row and a block a row with a tree in shared memory have the same form. annotate/lift makes
// it, evolution/schedule writes it anew for a device. Plain data; lifted_text.h prints it for people.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cupilot::spec {

/// What an expression is. `text` and `parts` of each: constant: its C++ spelling; parameter, axis, value: the
/// name; load: the buffer's name, [index in elements]; unary, binary: the operator ("-", "!", "+", "<",
/// "&&"), operands; call: the function as the kernel's source calls it, arguments; select: [condition, if
/// true, if false]; cast: the type, [operand]; member: the member's name, [object].
enum class ExprKind {
  none,
  constant,
  parameter,
  axis,
  value,
  load,
  unary,
  binary,
  call,
  select,
  cast,
  member
};

struct Expr {
  ExprKind kind = ExprKind::none;
  std::string text;
  std::string type;  ///< C++ spelling of the result's type, without const: "float", "int", "bool"
  std::vector<Expr> parts;
};

/// How the iterations of a loop depend on each other. `independent`: not at all, they write different
/// elements. `reduction`: only by `fold` statements, whose order may change as far as the judge allows.
/// `ordered`: an iteration needs the one before it (scans, recurrences).
enum class LoopKind { independent, reduction, ordered };

/// What a statement is, and which members it uses.
/// - value: `const type name = value;`
/// - variable: `type name = value;`, changed by `assign` and `fold` in this statement's scope
/// - assign: `name = value;`
/// - fold: `name = name op value;`, op being one of "+", "*", "max", "min", "&", "|", "^". "max" and "min"
/// skip NaN
/// - loop: `for (type name = begin; name < end; name += step)`, body
/// - branch: `if (value) body else otherwise`
/// - store: `name[index] = value;`, name being a buffer
/// - update: `name[index] = name[index] op value;`, which other iterations may do to the same element, too
enum class StatementKind { value, variable, assign, fold, loop, branch, store, update };

struct Statement {
  StatementKind kind = StatementKind::value;
  std::string name, type, op;
  Expr value, index;
  Expr begin, end, step;
  LoopKind loop = LoopKind::independent;
  std::vector<Statement> body, otherwise;
  bool keeps_nan = false;  ///< of a fold by comparison ("if (e < m) m = e"): a total that is NaN stays NaN
  int line = 0;            ///< in the user's file
};

/// A condition, over the kernel's parameters and `grid.x` to `block.z`, under which the kernel computes what
/// its lifted form says: "grid.x * block.x >= rows". A launch has to test it.
struct Need {
  Expr condition;
  std::string why;  ///< "every row has a thread"
};

/// Two buffers that may not share an element, because the form reads and writes them in another order.
struct Apart {
  std::string read, written;
};

/// A buffer that the kernel itself accesses `elements` at a time, so that it begins at a multiple of them.
struct Wide {
  std::string buffer;
  int elements = 1;
};

/// Where and why a kernel was not lifted, in words about the user's code.
struct NotLifted {
  std::string reason;
  int line = 0;
};

struct Lifted {
  std::vector<Statement> body;  ///< empty: not lifted
  std::vector<Need> needs;
  std::vector<Apart> apart;
  std::vector<Wide> wide;
  NotLifted missing;
  /// Pointer parameters of which the kernel only reads or only writes elements, also where it does not lift;
  /// others are not known to.
  std::vector<std::string> only_read, only_written;
};

const char *to_string(LoopKind);

}  // namespace cupilot::spec
