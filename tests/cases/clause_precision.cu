// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize precision(tf32)
__global__ void a() {}
#pragma cupilot optimize precision(half) deterministic
__global__ void b() {}
#pragma cupilot optimize precision(bf16)
__global__ void c() {}
#pragma cupilot optimize precision(relaxed(1e-2, 0))
__global__ void d() {}
#pragma cupilot optimize precision(relaxed(1.0 / 8, 1e-30f)) name(e)
__global__ void f() {}
#pragma cupilot optimize precision(same)
__global__ void g() {}
//= warning 2:1: kernel 'a' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= warning 4:1: kernel 'b' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= warning 6:1: kernel 'c' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= warning 8:1: kernel 'd' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= warning 10:1: kernel 'f' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= warning 12:1: kernel 'g' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= kernel a: a as a at 3
//=   precision tf32
//= kernel b: b as b at 5
//=   precision half
//=   deterministic
//= kernel c: c as c at 7
//=   precision bf16
//= kernel d: d as d at 9
//=   precision relaxed(0.01, 0)
//= kernel e: f as f at 11
//=   precision relaxed(0.125, 1e-30)
//= kernel g: g as g at 13
//= exit code 0
