// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) weight(-1)
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) weight(n)
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) weight()
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) weight(2) weight(3)
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) weight(1e308 * 10)
__global__ void numbers(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 3) inout(y[n]) launch(1, 32) weight(2) check
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32) weight(0)
#pragma cupilot workload set(n = 5) inout(y[n]) launch(1, 32) weight(1 - 1)
__global__ void nothing_counts(float *y, int n) {}
//= error 3:70: the weight -1 is negative or not a number; write weight(2), or weight(0) for a workload that is timed but need not be faster
//= error 4:70: unknown name 'n'; a weight is a constant, like weight(2)
//= error 5:70: expected an expression before ')'; write weight(2)
//= error 6:73: clause 'weight' appears twice; keep one of them
//= error 7:76: the result of '*' is out of range of double; a weight is a constant, like weight(2)
//= error 10:70: a 'check' workload is never timed, so its weight has no effect; remove 'weight' or 'check'
//= error 11:70: every timed workload has the weight 0: nothing would have to be faster; give at least one of them a weight above 0
//= exit code 1
