// SPDX-License-Identifier: Apache-2.0
//
// What no implementation of a kernel gets below on a case.

#pragma once

#include <optional>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/bundle.h"
#include "evolution/schedule/work.h"

namespace cupilot::search {

struct Least {
  double bytes = 0;                    ///< of its buffers, once; twice of those that are read and written
  std::optional<schedule::Work> work;  ///< not set where the kernel is not lifted or it is not known
};
Least least_of(const spec::KernelSpec &spec, const model::Case &one);

}  // namespace cupilot::search
