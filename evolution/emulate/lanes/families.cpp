// SPDX-License-Identifier: Apache-2.0
//
// The families in the order the decoder asks: the most frequent first.

#include "evolution/emulate/lanes/families.h"

namespace cupilot::emulate {

std::span<const BindFor> families() {
  static constexpr BindFor all[] = {bind_integer, bind_logic,   bind_memory, bind_control,
                                    bind_float,   bind_convert, bind_half,   bind_exchange,
                                    bind_atomic,  bind_matrix,  bind_async,  bind_video};
  return all;
}

}  // namespace cupilot::emulate
