// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize instantiate(float)
#pragma cupilot workload set(n = 4) inout(y[n]) fill(y = csr(3)) launch(1, 32)
__global__ void k(float *y, int n) {}
#pragma cupilot harness(k)
void f() {}
//= error 2:26: clause 'instantiate' is not supported yet; remove it; known here: name, precision, assume, deterministic
//= error 3:58: fill 'csr' is not supported yet; known here: normal, uniform, randint, iota, zeros, permutation, sorted, file
//= error 5:17: directive 'harness' is not supported yet; describe the data with workload clauses
//= exit code 1
