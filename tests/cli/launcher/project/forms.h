// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

__global__ void plain(float *x, int n);

#pragma cupilot optimize name(in_header)
template <class T>
__global__ void in_header(T *x, int n) {
  x[0] = n;
}
template <class T>
void launch_in_header(T *x, int n) {
  in_header<T><<<n, 32>>>(x, n);
}

void second(float *x);
void untuned(float *x);
