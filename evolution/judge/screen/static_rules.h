// SPDX-License-Identifier: Apache-2.0
//
// Names a variant may not use, as tables, and why. Every reason says what to do instead where there is
// something.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cupilot {

/// Why `name` is forbidden wherever it stands, or nullopt. `qualified` : it stands behind `std::`.
std::optional<std::string_view> why_forbidden(std::string_view name, bool qualified);

/// A name of the CUDA runtime that no table knows: forbidden, unless the kernel itself uses it.
bool is_unknown_runtime_name(std::string_view name);

/// The same tables for a symbol that a built library takes from others: "calls 'x', which " + the answer.
std::optional<std::string_view> why_symbol_forbidden(std::string_view symbol);

/// Preprocessor directives a variant may contain: "include" is not one.
std::optional<std::string_view> why_directive_forbidden(std::string_view directive);

}  // namespace cupilot
