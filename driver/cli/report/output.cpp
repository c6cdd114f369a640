// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/report/output.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "annotate/support/text.h"

namespace cupilot::cli::report {

Result<void> print_exactly(const std::string &text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return {};
  return fail("cannot write to the standard output");
}

Result<void> print(const std::string &text) {
  return print_exactly(printable(text));
}

Result<void> print(const Json &json) {
  // Names and messages may contain bytes that are not UTF-8; these are replaced instead of throwing an
  // exception.
  return print_exactly(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string short_place(const project::ProjectKernel &kernel) {
  const auto &place = kernel.spec.place;
  const auto below =
      std::filesystem::path(place.file).lexically_relative(kernel.records.parent_path()).string();
  const auto &file = below.empty() || below.starts_with("../../") ? place.file : below;
  return file + ":" + std::to_string(place.line);
}

}  // namespace cupilot::cli::report
