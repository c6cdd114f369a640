// SPDX-License-Identifier: Apache-2.0
//
// The child knows places in a library, the build knows what they are in the text.
#include "evolution/judge/engine/stages.h"
#include "evolution/judge/launches/host_code.h"

namespace cupilot::judge::engine {

launches::Coverage executed_host_code(Judging &judging) {
  if (judging.host.library.empty()) return host_coverage(judging.host.code, {});
  const auto line = judging.child.ask({Order::What::host_trace}, in_seconds(kStartSeconds));
  const auto trace = line ? host_trace_from_line(*line) : std::unexpected(line.error());
  return host_coverage(judging.host.code,
                       trace ? *trace : launches::HostTrace{.unknown = trace.error().message});
}

}  // namespace cupilot::judge::engine
