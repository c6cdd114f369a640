// SPDX-License-Identifier: Apache-2.0
//
// The twin: the kernel's slice with every floating type promoted to double, an oracle for how much error the
// original's own rounding makes. What a word of the slice means is asked of Clang's AST: types, literals,
// vector types, intrinsics and the library's functions of narrower types are replaced where they are written
// (in macros, too), and what the slice includes stays as it is. Its buffers and floating scalars are doubles;
// what it computes on the original's inputs, widened, is what the original would give without rounding.
//
// Not every kernel has one: bits of a float taken apart, class types with floats in buffers, fp64 already,
// code that Clang does not understand. Then `missing` tells why and where, and the judge falls back to the
// type's rounding against the original (evolution/judge/correct/compare.h).

#pragma once

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

Twin make_twin(const KernelSpec &spec);

}  // namespace cupilot
