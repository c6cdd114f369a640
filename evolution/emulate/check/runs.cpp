// SPDX-License-Identifier: Apache-2.0
// Picks the functions for this processor.

#include "evolution/emulate/check/runs.h"

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::check {

namespace baseline {
RunFunctions run_functions();
}
#ifdef CUPILOT_CHECK_X86
namespace avx2 {
RunFunctions run_functions();
}
namespace avx512 {
RunFunctions run_functions();
}
#endif

RunFunctions run_functions() {
#ifdef CUPILOT_CHECK_X86
  switch (program::host_isa()) {
    case program::Isa::avx512:
      return avx512::run_functions();
    case program::Isa::avx2:
      return avx2::run_functions();
    case program::Isa::baseline:
      break;
  }
#endif
  return baseline::run_functions();
}

}  // namespace cupilot::emulate::check
