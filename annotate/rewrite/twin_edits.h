// SPDX-License-Identifier: Apache-2.0
//
// The slice as the twin's text is made from it: where the places of Clang's tree are written, what is put
// there instead, and the reasons why there is no twin.

#pragma once

#include <clang/Basic/SourceLocation.h>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "annotate/spec/kernel_spec.h"

namespace clang {
class ASTContext;
class FunctionDecl;
class SourceManager;
}  // namespace clang

namespace cupilot::rewrite::twin {

/// What was found in one side (host or device) of the slice.
struct Findings {
  std::map<std::size_t, std::pair<std::size_t, std::string>> pieces;  ///< by begin: end, new text
  std::map<std::size_t, std::string> refusals;  ///< reasons by offset, each with file and line
  bool single = false, sixteen = false, wide = false;
};

class TwinEdits {
public:
  /// Keeps references to everything. `text` is what Clang parsed as a slice.
  TwinEdits(const clang::ASTContext &context, const spec::KernelSpec &spec, const std::string &text,
            Findings &out);

  Findings &out() const { return out_; }
  const std::string &text() const { return text_; }

  /// Whether the place, or for a macro the place that uses it, is in the slice.
  bool is_ours(clang::SourceLocation place) const;
  /// Clang declares its own builtins where they are first used, which may be in the slice.
  bool is_ours(const clang::FunctionDecl &function) const;
  /// Whether the token itself stands in the slice, be it in a macro.
  bool is_written_here(clang::SourceLocation place) const;
  bool is_replaced(std::size_t at) const;

  std::size_t offset(clang::SourceLocation place) const;
  std::string token_at(clang::SourceLocation place) const;
  std::pair<std::size_t, std::size_t> range(clang::SourceLocation first, clang::SourceLocation last) const;

  void refuse(clang::SourceLocation place, const std::string &reason);
  /// Puts `text` in place of the bytes [begin, end); `place` is for the refusal.
  void put(std::size_t begin, std::size_t end, const std::string &text, clang::SourceLocation place);
  /// Puts `text` in place of the tokens from `first` to `last`.
  void replace(clang::SourceLocation first, clang::SourceLocation last, const std::string &text);
  /// A macro for a number of type float (FLT_MAX, INFINITY, CUDART_INF_F) keeps its value and is cast to
  /// double.
  void widen_macro(clang::SourceLocation place);
  /// `template void f<float>(float);` has no node in the AST. It is removed; the entry instantiates what it
  /// needs.
  void drop_explicit_instantiation(clang::SourceLocation name);

private:
  std::size_t token_end(clang::SourceLocation place) const;
  void refuse_foreign(clang::SourceLocation place);

  const clang::ASTContext &context_;
  const clang::SourceManager &sources_;
  const std::size_t begin_;  ///< of the slice
  const spec::KernelSpec &spec_;
  const std::string &text_;
  Findings &out_;
};

}  // namespace cupilot::rewrite::twin
