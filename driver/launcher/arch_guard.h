// SPDX-License-Identifier: Apache-2.0
//
// Puts the bodies of a variant's kernels behind `#if __CUDA_ARCH__`. In a build for several architectures the
// host registers every kernel, so every kernel must exist in every pass of the compiler; but only the pass of
// the variant's own architecture may see its code.

#pragma once

#include <string>
#include <string_view>

namespace cupilot::launcher {

/// "!defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 900" for "sm_90"; the host's pass keeps the body.
std::string arch_condition(std::string_view arch);

/// Works on tokens: it knows comments, literals and brackets, and nothing else of C++.
std::string guard_kernel_bodies(std::string_view variant, std::string_view arch);

}  // namespace cupilot::launcher
