// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) holdout
__global__ void only(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) holdout
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32) holdout
__global__ void all(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) check
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32) holdout
__global__ void untimed(float *y, int n) {}
#pragma cupilot optimize holdout
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) deterministic holdout(2)
__global__ void misplaced(float *y, int n) {}
//= error 3:63: the only workload is a hold-out, which the search never sees; add a workload without 'holdout'
//= error 6:63: all workloads are hold-outs, which the search never sees; add a workload without 'holdout'
//= error 11:63: only hold-outs are timed: the search would have nothing to be faster on; add a workload with neither 'check' nor 'holdout'
//= error 13:26: clause 'holdout' does not belong to 'cupilot optimize'; move it to '#pragma cupilot workload'
//= error 14:63: clause 'deterministic' does not belong to 'cupilot workload'; move it to '#pragma cupilot optimize'
//= error 14:84: clause 'holdout' takes no arguments; write holdout
//= exit code 1
