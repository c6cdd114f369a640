// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize assume(m > 4, 3, n > , y != 0, scale > 0, true)
#pragma cupilot workload set(n = 4, scale = 1) inout(y[n * total]) launch(1, 32)
__global__ void unknown_names(float *y, int n, double scale) {}
#pragma cupilot optimize assume()
__global__ void nothing() {}
#pragma cupilot optimize assume(n % 4 == 0, n < 100 || 8 / (n - 5) > 0, 100 % (n - 7) == 1)
#pragma cupilot workload(odd) set(n = 7) inout(y[n]) launch(1, 32)
#pragma cupilot workload(even) set(n = 8) inout(y[n]) launch(1, 32)
__global__ void broken(float *y, int n) {}
struct Pair { int a, b; };
#pragma cupilot optimize assume(p > 0)
__global__ void classes(float *y, Pair p) {}
#pragma cupilot optimize assume(nn > 0)
__global__ void near(float *y, int n) {}
//= error 2:33: 'm' is not a parameter of 'unknown_names'; did you mean 'n'?
//= error 2:40: '3' is a constant and assumes nothing; write a condition over the kernel's scalar parameters, like n > 0
//= error 2:46: an operand is missing; write a condition over the kernel's scalar parameters, like assume(n % 4 == 0)
//= error 2:49: 'y' is a pointer, which an assumption cannot be about; the variant's own test can decline what it does not take: l.aligned(16, y)
//= error 2:68: 'true' is a constant and assumes nothing; write a condition over the kernel's scalar parameters, like n > 0
//= error 3:60: unknown name 'total'; known here: n, scale
//= error 5:33: expected an expression before ')'; write assume(n % 4 == 0)
//= error 7:33: workload 'odd' (clause_assume_bad.cu:8) breaks the assumption 'n % 4 == 0': n = 7; change the workload, or assume only what holds at every launch
//= error 7:73: the assumption '100 % (n - 7) == 1' cannot be evaluated for workload 'odd' (clause_assume_bad.cu:8): division by zero; change the workload, or assume only what holds at every launch
//= error 7:73: workload 'even' (clause_assume_bad.cu:9) breaks the assumption '100 % (n - 7) == 1': n = 8; change the workload, or assume only what holds at every launch
//= warning 12:1: kernel 'classes' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= error 12:33: 'p' of type 'Pair' cannot be compared at a launch; assume something of integers, float or double
//= warning 14:1: kernel 'near' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= error 14:33: 'nn' is not a parameter of 'near'; did you mean 'n'?
//= exit code 1
