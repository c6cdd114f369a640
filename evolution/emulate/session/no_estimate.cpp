// SPDX-License-Identifier: Apache-2.0
//
// Stands in for evolution/emulate/estimate where that is not built: everything but the estimate works, and
// who asks for one is told.
#include "evolution/emulate/estimate/estimate.h"

namespace cupilot::emulate {

Result<DeviceTable> device_table(const std::string &) {
  return fail("this cupilot was built without evolution/emulate/estimate");
}

Result<LaunchEstimate> estimate_launch(LoadedProgram &, Memory &, const LaunchRequest &,
                                       const KernelResource &, const DeviceTable &) {
  return fail("this cupilot was built without evolution/emulate/estimate");
}

}  // namespace cupilot::emulate
