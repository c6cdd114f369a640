// SPDX-License-Identifier: Apache-2.0
//
// Which conditions of data are the variant's own. A compiler gives all code of a statement one place, also
// the code of library functions that the statement calls: expf() and powf() compare their arguments with
// limits that no judged input has to reach. Only the text tells the two apart. Pure.

#pragma once

#include <string_view>

#include "evolution/judge/launches/coverage.h"

namespace cupilot::judge::engine {

/// Makes every way of a condition of data (Condition::data) idle that a library function may have in the
/// statement at its place. A statement that calls none has all its conditions itself. Of one that calls
/// functions of the mathematical library those are its own that compare two numbers of the data, or compare
/// with a number other than 0 and 1 that the text has. In a statement that calls anything else none are.
void leave_library_conditions(launches::Coverage &coverage, std::string_view text);

}  // namespace cupilot::judge::engine
