// SPDX-License-Identifier: Apache-2.0
//
// A host side with the calls that compilers put into traced libraries; it launches like `behaviours` does for
// 0.
#include <cstdint>

#include "library.h"

extern "C" {
void __sanitizer_cov_trace_pc();
void __sanitizer_cov_trace_const_cmp4(std::uint32_t constant, std::uint32_t value);
void __sanitizer_cov_trace_switch(std::uint64_t value, const std::uint64_t *labels);
}

namespace {
const int registered = register_kernel();
constexpr std::uint64_t kLabels[] = {2, 32, 1, 7};
}  // namespace

extern "C" int cupilot_entry(Call *call) {
  __sanitizer_cov_trace_pc();
  __sanitizer_cov_trace_const_cmp4(160, call->grid[0]);
  __sanitizer_cov_trace_switch(7, kLabels);
  __sanitizer_cov_trace_pc();
  return launch_kernel(call, call->stream);
}
