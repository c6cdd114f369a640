// SPDX-License-Identifier: Apache-2.0
//
// The part of a compiler's log that a role reads.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cupilot::role {

/// At most `most` bytes: the whole log, or its beginning, the first error with the lines around it, and its
/// end, with a line for each omitted part. Control characters other than line ends and tabs are removed.
std::string log_excerpt(std::string_view log, std::size_t most);

/// The first line that reports an error; empty if there is none.
std::string_view first_error_line(std::string_view log);

}  // namespace cupilot::role
