// SPDX-License-Identifier: Apache-2.0
static __global__ void nothing_to_tune(float *x, int n) {
  x[0] = n;
}

void untuned(float *x) {
  nothing_to_tune<<<3, 32>>>(x, 3);
}
