// SPDX-License-Identifier: Apache-2.0
//
// Makes the twin: the kernel's slice with every floating type promoted to double. It is an oracle, which
// shows how much error the original's own rounding causes. Clang's AST tells what each word of the slice
// means. Types, literals, vector types, intrinsics and library functions of narrower types are replaced where
// they are written, also in macros; included headers stay unchanged. Buffers and floating scalars of the twin
// are doubles. Given the original's inputs, widened, it computes what the original would give without
// rounding.
//
// Some kernels have no twin: those that take the bits of a float apart, have class types with floats in
// buffers, have nothing to promote, or contain code that Clang does not understand. Then `missing` says why
// and where, and the judge compares with the original, within limits for the rounding of the type
// (evolution/judge/correct/compare.h).

#pragma once

#include "annotate/spec/kernel_spec.h"

namespace cupilot::rewrite {

spec::Twin make_twin(const spec::KernelSpec &spec);

}  // namespace cupilot::rewrite
