// SPDX-License-Identifier: Apache-2.0
//
// The fill that describes what a buffer was seen to hold.

#pragma once

#include <optional>
#include <string>

#include "annotate/spec/kernel_spec.h"
#include "evolution/capture/seen.h"

namespace cupilot::capture {

/// "normal(0, 1.02)", or "" where the default data will do; nullopt: no fill can say it, and other data would
/// not be an input of the kernel (offsets into other buffers).
std::optional<std::string> fill_of(const Contents &contents, const spec::Parameter &parameter,
                                   spec::BufferRole role);

}  // namespace cupilot::capture
