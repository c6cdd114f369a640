// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/entry.h"

#include <cstring>

namespace cupilot::judge::launches {

Result<Arguments> Arguments::make(const std::vector<spec::Parameter> &parameters, const model::Case &which,
                                  const cases::CaseLayout &layout,
                                  const std::vector<std::uint64_t> &addresses) {
  Arguments arguments;
  arguments.values_.resize(parameters.size());
  arguments.moved_ = layout.placement == cases::Placement::moved;
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    auto &value = arguments.values_[layout.buffers[i].parameter];
    arguments.pointers_.push_back(static_cast<std::uint32_t>(layout.buffers[i].parameter));
    arguments.pointer_bytes_.push_back(layout.buffers[i].bytes);
    value.resize(sizeof addresses[i]);
    std::memcpy(value.data(), &addresses[i], sizeof addresses[i]);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].pointer) continue;
    CUPILOT_TRY(value, cases::scalar_argument(parameters[i], which, layout.promoted));
    arguments.values_[i] = std::move(value);
  }
  return arguments;
}

}  // namespace cupilot::judge::launches
