// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize assume(n > 4) deterministic instantiate(float)
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32) weight(3) holdout
__global__ void k(float *y, int n) {}
#pragma cupilot harness(k)
void f() {}
//= error 2:26: clause 'assume' is not supported yet; remove it; known here: name, precision
//= error 2:40: clause 'deterministic' is not supported yet; remove it; known here: name, precision
//= error 2:54: clause 'instantiate' is not supported yet; remove it; known here: name, precision
//= error 3:63: clause 'weight' is not supported yet; remove it; known here: set, in, out, inout, scratch, fill, launch, check
//= error 3:73: clause 'holdout' is not supported yet; remove it; known here: set, in, out, inout, scratch, fill, launch, check
//= error 5:17: directive 'harness' is not supported yet; describe the data with workload clauses
//= exit code 1
