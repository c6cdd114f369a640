// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload set(m = 4, n = 1 << 40, n = 3, y = 3, alpha = beta) inout(y[4])
#pragma cupilot workload set(n = 4) inout(y[n])
#pragma cupilot workload set(nn = 4, alpha = 1) inout(y[4])
__global__ void scale(float *y, int n, float alpha) {}
void run(float *b, int m) { scale<<<(m + 255) / 256, 256>>>(b, m, 2); }
//= error 3:30: 'm' is neither a parameter of 'scale' nor used; did you mean 'n'?
//= error 3:41: 1099511627776 does not fit 'n' of type 'int'
//= error 3:50: 'n' is set twice; keep one of them
//= error 3:57: 'y' is a pointer; describe it with in(y[elements])
//= error 3:72: unknown name 'beta'; known here: m
//= error 4:1: parameter 'alpha' has no value; add set(alpha = ...)
//= error 5:1: parameter 'n' has no value; add set(n = ...)
//= error 5:30: 'nn' is neither a parameter of 'scale' nor used; did you mean 'n'?
//= exit code 1
