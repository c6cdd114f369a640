// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/least.h"

#include <algorithm>
#include <string>

namespace cupilot::search {
namespace {

double bytes_of(const spec::KernelSpec &spec, const model::Case &one) {
  double bytes = 0;
  for (const model::CaseBuffer &buffer : one.buffers) {
    const auto parameter = std::ranges::find(spec.parameters, buffer.parameter, &spec::Parameter::name);
    const double size =
        static_cast<double>(buffer.elements) *
        (parameter == spec.parameters.end() ? 0.0 : static_cast<double>(parameter->element_bytes));
    bytes += buffer.role == spec::BufferRole::inout     ? 2 * size
             : buffer.role == spec::BufferRole::scratch ? 0
                                                        : size;
  }
  return bytes;
}

}  // namespace

Least least_of(const spec::KernelSpec &spec, const model::Case &one) {
  schedule::Values values(one.scalars.begin(), one.scalars.end());
  for (std::size_t i = 0; i < one.grid.size(); ++i) {
    const std::string axis(1, "xyz"[i]);
    values["grid." + axis] = std::int64_t{one.grid[i]};
    values["block." + axis] = std::int64_t{one.block[i]};
  }
  return {.bytes = bytes_of(spec, one), .work = schedule::work_of(spec.lifted, values)};
}

}  // namespace cupilot::search
