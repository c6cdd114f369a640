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

/// Whether a macro of the compiler or of a header may have this name, so that it is replaced even after a
/// `.`.
bool could_be_macro(std::string_view name);

/// Whether this is a name that is reserved for macros of compilers and headers, such as an include guard or
/// `__linux__`, and is not known to mean the same for the judge and in a build.
bool is_unknown_reserved_name(std::string_view name);

/// Why a variant may not define a macro of this name, or nullopt.
std::optional<std::string_view> why_no_macro(std::string_view name);

/// Whether a condition of the preprocessor may ask for this name: it means the same for the judge and in a
/// build.
bool may_be_in_condition(std::string_view name);

/// Whether this is a macro that tells the version of a compiler, of the toolkit or of the language, or
/// whether assertions are on.
bool is_version(std::string_view name);

/// Why not, for a symbol that a built library imports. The message is "calls 'x', which " + the result.
std::optional<std::string_view> why_symbol_forbidden(std::string_view symbol);

/// Why a preprocessor directive is forbidden, such as "include"; nullopt if a variant may contain it.
std::optional<std::string_view> why_directive_forbidden(std::string_view directive);

}  // namespace cupilot::judge::screen
