// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/lanes/families.h"

#include "evolution/emulate/machine/families.h"

namespace cupilot::emulate::lanes {

std::span<const program::BindFor> families() {
  static constexpr program::BindFor all[] = {
      bind_integer, bind_logic,    machine::bind_memory, machine::bind_control, bind_float, bind_convert,
      bind_half,    bind_exchange, bind_atomic,          bind_matrix,           bind_async, bind_video};
  return all;
}

}  // namespace cupilot::emulate::lanes
