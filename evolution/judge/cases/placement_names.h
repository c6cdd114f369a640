// SPDX-License-Identifier: Apache-2.0
//
// The names of the placements of buffers (case_layout.h) in messages between the judge's processes.

#pragma once

#include <array>

#include "annotate/support/enum_names.h"
#include "evolution/judge/cases/case_layout.h"

namespace cupilot::judge::cases {

inline constexpr std::array<std::pair<Placement, const char *>, 20> kPlacements{
    {{Placement::base, "base"},
     {Placement::moved, "moved"},
     {Placement::misaligned, "misaligned"},
     {Placement::misaligned_two, "misaligned_two"},
     {Placement::misaligned_four, "misaligned_four"},
     {Placement::slice_16, "slice_16"},
     {Placement::slice_32, "slice_32"},
     {Placement::in_place, "in_place"},
     {Placement::in_place_last, "in_place_last"},
     {Placement::in_place_misaligned, "in_place_misaligned"},
     {Placement::in_place_last_misaligned, "in_place_last_misaligned"},
     {Placement::only_1, "only_1"},
     {Placement::only_2, "only_2"},
     {Placement::only_3, "only_3"},
     {Placement::only_4, "only_4"},
     {Placement::only_5, "only_5"},
     {Placement::only_6, "only_6"},
     {Placement::only_7, "only_7"},
     {Placement::only_8, "only_8"},
     {Placement::mixed, "mixed"}}};
inline EnumNames<Placement> names_of(const Placement *) {
  return kPlacements;
}

}  // namespace cupilot::judge::cases
