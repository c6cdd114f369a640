// SPDX-License-Identifier: Apache-2.0
//
// A kernel's syntax as the rules use it: a plain tree with byte offsets into the slice. parse.cpp makes it
// from Clang's AST without implicit casts, parentheses, temporaries and copies. No rule uses Clang itself.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cupilot::rewrite {

struct Field;

struct Type {
  enum class Kind { boolean, integer, floating, record, pointer, array, other };
  Kind kind = Kind::other;
  std::string text;  ///< spelled without the outermost const
  int bits = 0;
  bool is_unsigned = false;
  bool is_const = false, is_volatile = false, is_restrict = false, is_reference = false;
  std::string element;  ///< type of the pointee or array element, without const
  int element_bits = 0;
  bool element_const = false, element_volatile = false, element_trivial = false, element_scalar = false;
  std::vector<std::int64_t> extents;  ///< extents of an array, outermost first
  /// Members of a structure that is nothing but a few numbers, in order.
  std::vector<Field> fields;
};

struct Field {
  std::string name;
  Type type;
};

enum class Storage { parameter, local, shared, dynamic_shared, global };

struct Variable {
  std::string name;
  Type type;
  Storage storage = Storage::local;
  bool in_kernel = false;
  std::string number{};  ///< of a floating constant outside of functions: its value as a literal
};

enum class Kind {
  none,  // a part that is not there, as in for (;;)
  compound,
  declaration,
  declare,
  if_,
  for_,
  while_,
  do_,
  switch_,
  return_,
  break_,
  continue_,
  empty,
  other_statement,
  integer,
  literal,
  name,
  builtin,
  subscript,
  call,
  member,
  unary,
  binary,
  assign,
  conditional,
  cast,
  list,
  lambda,
  other_expression
};

/// The children of each kind: compound and declaration: their parts; declare: [initializer]; if_: condition,
/// then, else; for_: init, condition, step, body; while_: condition, body; do_: body, condition; subscript:
/// base, index; call: arguments (of a member function the object comes first); binary, assign: left, right;
/// conditional: condition, true value, false value; cast, member, unary: one operand.
struct Node {
  Kind kind = Kind::none;
  /// Operator ("+", "+=", "++", "--", "*"), callee, member, builtin ("threadIdx.x"), or a number as it is
  /// spelled, be it in a macro.
  std::string text;
  std::size_t begin = 0, end = 0;  ///< byte range in the slice
  int line = 0;                    ///< line in the user's file
  bool exact = true;               ///< false: comes from a macro, so its text cannot be edited
  bool overloaded = false;         ///< an operator implemented by a function
  bool postfix = false;            ///< `i++` or `i--`
  int variable = -1;               ///< index of the variable, for name and declare
  int function = -1;               ///< index of the called function, if the slice defines it
  Type type;
  std::optional<std::int64_t> value;  ///< compile-time integer constant
  std::vector<Node> children;
};

/// The text of a lambda that does not take everything as it is around it.
inline constexpr const char *kTakesCopies = "takes copies";

struct Function {
  std::string name;
  Node body;
  std::vector<int> parameters{};  ///< indices into Kernel::variables
};

struct Kernel {
  std::string name;    ///< without namespaces
  std::string source;  ///< the slice
  std::vector<std::string>
      aliases;  ///< declarations for template parameters: "using T = float;", "constexpr int N = 4;"
  std::vector<Variable> variables;
  std::vector<Function> functions;  ///< defined in the slice and reachable from the kernel
  std::vector<int> parameters;      ///< indices into variables
  Node body;
  std::size_t begin = 0, end = 0;  ///< byte range of the whole definition
  int line = 0;
};

}  // namespace cupilot::rewrite
