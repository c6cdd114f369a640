// SPDX-License-Identifier: Apache-2.0
//
// Describes an explored call for JSON (annotate/support/fields.h).

#pragma once

#include "annotate/support/fields.h"
#include "evolution/judge/cases/explored_cases.h"

namespace cupilot::judge::cases {

using cupilot::operator==;  // of every described struct

constexpr auto fields_of(const ExploredCall *) {
  using S = ExploredCall;
  return fields(field("workload", &S::workload), field("values", &S::values));
}

}  // namespace cupilot::judge::cases
