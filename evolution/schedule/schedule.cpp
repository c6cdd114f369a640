// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/schedule.h"

#include <algorithm>
#include <array>

#include "evolution/schedule/coalesced_mapping.h"
#include "evolution/schedule/fp64_mma.h"
#include "evolution/schedule/half_three_products.h"
#include "evolution/schedule/privatised_histogram.h"
#include "evolution/schedule/register_tile.h"
#include "evolution/schedule/row_in_registers.h"
#include "evolution/schedule/scan_rows_with_carry.h"
#include "evolution/schedule/tf32_three_products.h"
#include "evolution/schedule/transpose_through_shared.h"
#include "evolution/schedule/two_stage_reduction.h"
#include "evolution/schedule/window_in_registers.h"

namespace cupilot::schedule {

std::span<const Schedule> schedules() {
  static constexpr std::array kSchedules{
      Schedule{"tf32-three-products-mma", write_tf32_three_products},
      Schedule{"half-three-products-mma", write_half_three_products},
      Schedule{"fp64-mma", write_fp64_mma},
      Schedule{"register-tile", write_register_tile},
      Schedule{"row-in-registers", write_row_in_registers},
      Schedule{"cluster-split-rows", write_cluster_split_rows},
      Schedule{"two-stage-reduction", write_two_stage_reduction},
      Schedule{"privatised-histogram", write_privatised_histogram},
      Schedule{"scan-rows-with-carry", write_scan_rows_with_carry},
      Schedule{"transpose-through-shared", write_transpose_through_shared},
      Schedule{"window-in-registers", write_window_in_registers},
      Schedule{"coalesced-mapping", write_coalesced_mapping},
  };
  return kSchedules;
}

const Schedule *find_schedule(std::string_view name) {
  const auto found =
      std::ranges::find(schedules(), name, [](const Schedule &one) { return std::string_view(one.name); });
  return found == schedules().end() ? nullptr : &*found;
}

}  // namespace cupilot::schedule
