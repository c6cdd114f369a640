// SPDX-License-Identifier: Apache-2.0
//
// Parses a slice with Clang, using the flags of the user's compile command. The rules (parse.h) and the twin
// (twin.h) are built from the AST.

#pragma once

#include <clang/Frontend/ASTUnit.h>
#include <clang/Tooling/Tooling.h>
#include <memory>
#include <string>
#include <utility>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::rewrite {

/// Clang's file name for a slice that has no #line of its own. No file of this name exists.
inline constexpr const char *kSlicePath = "/cupilot/slice.cu";

/// The two compilation passes. Only the device side sees code that __CUDA_ARCH__ selects.
enum class Side { host, device };

/// A parsed slice together with the text of the files that were mapped beside it. Clang reads that text again
/// whenever it is asked for a place or a spelling, and does not copy it.
class SliceUnit {
public:
  SliceUnit(clang::tooling::FileContentMappings files, std::unique_ptr<clang::ASTUnit> unit)
      : files_(std::move(files)), unit_(std::move(unit)) {}
  clang::ASTUnit *operator->() const { return unit_.get(); }

private:
  clang::tooling::FileContentMappings files_;  // outlives unit_
  std::unique_ptr<clang::ASTUnit> unit_;
};

/// `before` is parsed in front of the slice and is not part of it. `diagnostics` receives every error.
Result<SliceUnit> parse_slice(const std::string &slice, const spec::CompileCommand &command, Side side,
                              const std::string &before, clang::DiagnosticConsumer &diagnostics);

}  // namespace cupilot::rewrite
