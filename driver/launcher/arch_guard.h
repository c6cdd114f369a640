// SPDX-License-Identifier: Apache-2.0
//
// Bodies of a variant's kernels behind `#if __CUDA_ARCH__`: in a build for several architectures every kernel
// must exist in every pass, for the host registers it, but only the pass of the variant's own architecture
// may see its code.

#pragma once

#include <string>
#include <string_view>

namespace cupilot::launcher {

/// "!defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 900" for "sm_90"; the host pass keeps the body.
std::string arch_condition(std::string_view arch);

/// Lexical: knows comments, strings, raw strings and brackets, nothing else of C++.
std::string guard_kernel_bodies(std::string_view variant, std::string_view arch);

}  // namespace cupilot::launcher
