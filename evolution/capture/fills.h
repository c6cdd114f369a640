// SPDX-License-Identifier: Apache-2.0
//
// The fill that describes what a buffer was seen to hold.

#pragma once

#include <string>

#include "annotate/spec/kernel_spec.h"
#include "evolution/capture/seen.h"

namespace cupilot::capture {

/// "normal(0, 1.02)", or "" where the default data will do. `above`: what is written for the number that all
/// whole numbers in the buffer are below of; empty: the number.
std::string fill_of(const Contents &contents, const spec::Parameter &parameter, spec::BufferRole role,
                    const std::string &above = "");

/// Whole numbers that never get smaller and are not all alike: offsets into another buffer, most likely.
bool is_sorted(const Contents &contents, const spec::Parameter &parameter);
/// Whether fill_of() gives a range of whole numbers for it.
bool has_whole_range(const Contents &contents, const spec::Parameter &parameter);

}  // namespace cupilot::capture
