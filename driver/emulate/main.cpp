// SPDX-License-Identifier: Apache-2.0
//
// cupilot-emulate: judges a bundle on the emulated device, on this machine's CPU. Engine, bundle and verdict
// files are the same as those of cupilot-worker, but correctness is followed by an estimate. Results are JSON
// lines on stdout, messages go to stderr.
#include <fmt/format.h>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/emulate/check.h"
#include "evolution/emulate/session/session.h"
#include "evolution/judge/engine/child.h"
#include "evolution/judge/engine/engine.h"

namespace {

constexpr int kBadUsage = 2;

constexpr const char *kHelp =
    "usage: cupilot-emulate judge BUNDLE [--jobs N] [--only ID,...] [--verbose]\n"
    "       cupilot-emulate check BUNDLE\n"
    "judge   builds every candidate of a bundle folder, executes it on the CPU with all checks, compares it\n"
    "        with the original, estimates its time on the bundle's architecture, and writes\n"
    "        candidates/<id>/verdict.json. Candidates that have one are skipped.\n"
    "check   executes the original on the workloads with all checks and prints what it finds.\n"
    "  --jobs N        parallel builds (default: one less than the cores)\n"
    "  --only ID,...   these candidates only\n"
    "  --verbose       show the output of the child processes\n";

/// The emulated device executes the PTX. Machine code is built as well, so that ptxas reports the kernel's
/// resources. No CUDA runtime is linked, because cupilot-launches provides its functions. Nothing is
/// compressed, because both are read only once.
std::vector<std::string> build_options(const std::string &architecture) {
  const std::string number = cupilot::replace_all(architecture, "sm_", "");
  return {"-gencode", fmt::format("arch=compute_{0},code=[compute_{0},{1}]", number, architecture), "-cudart",
          "none", "-no-compress"};
}

/// The engine (evolution/judge/engine) with the emulated device.
cupilot::judge::engine::Engine cpu_engine() {
  return {"cupilot-emulate", build_options, cupilot::emulate::session::open_emulated_session, true};
}

}  // namespace

int main(int argc, char **argv) {
  cupilot::log::set_program("cupilot-emulate");
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == cupilot::judge::engine::kChildVerb)
    return cupilot::judge::engine::run_worker_program(cpu_engine(), argc, argv, kHelp);
  if (verb == "--help") return std::fputs(kHelp, stdout) < 0;
  if (verb == "judge")
    return cupilot::judge::engine::run_worker_program(cpu_engine(), argc - 1, argv + 1, kHelp);
  if (verb == "check" && argc == 3) return cupilot::driver::emulate::check_bundle(cpu_engine(), argv[2]);
  if (!verb.empty()) cupilot::log::error("unknown command or wrong number of arguments");
  std::fputs(kHelp, stderr);
  return kBadUsage;
}
