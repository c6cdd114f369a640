// SPDX-License-Identifier: Apache-2.0
//
// Parses a slice with Clang, using the flags of the user's compile command. The rules (parse.h) and the twin
// (twin.h) are built from the AST.

#pragma once

#include <clang/Frontend/ASTUnit.h>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::rewrite {

/// Clang's file name for a slice that has no #line of its own. No file of this name exists.
inline constexpr const char *kSlicePath = "/cupilot/slice.cu";

/// The two compilation passes. Only the device side sees code that __CUDA_ARCH__ selects.
enum class Side { host, device };

/// A parsed slice, whose traversal scope is what the slice itself declares. It is gone when the same thread
/// parses the next one.
class SliceUnit {
public:
  explicit SliceUnit(clang::ASTUnit &unit) : unit_(&unit) {}
  clang::ASTUnit *operator->() const { return unit_; }

private:
  clang::ASTUnit *unit_;
};

/// Where the slice begins in the main file that Clang parsed, in bytes.
std::size_t slice_begin(const clang::SourceManager &sources);

/// `before` is parsed in front of the slice and is not part of it. `diagnostics` receives every error.
Result<SliceUnit> parse_slice(const std::string &slice, const spec::CompileCommand &command, Side side,
                              const std::string &before, clang::DiagnosticConsumer &diagnostics);

}  // namespace cupilot::rewrite
