// SPDX-License-Identifier: Apache-2.0
//
// cupilot-worker: judges a bundle on this machine's GPU. Results are JSON lines on stdout, messages go to
// stderr.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "annotate/support/process.h"
#include "evolution/device/calibrate/calibrate.h"
#include "evolution/device/open_cuda.h"
#include "evolution/judge/engine/engine.h"

namespace {

constexpr const char *kHelp =
    "usage: cupilot-worker BUNDLE [--jobs N] [--only ID,...] [--verbose]\n"
    "       cupilot-worker --calibrate [--json FILE]\n"
    "Builds, verifies and times every candidate of a bundle folder on this machine's GPU and writes\n"
    "candidates/<id>/verdict.json. Candidates that have a verdict are skipped.\n"
    "  --jobs N        number of parallel builds (default: one less than the number of cores)\n"
    "  --only ID,...   judge only these candidates\n"
    "  --verbose       show debug messages and the output of the child processes\n"
    "  --calibrate     run micro-benchmarks on this GPU and print every figure as JSON\n"
    "  --json FILE     write the figures to FILE instead\n";

/// No CUDA runtime is linked, because cupilot-launches provides its functions.
std::vector<std::string> build_options(const std::string &architecture) {
  return {"-arch=" + architecture, "-cudart", "none"};
}

/// The CPU executor tells which code of a finalist runs; it is installed beside this program, or not at all.
std::filesystem::path emulated_device() {
  const auto program = cupilot::own_folder() / "cupilot-emulate";
  std::error_code ignored;
  return std::filesystem::exists(program, ignored) ? program : std::filesystem::path();
}

/// `cupilot-worker --calibrate [--json FILE]`.
cupilot::Result<> calibrate(const std::string &file) {
  CUPILOT_TRY(session, cupilot::device::open_cuda_session());
  const auto tell = [](const std::string &name) { cupilot::log::debug("calibrating " + name); };
  CUPILOT_TRY(calibration, cupilot::device::calibrate::calibrate(*session, tell));
  const std::string text = cupilot::device::calibrate::calibration_json(calibration);
  if (file.empty())
    std::fputs(text.c_str(), stdout);
  else
    CUPILOT_CHECKED(cupilot::write_file_atomic(file, text));
  if (calibration.failed.empty()) return {};
  return cupilot::fail(
      fmt::format("{} micro-benchmarks failed, the first one is {}; the other figures were written",
                  calibration.failed.size(), calibration.failed.front()));
}

int calibrate_main(int argc, char **argv) {
  const bool to_file = argc == 4 && std::string_view(argv[2]) == "--json";
  if (argc != 2 && !to_file) {
    cupilot::log::error("--calibrate can be combined with --json FILE only");
    return 2;
  }
  const auto done = calibrate(to_file ? argv[3] : "");
  if (!done) cupilot::log::error(done.error().message);
  return done ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
  cupilot::log::set_program("cupilot-worker");
  if (argc > 1 && std::string_view(argv[1]) == "--calibrate") return calibrate_main(argc, argv);
  cupilot::judge::engine::Engine engine{"cupilot-worker", build_options, [](const std::string &) {
                                          return cupilot::device::open_cuda_session();
                                        }};
  engine.beside = emulated_device();
  return cupilot::judge::engine::run_worker_program(engine, argc, argv, kHelp);
}
