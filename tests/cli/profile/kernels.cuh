// SPDX-License-Identifier: Apache-2.0
#pragma once
__global__ void from_elsewhere(float *x, int n);
void from_library(float *x, int n);
