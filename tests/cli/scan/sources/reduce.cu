// SPDX-License-Identifier: Apache-2.0
namespace ns {
struct Square {
  __device__ float operator()(float x) const;
};
__device__ float Square::operator()(float x) const { return x * x; }
struct Cube {
  __device__ float operator()(float x) const { return x * x * x; }
};
}  // namespace ns

#pragma cupilot optimize
#pragma cupilot workload set(n = 1 << 16) in(x[n]) out(y[n])
template <typename T, int kBlock>
__global__ void reduce(const T *x, T *y, int n) {
  __shared__ T part[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : T(0);
  for (int k = kBlock / 2; k; k /= 2) {
    __syncthreads();
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}

#pragma cupilot optimize
#pragma cupilot workload set(n = 1 << 16) inout(x[n])
template <class F>
__global__ void map(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = F()(x[i]);
}

template <typename T, int kBlock>
void reduce_all(const T *x, T *y, int n) {
  reduce<T, kBlock><<<(n + kBlock - 1) / kBlock, kBlock>>>(x, y, n);
}
template void reduce_all<int, 64>(const int *, int *, int);
void run(float *x, float *y, int n) {
  reduce_all<float, 256>(x, y, n);
  map<ns::Square><<<(n + 127) / 128, 128>>>(x, n);
}
