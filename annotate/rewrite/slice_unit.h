// SPDX-License-Identifier: Apache-2.0
//
// A slice as Clang's AST, parsed with the flags of the user's compile command: what the rules (parse.h) and
// the twin (twin.h) are made of.

#pragma once

#include <clang/Frontend/ASTUnit.h>
#include <memory>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"

namespace cupilot::rewrite {

/// The name under which Clang knows a slice that has no #line of its own; no file of this name exists.
inline constexpr const char *kSlicePath = "/cupilot/slice.cu";

/// What __CUDA_ARCH__ selects is seen on the device's side only.
enum class Side { host, device };

/// `before` is parsed in front of the slice and is no part of it. `diagnostics` hears of every error.
Result<std::unique_ptr<clang::ASTUnit>> parse_slice(const std::string &slice, const CompileCommand &command,
                                                    Side side, const std::string &before,
                                                    clang::DiagnosticConsumer &diagnostics);

}  // namespace cupilot::rewrite
