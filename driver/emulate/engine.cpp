// SPDX-License-Identifier: Apache-2.0
#include "driver/emulate/engine.h"

#include "annotate/support/text.h"
#include "evolution/emulate/session/session.h"

namespace cupilot {

namespace {

/// PTX to execute, machine code so that ptxas says what the kernel takes. No runtime is linked: its functions
/// are those of cupilot-launches. Not compressed: both are read once, right away.
std::vector<std::string> build_options(const std::string &architecture) {
  const std::string number = replace_all(architecture, "sm_", "");
  return {"-gencode", "arch=compute_" + number + ",code=[compute_" + number + "," + architecture + "]",
          "-cudart", "none", "-no-compress"};
}

}  // namespace

Engine cpu_engine() {
  return {"cupilot-emulate", build_options, emulate::open_emulated_session, true};
}

}  // namespace cupilot
