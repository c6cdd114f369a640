// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/project/programs.h"

#include <cstdlib>

#include "annotate/support/process.h"

namespace cupilot::cli::project {
namespace {

Result<std::filesystem::path> find(const std::string &name, const char *variable,
                                   const std::string &way_out) {
  if (const char *asked = std::getenv(variable); asked && *asked) {
    if (const auto found = find_program(asked)) return *found;
    return user_error(std::string(variable) + " names '" + asked + "', which is not a program");
  }
  const auto beside = own_folder() / name;
  if (const auto found = find_program(beside.string())) return *found;
  if (const auto found = find_program(name)) return *found;
  return fail("cannot find " + name + " beside cupilot or in PATH; " + way_out + ", or set " + variable);
}

}  // namespace

Result<std::filesystem::path> find_annotate() {
  return find("cupilot-annotate", "CUPILOT_ANNOTATE",
              "install the part with Clang (CUPILOT_BUILD_ANNOTATE=ON)");
}

Result<std::filesystem::path> find_worker() {
  return find("cupilot-worker", "CUPILOT_WORKER",
              "install the part for GPU machines (CUPILOT_BUILD_WORKER=ON)");
}

Result<std::filesystem::path> find_emulate() {
  return find("cupilot-emulate", "CUPILOT_EMULATE_PROGRAM",
              "install the CPU executor (CUPILOT_BUILD_EMULATE=ON)");
}

Result<std::filesystem::path> find_launcher() {
  return find("cupilot-cc", "CUPILOT_CC", "it is installed with cupilot");
}

}  // namespace cupilot::cli::project
