// SPDX-License-Identifier: Apache-2.0
//
// The JSON field descriptions (annotate/support/fields.h) of looks at a device that may be shared.

#pragma once

#include "annotate/support/fields.h"
#include "evolution/judge/time/sharing.h"

namespace cupilot::judge::time {

using cupilot::operator==;  // of every described struct

constexpr auto fields_of(const BatchTimes *) {
  using S = BatchTimes;
  return fields(field("events_us", &S::events_us), field("wall_us", &S::wall_us),
                field("launches", &S::launches), field("median_us", &S::median_us));
}
constexpr auto fields_of(const DeviceUse *) {
  using S = DeviceUse;
  return fields(field("known", &S::known), field("processes", &S::processes),
                field("busy_percent", &S::busy_percent));
}
constexpr auto fields_of(const Look *) {
  using S = Look;
  return fields(field("original", &S::original), field("candidate", &S::candidate), field("use", &S::use));
}

}  // namespace cupilot::judge::time
