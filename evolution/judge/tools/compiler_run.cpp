// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/compiler_run.h"

#include <fmt/format.h>

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "evolution/judge/tools/compiler_files.h"

namespace cupilot::judge::tools {

namespace {

/// Limits of the compiler, in MiB for each of its processes and each file. The largest CUTLASS kernels take
/// about 8 GiB.
constexpr std::uint64_t kMemoryMb = 16 << 10, kFileMb = 1 << 10;

/// An environment variable in MiB, as bytes; 0: no limit.
Result<std::uint64_t> mebibytes(const char *variable, std::uint64_t usual) {
  const char *text = std::getenv(variable);
  if (!text || !*text) return usual << 20;
  constexpr std::uint64_t kMost = 1ull << 40;
  std::uint64_t value = 0;
  const auto end = text + std::strlen(text);
  const auto [rest, problem] = std::from_chars(text, end, value);
  if (problem != std::errc() || rest != end || value > kMost)
    return user_error(fmt::format("{}='{}' is not a number of MiB; 0 takes the limit away", variable, text));
  return value << 20;
}

}  // namespace

Result<ProcessResult> run_compiler(ProcessRequest request, const std::filesystem::path &bundle,
                                   const std::filesystem::path &folder) {
  const auto scratch = folder / "tmp";
  std::error_code none;
  std::filesystem::create_directories(scratch, none);
  request.environment.emplace_back("TMPDIR", scratch.string());
  CUPILOT_TRY(memory, mebibytes("CUPILOT_COMPILER_MEMORY_MB", kMemoryMb));
  CUPILOT_TRY(file, mebibytes("CUPILOT_COMPILER_FILE_MB", kFileMb));
  request.most_memory_bytes = memory, request.most_file_bytes = file;
  const char *mode = std::getenv("CUPILOT_SANDBOX");
  if (!mode || !*mode) {
    const auto files = compiler_files(request.argv, bundle, folder);
    CUPILOT_TRY(rules, sandbox::make_file_rules(files));
    request.file_rules = rules;
  }
  auto result = run_process(request);
  if (request.file_rules >= 0) ::close(request.file_rules);
  std::filesystem::remove_all(scratch, none);
  return result;
}

}  // namespace cupilot::judge::tools
