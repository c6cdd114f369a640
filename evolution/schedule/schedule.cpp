// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/schedule.h"

#include <algorithm>
#include <array>

#include "evolution/schedule/histogram.h"
#include "evolution/schedule/map.h"
#include "evolution/schedule/product.h"
#include "evolution/schedule/rows.h"
#include "evolution/schedule/scan.h"
#include "evolution/schedule/tile.h"
#include "evolution/schedule/whole.h"

namespace cupilot::schedule {

std::span<const Schedule> schedules() {
  static constexpr std::array kSchedules{
      Schedule{"product", write_product}, Schedule{"rows", write_rows},
      Schedule{"whole", write_whole},     Schedule{"histogram", write_histogram},
      Schedule{"scan", write_scan},       Schedule{"tile", write_tile},
      Schedule{"map", write_map},
  };
  return kSchedules;
}

const Schedule *find_schedule(std::string_view name) {
  const auto found =
      std::ranges::find(schedules(), name, [](const Schedule &one) { return std::string_view(one.name); });
  return found == schedules().end() ? nullptr : &*found;
}

}  // namespace cupilot::schedule
