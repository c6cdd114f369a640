// SPDX-License-Identifier: Apache-2.0
//
// The JSON field descriptions (annotate/support/fields.h) of host_trace.h.

#pragma once

#include "annotate/support/fields.h"
#include "evolution/judge/launches/host_trace.h"

namespace cupilot::judge::launches {

using cupilot::operator==;  // of every described struct

constexpr auto fields_of(const HostStep *) {
  return fields(field("from", &HostStep::from), field("to", &HostStep::to));
}
constexpr auto fields_of(const HostComparison *) {
  using S = HostComparison;
  return fields(field("site", &S::site), field("bytes", &S::bytes), sparse("constant", &S::constant),
                sparse("real", &S::real), sparse("less", &S::less), sparse("equal", &S::equal),
                sparse("greater", &S::greater), sparse("below", &S::below), sparse("above", &S::above),
                sparse("left_fixed", &S::left_fixed), sparse("right_fixed", &S::right_fixed),
                sparse("left", &S::left), sparse("right", &S::right), sparse("real_left", &S::real_left),
                sparse("real_right", &S::real_right));
}
constexpr auto fields_of(const HostLabel *) {
  return fields(field("value", &HostLabel::value), sparse("seen", &HostLabel::seen));
}
constexpr auto fields_of(const HostSwitch *) {
  return fields(field("site", &HostSwitch::site), field("labels", &HostSwitch::labels));
}
constexpr auto fields_of(const HostTrace *) {
  using S = HostTrace;
  return fields(field("steps", &S::steps), field("comparisons", &S::comparisons),
                field("switches", &S::switches), sparse("unknown", &S::unknown));
}

}  // namespace cupilot::judge::launches
