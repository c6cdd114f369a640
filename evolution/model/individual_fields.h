// SPDX-License-Identifier: Apache-2.0
//
// The field descriptions (annotate/support/fields.h) of individuals, as the run database stores them.

#pragma once

#include "annotate/support/fields.h"
#include "evolution/model/individual.h"

namespace cupilot::model {

using cupilot::operator==;  // of every described struct

/// `values` is not stored: the allowed values of a knob are in the variant's text.
constexpr auto fields_of(const Knob *) {
  return fields(field("name", &Knob::name), unwritten(&Knob::values), field("value", &Knob::value));
}
constexpr auto fields_of(const Individual *) {
  using S = Individual;
  return fields(field("name", &S::id), field("variant", &S::variant), field("strategies", &S::strategies),
                field("strategy_text", &S::strategy_text), field("knobs", &S::knobs),
                field("parents", &S::parents), field("provider", &S::provider), field("model", &S::model),
                field("calls", &S::calls));
}

}  // namespace cupilot::model
