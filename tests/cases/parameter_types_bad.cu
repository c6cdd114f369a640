// SPDX-License-Identifier: Apache-2.0
struct Particle { float x, *y, z; };
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) in(p[n]) inout(v[n], pp[n]) launch(1, 32)
__global__ void unsupported(const Particle *p, void *v, float **pp, Particle by_value, int n) {}
//= error 4:1: parameter 'by_value' of type 'Particle' cannot be given a value yet; only numbers and pointers are supported
//= error 4:40: 'p' has elements of type 'Particle', which have no default content; add fill(p = zeros) or fill(p = file("x.npy"))
//= error 4:52: elements of type 'void' are not supported; the parameter must point to elements of a complete, trivially copyable type
//= error 4:58: elements of type 'float *' are not supported; the parameter must point to elements of a complete, trivially copyable type
//= exit code 1
