// SPDX-License-Identifier: Apache-2.0
//
// The twin: the kernel's slice with every floating type promoted to double, an oracle for how much error the
// original's own rounding makes. Text to text: types, literals, vector types, intrinsics and the library's
// functions of narrower types are replaced token by token (in macros, too), and what the slice includes stays
// as it is. Its buffers and floating scalars are doubles; what it computes on the original's inputs, widened,
// is what the original would give without rounding.
//
// Not every kernel has one: bits of a float taken apart, class types with floats in buffers, fp64 already,
// shared memory that would no longer fit. Then `missing` says why, and the judge falls back to the type's
// rounding against the original (evolution/judge/correct/compare.h).

#pragma once

#include <string>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

struct Twin {
  std::string entry;    ///< text of twin/entry.cu; empty when `missing` is not
  std::string missing;  ///< "line 12: '__float_as_int' looks at the bits of a float"
};

Twin make_twin(const KernelSpec &spec);

}  // namespace cupilot
