// SPDX-License-Identifier: Apache-2.0
//
// The families in the order the decoder asks: the most frequent first.

#include "evolution/emulate/lanes/families.h"

namespace cupilot::emulate {

std::span<const BindFor> families() {
  static constexpr BindFor all[] = {
#ifdef CUPILOT_LANES_INTEGER
      bind_integer,
#endif
#ifdef CUPILOT_LANES_LOGIC
      bind_logic,
#endif
#ifdef CUPILOT_LANES_MACHINE
      bind_memory,   bind_control,
#endif
#ifdef CUPILOT_LANES_FLOAT
      bind_float,
#endif
#ifdef CUPILOT_LANES_CONVERT
      bind_convert,
#endif
#ifdef CUPILOT_LANES_HALF
      bind_half,
#endif
#ifdef CUPILOT_LANES_EXCHANGE
      bind_exchange,
#endif
#ifdef CUPILOT_LANES_ATOMIC
      bind_atomic,
#endif
#ifdef CUPILOT_LANES_MATRIX
      bind_matrix,
#endif
#ifdef CUPILOT_LANES_ASYNC
      bind_async,
#endif
      bind_video,
  };
  return all;
}

}  // namespace cupilot::emulate
