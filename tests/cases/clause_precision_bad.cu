// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize precision(sane)
__global__ void a() {}
#pragma cupilot optimize precision(tf32(3))
__global__ void b() {}
#pragma cupilot optimize precision(relaxed)
__global__ void c() {}
#pragma cupilot optimize precision(relaxed(0, 0))
__global__ void d() {}
#pragma cupilot optimize precision(relaxed(-1e-3, eps))
__global__ void e() {}
#pragma cupilot optimize precision(relaxed(1 / 0, 1 + )) precision(same)
__global__ void f() {}
#pragma cupilot optimize precision(half, bf16)
__global__ void g() {}
//= error 2:36: unknown precision 'sane'; did you mean 'same'?
//= error 4:36: wrong number of arguments for precision 'tf32'; write precision(tf32)
//= error 6:36: wrong number of arguments for precision 'relaxed'; write precision(relaxed(relative, absolute))
//= warning 8:1: kernel 'd' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= error 8:36: relaxed(0, 0) allows no rounding at all; write precision(same) for the original's own accuracy
//= warning 10:1: kernel 'e' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= error 10:44: the relative deviation of relaxed is negative: -1e-3; write how far |got - exact| may be from absolute + relative * |exact|
//= error 10:51: the absolute deviation of relaxed: unknown name 'eps'; it is a constant, like relaxed(1e-2, 1e-5)
//= error 12:58: clause 'precision' appears twice; keep one of them
//= error 12:68: wrong number of arguments for precision 'same'; write precision(same)
//= error 14:40: unexpected ',' in 'precision'; write precision(same)
//= exit code 1
