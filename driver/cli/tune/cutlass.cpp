// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune/cutlass.h"

#include <cstdlib>

#include "annotate/support/process.h"
#include "annotate/support/text.h"

namespace cupilot::cli::tune {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPythonLimit{20};

/// Where the packages nvidia-cutlass, nvidia-cutlass-dsl and cutlass put the headers.
constexpr const char *kPackagesScript = R"(import glob, os, sys
for folder in sys.path:
    for name in ("cutlass_library/source", "nvidia_cutlass*", "nvidia_cutlass*/*", "cutlass", "cutlass/*"):
        for found in sorted(glob.glob(os.path.join(folder, name, "include"))):
            if os.path.exists(os.path.join(found, "cute", "tensor.hpp")):
                print(found); sys.exit(0)
)";

std::optional<fs::path> with_cute(const fs::path &folder) {
  std::error_code failed;
  if (fs::exists(folder / "cute" / "tensor.hpp", failed)) return folder;
  return std::nullopt;
}

/// `#include <cute/...>` and `<cutlass/...>`; user headers are part of the slice.
bool includes_cute(const std::string &slice) {
  for (const auto &line : split_lines(slice)) {
    const auto text = trim(line);
    if (!text.starts_with('#') || text.find("include") == std::string_view::npos) continue;
    if (text.find("<cute/") != std::string_view::npos || text.find("<cutlass/") != std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

std::optional<fs::path> find_cutlass_headers() {
  if (const char *folder = std::getenv("CUTLASS_DIR"); folder && *folder) {
    if (const auto found = with_cute(fs::path(folder) / "include")) return found;
    return with_cute(folder);
  }
  const auto answer = run_process({.argv = {"python3", "-c", kPackagesScript}, .time_limit = kPythonLimit});
  if (!answer || !answer->ok()) return std::nullopt;
  const auto path = trim(answer->out);
  return path.empty() ? std::nullopt : std::optional<fs::path>(path);
}

Result<void> check_cute(const std::vector<project::ProjectKernel> &kernels) {
  for (const auto &kernel : kernels) {
    if (includes_cute(kernel.spec.slice)) continue;
    const auto headers = find_cutlass_headers();
    const auto target = kernel.target.empty() ? "TARGET" : kernel.target;
    return user_error("--dialect cute: a variant sees what its kernel's file includes, and the file of '" +
                      kernel.spec.name + "' does not include CuTe; add #include <cute/tensor.hpp> to " +
                      kernel.spec.place.file + " and target_include_directories(" + target +
                      " SYSTEM PRIVATE " +
                      (headers ? headers->string()
                               : "CUTLASS/include) (no CUTLASS headers were found: set CUTLASS_DIR, or "
                                 "install the Python package "
                                 "nvidia-cutlass") +
                      ")");
  }
  return {};
}

}  // namespace cupilot::cli::tune
