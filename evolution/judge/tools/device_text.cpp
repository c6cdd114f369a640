// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/tools/device_text.h"

#include <chrono>

#include "annotate/support/files.h"
#include "annotate/support/process.h"
#include "evolution/judge/screen/binary_screen.h"

namespace cupilot {

namespace {

constexpr std::chrono::seconds kListingLimit{20};

std::filesystem::path listing_program(const std::string &nvcc) {
  const auto compiler = find_program(nvcc).value_or(nvcc);
  std::error_code none;
  const auto beside = std::filesystem::canonical(compiler, none).parent_path() / "cuobjdump";
  return std::filesystem::exists(beside, none) ? beside : find_program("cuobjdump").value_or("");
}

}  // namespace

std::string device_text(const std::filesystem::path &library, const std::string &nvcc) {
  const auto bytes = read_file(library);
  if (!bytes) return {};
  if (auto ptx = uncompressed_ptx(std::as_bytes(std::span(*bytes))); !ptx.empty()) return ptx;
  const auto program = listing_program(nvcc);
  if (program.empty()) return {};
  ProcessRequest request;
  request.argv = {program.string(), "-ptx", "-sass", library.string()};
  request.time_limit = kListingLimit;
  const auto answer = run_process(request);
  return answer && answer->ok() ? answer->out : std::string();
}

}  // namespace cupilot
