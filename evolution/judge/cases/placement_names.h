// SPDX-License-Identifier: Apache-2.0
//
// The names of the placements of buffers (case_layout.h) in messages between the judge's processes.

#pragma once

#include <array>

#include "annotate/support/enum_names.h"
#include "evolution/judge/cases/case_layout.h"

namespace cupilot::judge::cases {

inline constexpr std::array<std::pair<Placement, const char *>, 7> kPlacements{
    {{Placement::base, "base"},
     {Placement::moved, "moved"},
     {Placement::misaligned, "misaligned"},
     {Placement::misaligned_two, "misaligned_two"},
     {Placement::misaligned_four, "misaligned_four"},
     {Placement::in_place, "in_place"},
     {Placement::in_place_last, "in_place_last"}}};
inline EnumNames<Placement> names_of(const Placement *) {
  return kPlacements;
}

}  // namespace cupilot::judge::cases
