// SPDX-License-Identifier: Apache-2.0
#include "library.h"

extern "C" int cudaMalloc(void **to, std::size_t bytes);

extern "C" int cupilot_entry(Call *call) {
  return call->grid[0] ? cudaMalloc(call->args, 8) : 0;
}
