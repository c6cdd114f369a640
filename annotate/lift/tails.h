// SPDX-License-Identifier: Apache-2.0
//
// Threads that do several neighbouring elements at once, or what is left of them one by one, or the first
// apart from the others.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "annotate/lift/digits.h"
#include "annotate/spec/lifted.h"

namespace cupilot::lift {

/// `if (i + 3 < n) { y[i] = f(i); ... y[i + 3] = f(i + 3); } else for (j = i; j < n; ++j) y[j] = f(j);`,
/// where all say the same of their element, as `for (j = i; j < min(i + 4, n); ++j) y[j] = f(j);`. Of two at
/// once the rest is one, `if (i < n) y[i] = f(i);` or, where thread t does elements 2t and 2t + 1 if `t < n /
/// 2`, `if (t == n / 2 && n % 2 == 1) y[n - 1] = f(n - 1);`. `names` are taken.
void join_tails(std::vector<spec::Statement> &body, const Sizes &sizes, std::set<std::string> &names);

/// `for (i = 0; i < n; i += 4) sum += x[i] + x[i + 1] + x[i + 2] + x[i + 3];`, and the same with stores or
/// with `x[4 * i]` in a loop by one, goes over the elements one by one, up to the next multiple of 4, and on
/// to the end where the next loop does that. `needs`: of the kernel, which may say that nothing is left.
void flatten_steps(std::vector<spec::Statement> &body, const std::vector<spec::Need> &needs);

/// `m = x[0]; for (i = 1; i < n; ++i) m = max(m, x[i]);` begins with nothing and goes over all elements: as a
/// loop that may go with others over the same ones. `needs` has then that there is a first.
void begin_with_nothing(std::vector<spec::Statement> &body, std::vector<spec::Need> &needs);

}  // namespace cupilot::lift
