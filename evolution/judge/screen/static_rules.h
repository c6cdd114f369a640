// SPDX-License-Identifier: Apache-2.0
//
// Tables of the names that a variant may not use, with reasons. If there is an alternative, the reason names
// it.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cupilot::judge::screen {

/// Why `name` is forbidden anywhere in a variant, or nullopt. `qualified`: it follows `std::`.
std::optional<std::string_view> why_forbidden(std::string_view name, bool qualified);

/// Whether this is a name of the CUDA runtime that is in no table. It is forbidden unless the kernel itself
/// uses it.
bool is_unknown_runtime_name(std::string_view name);

/// The same for a symbol that a built library imports. The message is "calls 'x', which " + the result.
std::optional<std::string_view> why_symbol_forbidden(std::string_view symbol);

/// Why a preprocessor directive is forbidden, such as "include"; nullopt if a variant may contain it.
std::optional<std::string_view> why_directive_forbidden(std::string_view directive);

}  // namespace cupilot::judge::screen
