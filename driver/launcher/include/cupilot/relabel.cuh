// SPDX-License-Identifier: Apache-2.0
//
// The first part of the wrapper that cupilot-cc compiles instead of a user's file. It gives other assembler
// labels to the runtime's launch functions, so every launch of this translation unit goes through
// dispatch.cuh, which is included after the user's file. The real functions stay reachable as cupilot_real_*.
// The user's file is not changed.
//
// A kernel's stub calls different functions: with CUDA 13 it calls __cudaGetKernel once and then
// __cudaLaunchKernel; with CUDA 12 and with __NV_LEGACY_LAUNCH it calls cudaLaunchKernel. With a default
// stream per thread the names end in _ptsz.

#include <cuda_runtime.h>

#if !defined(__NV_LEGACY_LAUNCH)
#define CUPILOT_LAUNCHES_BY_HANDLE 1
#endif

#if defined(__CUDART_API_PER_THREAD_DEFAULT_STREAM)
#define CUPILOT_ENTRY(name) name##_ptsz
#define CUPILOT_ENTRY_LABEL(name) __asm__(name "_ptsz")
#else
#define CUPILOT_ENTRY(name) name
#define CUPILOT_ENTRY_LABEL(name) __asm__(name)
#endif

// the runtime's header turns these names into macros when the default stream is per thread
#pragma push_macro("cudaLaunchKernel")
#pragma push_macro("cudaLaunchKernelExC")
#undef cudaLaunchKernel
#undef cudaLaunchKernelExC

extern "C" {
cudaError_t CUPILOT_ENTRY(cudaLaunchKernel)(const void *, dim3, dim3, void **, size_t,
                                            cudaStream_t) __asm__("cupilot_launch_function");
cudaError_t CUPILOT_ENTRY(cudaLaunchKernelExC)(const cudaLaunchConfig_t *, const void *,
                                               void **) __asm__("cupilot_launch_extended");
cudaError_t cupilot_real_launch_function(const void *, dim3, dim3, void **, size_t, cudaStream_t)
    CUPILOT_ENTRY_LABEL("cudaLaunchKernel");
cudaError_t cupilot_real_launch_extended(const cudaLaunchConfig_t *, const void *, void **)
    CUPILOT_ENTRY_LABEL("cudaLaunchKernelExC");
#if CUPILOT_LAUNCHES_BY_HANDLE
cudaError_t __cudaGetKernel(cudaKernel_t *, const void *) __asm__("cupilot_get_kernel");
cudaError_t CUPILOT_ENTRY(__cudaLaunchKernel)(cudaKernel_t, dim3, dim3, void **, size_t,
                                              cudaStream_t) __asm__("cupilot_launch_kernel");
cudaError_t cupilot_real_get_kernel(cudaKernel_t *, const void *) __asm__("__cudaGetKernel");
cudaError_t cupilot_real_launch_kernel(cudaKernel_t, dim3, dim3, void **, size_t, cudaStream_t)
    CUPILOT_ENTRY_LABEL("__cudaLaunchKernel");
#endif
}

#pragma pop_macro("cudaLaunchKernel")
#pragma pop_macro("cudaLaunchKernelExC")
