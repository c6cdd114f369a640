// SPDX-License-Identifier: Apache-2.0
//
// Threads that do several neighbouring elements at once, or what is left of them one by one.

#pragma once

#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::lift {

/// `if (i + 3 < n) { y[i] = f(i); ... y[i + 3] = f(i + 3); } else for (j = i; j < n; ++j) y[j] = f(j);`,
/// where all say the same of their element, as `for (j = i; j < min(i + 4, n); ++j) y[j] = f(j);`
void join_tails(std::vector<spec::Statement> &body);

}  // namespace cupilot::lift
