// SPDX-License-Identifier: Apache-2.0
//
// -fno-gnu-unique keeps the symbols of original and candidate separate when one process loads both.
#include "evolution/judge/tools/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <span>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/judge/screen/binary_screen.h"
#include "evolution/judge/tools/compiler_run.h"
#include "evolution/judge/tools/short_paths.h"
#include "evolution/judge/tools/traced_host.h"

namespace cupilot::judge::tools {

namespace {

constexpr std::size_t kMostLogBytes = 16 << 10;
constexpr std::chrono::seconds kListingLimit{20};
/// The number before `word` in "0 bytes stack frame, 8 bytes spill stores".
int number_before(std::string_view line, std::string_view word) {
  const auto at = line.find(word);
  if (at == std::string_view::npos) return 0;
  auto begin = at;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
  return std::atoi(std::string(line.substr(begin, at - begin)).c_str());
}

bool is_information(std::string_view line) {
  return line.starts_with("ptxas info") || line.find("bytes stack frame") != std::string_view::npos;
}

}  // namespace

std::vector<launches::KernelResources> parse_ptxas(const std::string &log) {
  std::vector<launches::KernelResources> kernels;
  for (const auto &line : split_lines(log)) {
    static constexpr std::string_view kStart = "Compiling entry function '";
    if (const auto at = line.find(kStart); at != std::string::npos) {
      const auto begin = at + kStart.size();
      kernels.push_back({std::string(line.substr(begin, line.find('\'', begin) - begin))});
      continue;
    }
    if (kernels.empty()) continue;
    launches::KernelResources &kernel = kernels.back();
    if (line.find("spill stores") != std::string::npos)
      kernel.spill_bytes =
          std::max(number_before(line, " bytes spill stores"), number_before(line, " bytes spill loads"));
    if (line.find("Used ") != std::string::npos) {
      kernel.registers = number_before(line, " registers");
      kernel.shared_bytes = number_before(line, " bytes smem");
    }
  }
  return kernels;
}

std::string compiler_talk(const std::string &log) {
  std::string talk;
  for (const auto &line : split_lines(log)) {
    if (is_information(line) || trim(line).empty()) continue;
    talk += std::string(line) + "\n";
    if (talk.size() > kMostLogBytes) return talk.substr(0, kMostLogBytes) + "...\n";
  }
  return talk;
}

std::vector<std::string> build_command(const Recipe &recipe, const std::filesystem::path &folder) {
  std::vector<std::string> command{nvcc_program(), "-shared", "-Xcompiler", "-fPIC,-fno-gnu-unique",
                                   "-lineinfo",    "-Xptxas", "-v",         "-no-compress"};
  command.insert(command.end(), recipe.options.begin(), recipe.options.end());
  command.insert(command.end(), recipe.bundle.flags.begin(), recipe.bundle.flags.end());
  command.insert(command.end(), {"-I", (recipe.bundle_folder / "include").string(), "-o",
                                 (folder / "entry.so").string(), (folder / "entry.cu").string()});
  return command;
}

namespace {

/// What a person can do about a build that ran into one of our fences; empty when it did not.
std::string fence_hint(const std::string &log) {
  const auto says = [&](std::string_view words) { return log.find(words) != std::string::npos; };
  if (says("File size limit exceeded") || says("File too large"))
    return "the compiler reached its limit for the size of a file, CUPILOT_COMPILER_FILE_MB\n";
  if (says("out of memory") || says("annot allocate memory") || says("bad_alloc") ||
      says("emory exhausted") || says("emory allocation fail"))
    return "the compiler may have reached its limit of memory, CUPILOT_COMPILER_MEMORY_MB\n";
  if (says("Permission denied"))
    return "the compiler may read the toolkit, the host compiler, system headers, the bundle and the folders "
           "named in flags; more folders can be named in CUPILOT_COMPILER_FILES\n";
  return {};
}

/// The innermost first.
std::vector<NamedFolder> named_folders(const Recipe &recipe, const std::filesystem::path &folder) {
  std::vector<NamedFolder> all{{folder, "<build>"}, {recipe.bundle_folder, "<bundle>"}};
  const auto program = find_program(nvcc_program());
  if (!program) return all;
  std::error_code none;
  for (const auto &place : {*program, std::filesystem::canonical(*program, none)})
    if (const auto root = place.parent_path().parent_path(); root != "/usr")
      all.push_back({root, "<toolkit>"});
  return all;
}

std::filesystem::path listing_program(const std::string &nvcc) {
  const auto compiler = find_program(nvcc).value_or(nvcc);
  std::error_code none;
  const auto beside = std::filesystem::canonical(compiler, none).parent_path() / "cuobjdump";
  return std::filesystem::exists(beside, none) ? beside : find_program("cuobjdump").value_or("");
}

/// The kernels of a built library as text, for the stage "screen": the PTX, which the workers' builds leave
/// uncompressed. For a library with machine code only, runs cuobjdump, if it is beside `nvcc` or in PATH.
/// Empty: the code is not available.
std::string device_text(const std::filesystem::path &library, const std::string &nvcc) {
  const auto bytes = read_file(library);
  if (!bytes) return {};
  if (auto ptx = screen::uncompressed_ptx(std::as_bytes(std::span(*bytes))); !ptx.empty()) return ptx;
  const auto program = listing_program(nvcc);
  if (program.empty()) return {};
  ProcessRequest request;
  request.argv = {program.string(), "-ptx", "-sass", library.string()};
  request.time_limit = kListingLimit;
  const auto answer = run_process(request);
  return answer && answer->ok() ? answer->out : std::string();
}

}  // namespace

std::string nvcc_program() {
  if (const char *chosen = std::getenv("CUPILOT_NVCC")) return chosen;
  if (const char *home = std::getenv("CUDA_HOME")) return std::string(home) + "/bin/nvcc";
  return find_program("nvcc") ? "nvcc" : "/usr/local/cuda/bin/nvcc";
}

Result<Built> build_entry(const Recipe &recipe, const std::filesystem::path &folder) {
  const model::JudgeRequest &limits = recipe.bundle.request;
  ProcessRequest request;
  request.argv = build_command(recipe, folder);
  request.folder = folder;
  request.time_limit = std::chrono::milliseconds(static_cast<long long>(limits.build_seconds * 1000));
  const bool traced = recipe.traced && is_candidate(folder);
  if (traced) keep_host_code(request.argv, folder);
  CUPILOT_TRY(result, run_compiler(request, recipe.bundle_folder, folder));
  Built built;
  built.ok = result.ok();
  built.timed_out = result.timed_out;
  built.library = folder / "entry.so";
  built.report.seconds = std::chrono::duration<double>(result.wall).count();
  const std::string log = short_paths(result.err + result.out, named_folders(recipe, folder));
  built.report.log = compiler_talk(log);
  if (!built.ok) built.report.log += fence_hint(log);
  if (built.timed_out) built.report.log += fmt::format("nvcc was ended after {:f} s\n", limits.build_seconds);
  built.kernels = parse_ptxas(log);
  if (built.ok) built.code = device_text(built.library, nvcc_program());
  if (traced) built.host = traced_host(recipe, folder, built.ok);
  return built;
}

void add_resources(model::BuildReport &report, const std::vector<launches::KernelResources> &kernels,
                   const std::vector<launches::KernelResources> &originals) {
  const auto is_original = [&](const launches::KernelResources &kernel) {
    return std::ranges::find(originals, kernel.symbol, &launches::KernelResources::symbol) != originals.end();
  };
  const bool all = std::ranges::all_of(kernels, is_original);
  for (const launches::KernelResources &kernel : kernels) {
    if (!all && is_original(kernel)) continue;
    report.registers = std::max(report.registers, kernel.registers);
    report.spill_bytes = std::max(report.spill_bytes, kernel.spill_bytes);
    report.static_shared_bytes = std::max(report.static_shared_bytes, kernel.shared_bytes);
  }
}

}  // namespace cupilot::judge::tools
