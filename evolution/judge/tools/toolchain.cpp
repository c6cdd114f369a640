// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/toolchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "annotate/support/compile_options.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"

namespace cupilot::judge::tools {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds kAnswerLimit{20};

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// Where a compiler may be, the most specific first.
std::vector<std::string> candidates(const spec::CompileCommand &command) {
  std::vector<std::string> all;
  if (const auto chosen = environment("CUPILOT_NVCC"); !chosen.empty()) all.push_back(chosen);
  if (fs::path(command.compiler).filename().string().starts_with("nvcc")) all.push_back(command.compiler);
  if (const auto named = environment("CUDACXX"); fs::path(named).filename().string().starts_with("nvcc"))
    all.push_back(named);
  all.push_back("nvcc");
  for (const auto *root : {"CUDA_HOME", "CUDA_PATH"})
    if (const auto folder = environment(root); !folder.empty()) all.push_back(folder + "/bin/nvcc");
  all.push_back("/usr/local/cuda/bin/nvcc");
  return all;
}

Result<std::string> output_of(std::vector<std::string> argv) {
  ProcessRequest request;
  request.argv = std::move(argv);
  request.time_limit = kAnswerLimit;
  CUPILOT_TRY(answer, run_process(request));
  if (!answer.ok()) return fail(fmt::format("'{}' failed: {}", join(request.argv, " "), answer.describe()));
  return std::move(answer.out);
}

/// "Cuda compilation tools, release 13.0, V13.0.88" -> "13.0.88".
std::string version_in(const std::string &text) {
  const auto at = text.find(", V");
  if (at == std::string::npos) return {};
  const auto from = at + 3;
  return text.substr(from, text.find_first_not_of("0123456789.", from) - from);
}

/// "g++ (Debian 12.2.0-14) 12.2.0" -> "g++ 12.2.0".
std::string host_compiler(const spec::CompileCommand &command) {
  const auto line = parse_compile_line(command.flags, command.folder);
  auto host = line ? line->last(OptionRole::compiler_bindir) : std::string();
  if (host.empty()) host = environment("NVCC_CCBIN");
  if (host.empty()) host = "g++";
  std::error_code ignored;
  if (fs::is_directory(host, ignored)) host += "/g++";
  const auto answer = output_of({host, "-dumpfullversion", "-dumpversion"});
  if (!answer) return fs::path(host).filename().string();
  return fmt::format("{} {}", fs::path(host).filename().string(), trim(*answer));
}

}  // namespace

std::string Toolchain::describe() const {
  return fmt::format("nvcc {}{}{}", nvcc_version, host.empty() ? "" : ", ", host);
}

Result<Toolchain> find_toolchain(const spec::CompileCommand &command) {
  std::vector<std::string> tried;
  for (const auto &candidate : candidates(command)) {
    const auto program = find_program(candidate);
    if (!program) {
      tried.push_back(candidate);
      continue;
    }
    auto answer = output_of({program->string(), "--version"});
    if (!answer) return within("asking the compiler for its version", answer.error());
    return Toolchain{*program, version_in(*answer), host_compiler(command)};
  }
  return fail(
      fmt::format("no CUDA compiler was found (looked for {}); install the CUDA toolkit (12.8 or newer) or "
                  "put nvcc into PATH",
                  join(tried, ", ")));
}

Result<std::string> local_architecture() {
  const std::string remedy =
      "; run the bundle on a machine with one (--executor folder), or name the architecture with --arch";
  const auto answer = output_of({"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"});
  if (!answer) return fail(fmt::format("no NVIDIA GPU here ({}){}", answer.error().message, remedy));
  const auto lines = split_lines(*answer);
  std::string capability = lines.empty() ? "" : std::string(trim(lines[0]));
  std::erase(capability, '.');
  const bool digits =
      !capability.empty() && std::ranges::all_of(capability, [](unsigned char c) { return std::isdigit(c); });
  if (!digits)
    return fail(fmt::format("no NVIDIA GPU here (nvidia-smi printed '{}'){}", trim(*answer), remedy));
  return "sm_" + capability;
}

}  // namespace cupilot::judge::tools
