// SPDX-License-Identifier: Apache-2.0
#include "driver/emulate/engine.h"

#include <fmt/format.h>

#include "annotate/support/text.h"
#include "evolution/emulate/session/session.h"

namespace cupilot {

namespace {

/// The emulated device executes the PTX. Machine code is built as well, so that ptxas reports the kernel's
/// resources. No CUDA runtime is linked, because cupilot-launches provides its functions. Nothing is
/// compressed, because both are read only once.
std::vector<std::string> build_options(const std::string &architecture) {
  const std::string number = replace_all(architecture, "sm_", "");
  return {"-gencode", fmt::format("arch=compute_{0},code=[compute_{0},{1}]", number, architecture), "-cudart",
          "none", "-no-compress"};
}

}  // namespace

Engine cpu_engine() {
  return {"cupilot-emulate", build_options, emulate::open_emulated_session, true};
}

}  // namespace cupilot
