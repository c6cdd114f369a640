// SPDX-License-Identifier: Apache-2.0
// The small instructions around memory: fences, hints, questions about addresses. Private to machine/.

#pragma once

#include <optional>
#include <string>

#include "evolution/emulate/program/binding.h"

namespace cupilot::emulate {

std::optional<Binding> bind_memory_minor(const BindRequest &request, std::string &why);

}  // namespace cupilot::emulate
