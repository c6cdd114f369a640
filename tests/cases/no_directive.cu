// SPDX-License-Identifier: Apache-2.0
// The word cupilot alone is no directive, and nothing is parsed.
#include "file_that_does_not_exist.h"
__global__ void k(float *y, int n) {}
//= exit code 0
