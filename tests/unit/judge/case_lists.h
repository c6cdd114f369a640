// SPDX-License-Identifier: Apache-2.0
//
// What the tests of cases ask a list of them, and a kernel that reads several inputs.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/cases/cases.h"
#include "tests/fakes/sample_spec.h"

namespace cupilot {

inline std::vector<std::string> ids(const std::vector<model::Case> &cases) {
  std::vector<std::string> all;
  for (const auto &one : cases) all.push_back(one.id);
  return all;
}
inline const model::Case &by_id(const std::vector<model::Case> &cases, std::string_view id) {
  return *std::ranges::find(cases, id, &model::Case::id);
}
inline std::int64_t integer_of(const model::Case &one, const std::string &name) {
  return std::get<std::int64_t>(one.scalars.at(name));
}

/// scale_spec with further inputs.
inline spec::KernelSpec reading_spec(const std::vector<std::pair<std::string, std::string>> &inputs) {
  auto spec = fake::scale_spec();
  for (const auto &[name, extent] : inputs) {
    spec.parameters.push_back(fake::pointer(name, "const float *", true));
    spec.workloads[0].buffers.push_back(fake::use(name, spec::BufferRole::in, extent));
  }
  return spec;
}

}  // namespace cupilot
