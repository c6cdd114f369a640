// SPDX-License-Identifier: Apache-2.0
#include "forms.h"

#include <cstdio>

#pragma cupilot optimize
__global__ void plain(float *x, int n) {
  x[0] = n;
}

namespace outer {
namespace {
#pragma cupilot optimize
__global__ void hidden(float *x, int n) {
  x[0] = n;
}
}  // namespace

#pragma cupilot optimize
template <class T, int kSize>
__global__ void generic(T *x, int n) {
  x[0] = n + kSize;
}
}  // namespace outer

// two kernels of one name: the variant's parameters say which is meant
#pragma cupilot optimize
__global__ void overloaded(float *x, int n) {
  x[0] = n;
}
__global__ void overloaded(double *x, int n) {
  x[0] = n;
}

extern "C" {
#pragma cupilot optimize
__global__ void plain_c(float *x, int n) {
  x[0] = n;
}
}

// its record has assumptions and boxes
#pragma cupilot optimize
__global__ void guarded(float *x, int n) {
  x[0] = n;
}

#define LAUNCH(kernel, x, n) kernel<<<(n), 32>>>(x, n)

static void form(const char *name) {
  std::printf("form %s\n", name);
}
static void result(cudaError_t error) {
  std::printf("result %d\n", static_cast<int>(error));
}

template <class T>
void launch_from_template(T *x) {
  outer::generic<T, 4><<<3, 32>>>(x, 3);
}

int main() {
  float *x = nullptr;
  int n = 3;
  void *arguments[] = {&x, &n};

  form("direct"), plain<<<3, 32>>>(x, 3);
  form("macro"), LAUNCH(plain, x, 3);
  form("lambda"), [&] { plain<<<3, 32>>>(x, 3); }();
  form("function pointer");
  void (*pointer)(float *, int) = plain;
  pointer<<<3, 32>>>(x, 3);
  form("other translation unit"), second(x);
  form("anonymous namespace"), outer::hidden<<<3, 32>>>(x, 3);
  form("template"), launch_from_template(x);
  form("other instantiation"), outer::generic<float, 8><<<3, 32>>>(x, 3);
  form("header"), launch_in_header(x, 3);
  form("overload"), overloaded<<<3, 32>>>(x, 3);
  form("other overload"), overloaded<<<3, 32>>>(static_cast<double *>(nullptr), 3);
  form("extern C"), plain_c<<<3, 32>>>(x, 3);

  form("cudaLaunchKernel"),
      result(cudaLaunchKernel(reinterpret_cast<const void *>(plain), 3, 32, arguments, 0, nullptr));
  cudaLaunchConfig_t config = {};
  config.gridDim = 3, config.blockDim = 32;
  form("cudaLaunchKernelEx"), result(cudaLaunchKernelEx(&config, plain, x, 3));
  cudaLaunchAttribute attribute = {};
  config.attrs = &attribute, config.numAttrs = 1;
  form("attributes"), result(cudaLaunchKernelEx(&config, plain, x, 3));

  form("other configuration"), plain<<<4, 32>>>(x, 3);
  form("listed configuration"), plain_c<<<9, 64>>>(x, 3);
  form("outside domain"), plain<<<101, 32>>>(x, 101);
  form("variant declines"), plain<<<13, 32>>>(x, 13);
  form("invalid configuration"), plain<<<3, 2048>>>(x, 3), result(cudaGetLastError());
  form("zero configuration"), plain<<<0, 32>>>(x, 0), result(cudaGetLastError());
  form("untuned"), untuned(x);
  form("in the first box"), guarded<<<3, 32>>>(x, 3);
  form("in the second box"), guarded<<<9, 32>>>(x, 9);
  form("between the boxes"), guarded<<<7, 32>>>(x, 7);
  form("broken assumption"), guarded<<<4, 32>>>(x, 4);
}
