// SPDX-License-Identifier: Apache-2.0
// The width of an access is a template parameter, chosen by sizes and alignment.
template <class V>
struct Doubled;
template <>
struct Doubled<float> {
  __device__ static float of(float v) { return 2 * v; }
};
template <>
struct Doubled<float2> {
  __device__ static float2 of(float2 v) { return make_float2(2 * v.x, 2 * v.y); }
};
template <>
struct Doubled<float4> {
  __device__ static float4 of(float4 v) { return make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w); }
};
template <class V>
__global__ void packed(const V *x, V *y, int cols, int pitch) {
  const int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y;
  if (c < cols) y[(size_t)r * cols + c] = Doubled<V>::of(x[(size_t)r * pitch + c]);
}
template <class V>
void queue(cudaStream_t stream, const float *x, float *y, int rows, int cols, int pitch) {
  constexpr int kWidth = sizeof(V) / sizeof(float);
  packed<V><<<dim3((cols / kWidth + 63) / 64, rows), 64, 0, stream>>>((const V *)x, (V *)y, cols / kWidth,
                                                                      pitch / kWidth);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols, int pitch) {
  if (cols % 4 == 0 && pitch % 4 == 0 && l.aligned(16, x, y))
    queue<float4>(l.stream, x, y, rows, cols, pitch);
  else if (cols % 2 == 0 && pitch % 2 == 0 && l.aligned(8, x, y))
    queue<float2>(l.stream, x, y, rows, cols, pitch);
  else
    queue<float>(l.stream, x, y, rows, cols, pitch);
  return true;
}
