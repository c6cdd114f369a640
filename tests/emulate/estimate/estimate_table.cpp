// SPDX-License-Identifier: Apache-2.0
//
// estimate_table [--sources FOLDER] [--measured FILE] [--group old|fresh|all] [--device NAME] [--parts]
// [--compiled FOLDER] [NAME...]
//
// Compiles the reference kernels to PTX with nvcc, estimates each at the size it was measured at, and prints
// two tables: the 30 kernels the model was tuned with, and the fresh ones it never saw. With --most-error and
// --least-spearman it exits 1 when a table is worse. Exit 77: no nvcc.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "evolution/emulate/estimate/estimate.h"
#include "evolution/emulate/lanes/families.h"
#include "evolution/emulate/ptx/parser.h"
#include "tests/emulate/estimate/reference_cases.h"
#include "tests/emulate/estimate/reference_score.h"

namespace cupilot::reference {
using namespace cupilot::emulate::estimate;
using namespace cupilot::emulate::lanes;
using namespace cupilot::emulate::machine;
using namespace cupilot::emulate::memory;
using namespace cupilot::emulate::program;

namespace {

using namespace cupilot::emulate;

struct Options {
  std::string sources = CUPILOT_SOURCES;
  std::string measured = CUPILOT_SOURCES "/tests/emulate/estimate/measured_h200.json", compiled,
              group = "all", device = "sm_90_h200", nvcc = "nvcc";
  bool parts = false;
  double most_error = 0, least_spearman = 0;  ///< of each table; 0: any will do
  std::vector<std::string> names;
};

/// One compiled source: its program and what ptxas said of each kernel.
struct Compiled {
  std::shared_ptr<const Program> program;
  std::map<std::string, KernelResource> resources;
};

Result<std::string> nvcc(const Options &options, const std::vector<std::string> &arguments) {
  ProcessRequest request;
  request.argv = {options.nvcc, "-arch=sm_90", "-std=c++17", "-I" + options.sources};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  request.time_limit = std::chrono::minutes(20);
  CUPILOT_TRY(done, run_process(request));
  if (done.exit_code != 0) return fail("nvcc: " + done.err);
  return done.err + done.out;
}

std::map<std::string, KernelResource> read_resources(const std::string &text) {
  std::map<std::string, KernelResource> found;
  static const std::regex line(
      "Compiling entry function '([^']+)'|Used ([0-9]+) registers(.*)|([0-9]+) bytes spill stores");
  std::string kernel;
  for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at) {
    if ((*at)[1].matched) kernel = (*at)[1];
    if ((*at)[2].matched) found[kernel].registers = std::stoi((*at)[2]);
    if ((*at)[4].matched) found[kernel].spill_bytes = std::stoi((*at)[4]);
  }
  return found;
}

/// Leaves PTX and ptxas' words in the folder; a folder that has them is not compiled into again.
Result<Compiled> compile(const Options &options, const std::string &source,
                         const std::filesystem::path &folder) {
  const std::string file = options.sources + "/tests/emulate/estimate/" + source + ".cu";
  const auto ptx = folder / (source + ".ptx"), said = folder / (source + ".txt");
  if (!std::filesystem::exists(said)) {
    CUPILOT_TRY(nothing, nvcc(options, {"-ptx", file, "-o", ptx.string()}));
    const auto cubin = folder / (source + ".cubin");
    CUPILOT_TRY(resources, nvcc(options, {"-cubin", "-Xptxas", "-v", file, "-o", cubin.string()}));
    CUPILOT_CHECKED(write_file_atomic(said, resources));
  }
  CUPILOT_TRY(text, read_file(ptx));
  CUPILOT_TRY(resources, read_file(said));
  CUPILOT_TRY(module, emulate::ptx::parse(std::move(text), ptx.string()));
  CUPILOT_TRY(program, decode(std::make_shared<const emulate::ptx::Module>(std::move(module)), families()));
  return Compiled{program, read_resources(resources)};
}

Result<std::uint64_t> make_buffer(Memory &memory, const Argument &argument) {
  CUPILOT_TRY(address, memory.allocate(argument.bytes, "a buffer"));
  auto *words = reinterpret_cast<std::uint32_t *>(address);
  if (argument.fill != Fill::none)
    for (std::uint32_t i = 0; i < argument.bytes / 4; ++i)
      words[i] = fill_word(argument.fill, i, argument.limit);
  else if (argument.bytes <= 65536)
    std::memset(words, 0, argument.bytes);
  return address;
}

Result<LaunchEstimate> estimate(const Compiled &compiled, const ReferenceCase &which,
                                const DeviceTable &device) {
  const auto entry = compiled.program->entries.find(which.kernel);
  if (entry == compiled.program->entries.end()) return fail("no kernel " + which.kernel);
  const FunctionCode &code = compiled.program->functions[entry->second];
  if (!code.unsupported.empty())
    return fail("not supported: " + compiled.program->unsupported[code.unsupported.front()].what);
  CUPILOT_TRY(memory, Memory::make());
  CUPILOT_TRY(loaded, LoadedProgram::load(compiled.program, *memory));
  std::vector<std::byte> parameters(code.parameter_bytes);
  for (std::size_t i = 0; i < which.arguments.size(); ++i) {
    const Argument &argument = which.arguments[i];
    std::byte *to = parameters.data() + code.parameters[i].offset;
    if (argument.kind == Argument::Kind::integer) std::memcpy(to, &argument.integer, 4);
    if (argument.kind == Argument::Kind::real) std::memcpy(to, &argument.real, 4);
    if (argument.kind != Argument::Kind::buffer) continue;
    CUPILOT_TRY(address, make_buffer(*memory, argument));
    std::memcpy(to, &address, 8);
  }
  LaunchRequest request;
  request.function = entry->second;
  request.grid = which.grid;
  request.block = which.block;
  request.dynamic_shared_bytes = which.shared_bytes;
  request.parameters = parameters;
  const auto resource = compiled.resources.find(which.kernel);
  return estimate_launch(*loaded, *memory, request,
                         resource == compiled.resources.end() ? KernelResource{} : resource->second, device);
}

void print_row(const Row &row, const LaunchEstimate &estimate, double seconds, bool parts) {
  std::printf("%-22s %10.1f %10.1f %8.2f  %-8s %5.2f s\n", row.name.c_str(), row.measured, row.estimated,
              row.estimated / row.measured, estimate.bound.c_str(), seconds);
  if (!parts) return;
  std::printf("    occupancy %.2f dram %.1f MB l2 %.1f MB instructions %.3g blocks %llu of %llu\n    ",
              estimate.occupancy, estimate.dram_bytes / 1e6, estimate.l2_bytes / 1e6, estimate.instructions,
              static_cast<unsigned long long>(estimate.blocks_run),
              static_cast<unsigned long long>(estimate.blocks));
  for (const auto &[name, time] : estimate.parts_us) std::printf("%s %.1f  ", name.c_str(), time);
  std::printf("\n");
}

/// One table; false when a kernel could not be estimated.
bool print_table(const char *title, bool fresh, const Options &options,
                 const std::map<std::string, double> &measured, const std::map<bool, Compiled> &compiled,
                 const DeviceTable &device) {
  std::printf("%s (us)\n%-22s %10s %10s %8s\n", title, "kernel", "measured", "EST", "EST/meas");
  std::vector<Row> rows;
  bool complete = true;
  for (const ReferenceCase &which : reference_cases()) {
    const bool named =
        options.names.empty() || std::ranges::find(options.names, which.name) != options.names.end();
    if (which.fresh != fresh || !named || !measured.contains(which.name)) continue;
    const auto start = std::chrono::steady_clock::now();
    const auto found = estimate(compiled.at(fresh), which, device);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (!found) {
      std::printf("%-22s %s\n", which.name.c_str(), found.error().message.c_str());
      complete = false;
      continue;
    }
    rows.push_back({which.name, measured.at(which.name), found->time_us});
    print_row(rows.back(), *found, seconds.count(), options.parts);
    std::fflush(stdout);
  }
  if (rows.size() < 2) return complete;
  const double rank = spearman(rows), error = geometric_error(rows);
  std::printf("%zu kernels, Spearman %.3f, geometric mean error %.2fx\n\n", rows.size(), rank, error);
  return complete && rank >= options.least_spearman &&
         (options.most_error <= 0 || error <= options.most_error);
}

Result<bool> run(const Options &options) {
  CUPILOT_TRY(text, read_file(options.measured));
  const auto measured = read_measured(text);
  CUPILOT_TRY(device, device_table(options.device));
  CUPILOT_TRY(folder, TemporaryFolder::create("cupilot-estimate"));
  std::map<bool, Compiled> compiled;
  for (const bool fresh : {false, true}) {
    if (options.group == (fresh ? "old" : "fresh")) continue;
    CUPILOT_TRY(one,
                compile(options, fresh ? "reference_fresh" : "reference_kernels",
                        options.compiled.empty() ? folder.path() : std::filesystem::path(options.compiled)));
    compiled.emplace(fresh, std::move(one));
  }
  std::printf("%s, %s\n", device.name.c_str(), device.source.c_str());
  bool complete = true;
  if (compiled.contains(false))
    complete &= print_table("Kernels the model was tuned with", false, options, measured, compiled, device);
  if (compiled.contains(true))
    complete &= print_table("Fresh kernels", true, options, measured, compiled, device);
  return complete;
}

}  // namespace

}  // namespace cupilot::reference

int main(int argc, char **argv) {
  cupilot::reference::Options options;
  const std::map<std::string, std::string *> known{
      {"--sources", &options.sources}, {"--measured", &options.measured}, {"--group", &options.group},
      {"--device", &options.device},   {"--compiled", &options.compiled}, {"--nvcc", &options.nvcc}};
  for (int i = 1; i < argc; ++i) {
    const auto option = known.find(argv[i]);
    if (option != known.end() && i + 1 < argc)
      *option->second = argv[++i];
    else if (std::string(argv[i]) == "--most-error" && i + 1 < argc)
      options.most_error = std::atof(argv[++i]);
    else if (std::string(argv[i]) == "--least-spearman" && i + 1 < argc)
      options.least_spearman = std::atof(argv[++i]);
    else if (std::string(argv[i]) == "--parts")
      options.parts = true;
    else
      options.names.emplace_back(argv[i]);
  }
  if (!cupilot::find_program(options.nvcc)) return std::puts("skipped: no nvcc here"), 77;
  const auto done = cupilot::reference::run(options);
  if (!done) return std::fprintf(stderr, "estimate_table: error: %s\n", done.error().message.c_str()), 1;
  return *done ? 0 : 1;
}
