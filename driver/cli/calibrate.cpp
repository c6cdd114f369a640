// SPDX-License-Identifier: Apache-2.0
//
// cupilot calibrate: measures this machine's GPU and writes the device table that estimates for it use from
// then on.

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "driver/cli/project/programs.h"
#include "driver/cli/report/output.h"
#include "driver/cli/verbs.h"
#include "evolution/emulate/estimate/derive.h"

namespace cupilot::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *kCalibrateHelp = R"(Examples:
  cupilot calibrate
  cupilot calibrate --out h200.json

Runs micro-benchmarks on this machine's GPU (for less than a minute; nothing else should use it) and derives a device
table. Without --out it goes to $XDG_DATA_HOME/cupilot/devices or ~/.local/share/cupilot/devices, where
estimates look first. With the table estimates are closer to this GPU; they remain estimates.
Exit codes: 0 fine, 1 something failed (no GPU, no cupilot-worker), 2 a mistake in the command line.)";

constexpr auto kCalibrationLimit = std::chrono::minutes(5);

struct CalibrateOptions {
  std::string out;
  bool json = false;
};

/// "sm_90_nvidia_h200.json".
std::string file_name(const emulate::estimate::DeviceTable &table) {
  std::string name = table.architecture + "_" + table.name;
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return std::isalnum(c) ? static_cast<char>(std::tolower(c)) : '_';
  });
  return name + ".json";
}

Result<fs::path> destination(const CalibrateOptions &options, const emulate::estimate::DeviceTable &table) {
  if (!options.out.empty()) return fs::path(options.out);
  const std::string folder = emulate::estimate::user_tables_folder();
  if (folder.empty())
    return user_error("neither HOME nor XDG_DATA_HOME is set; name the file with --out FILE");
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return fail("cannot create " + folder + ": " + failed.message());
  return fs::path(folder) / file_name(table);
}

Result<std::string> measure() {
  CUPILOT_TRY(worker, project::find_worker());
  CUPILOT_TRY(folder, TemporaryFolder::create("cupilot-calibrate"));
  const auto file = folder.path() / "calibration.json";
  ProcessRequest request;
  request.argv = {worker.string(), "--calibrate", "--json", file.string()};
  request.time_limit = kCalibrationLimit;
  CUPILOT_TRY(done, run_process(request));
  if (!done.ok())
    return fail("cupilot-worker --calibrate: " + (done.err.empty() ? done.describe() : done.err));
  return read_file(file);
}

Result<int> calibrate(const CalibrateOptions &options) {
  auto text = measure();
  if (!text) {
    std::string &message = text.error().message;
    while (message.ends_with('\n')) message.pop_back();
    return std::unexpected(text.error());
  }
  CUPILOT_TRY(figures, emulate::estimate::read_calibration(*text));
  CUPILOT_TRY(table,
              emulate::estimate::derive_table(figures, "calibrated: cupilot calibrate on " + figures.device));
  CUPILOT_TRY(to, destination(options, table));
  CUPILOT_CHECKED(write_file_atomic(to, emulate::estimate::device_table_json(table)));
  const report::Json json = {{"cupilot_calibrate", 1},
                             {"device", table.name},
                             {"architecture", table.architecture},
                             {"table", to.string()}};
  const std::string text_form =
      fmt::format("{} ({}): copies {:.0f} GB/s, reads {:.0f} GB/s\n{}\n", table.name, table.architecture,
                  table.values.at("dram_gbs"), table.values.at("dram_read_gbs"), to.string());
  CUPILOT_CHECKED(options.json ? report::print(json) : report::print(text_form));
  return 0;
}

}  // namespace

Verb add_calibrate(CLI::App &app) {
  const auto options = std::make_shared<CalibrateOptions>();
  auto *command =
      app.add_subcommand("calibrate", "Measure this machine's GPU, so that estimates fit it better");
  command->footer(kCalibrateHelp);
  command->add_option("--out", options->out, "Write the device table to this file")->type_name("FILE");
  command->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options](const auto &) { return calibrate(*options); }};
}

}  // namespace cupilot::cli
