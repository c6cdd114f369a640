// SPDX-License-Identifier: Apache-2.0
#include "forms.h"

#pragma cupilot optimize
__global__ void in_second(float *x, int n) {
  x[0] = n;
}

void second(float *x) {
  plain<<<3, 32>>>(x, 3);
  in_second<<<3, 32>>>(x, 3);
}
