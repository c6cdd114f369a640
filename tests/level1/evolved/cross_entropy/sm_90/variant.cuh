// cupilot variant of cross_entropy for sm_90 (record 8a725b07): Row in registers: one block a row, float4 loads once, shuffle reductions, two barriers
// One small block a row; the row stays in registers between the maximum and the sum.
constexpr int kBlock = 256;  // knob: 64 128 256 512
constexpr int kResident = 1536;  // knob: 1024 1536 2048

constexpr int kWarps = kBlock / 32;
constexpr unsigned kAll = 0xffffffffu;

static_assert(kBlock % 32 == 0 && kBlock >= 64 && kBlock <= 512, "whole warps, at most 16");
static_assert(kResident >= kBlock && kResident <= 2048, "threads on a multiprocessor");

__device__ __forceinline__ float warp_top(float value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value = fmaxf(value, __shfl_xor_sync(kAll, value, step));
  return value;
}

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(kAll, value, step);
  return value;
}

// kFull: classes == 4 * kBlock * kItems, no vector is padding.
template <int kItems, bool kFull, int kBlocks>
__global__ void __launch_bounds__(kBlock, kBlocks)
    row_in_registers(const float *__restrict__ x, const long long *__restrict__ target,
                     float *__restrict__ row_loss, int classes) {
  __shared__ alignas(16) float top_parts[kWarps];
  __shared__ alignas(16) float sum_parts[kWarps];
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32, lane = thread % 32;
  const size_t row = blockIdx.x;
  const int vectors = classes / 4;
  const float *from = x + row * static_cast<size_t>(classes);
  const float4 *from4 = reinterpret_cast<const float4 *>(from);

  // The label first: its latency overlaps with the row's loads.
  long long label = -1;
  if (thread == 0) label = target[row];

  float4 v[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (kFull || i * kBlock + thread < vectors)
      v[i] = __ldcs(from4 + (i * kBlock + thread));
    else
      v[i] = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
  }

  // Only thread 0 can have a label that is not negative here.
  const bool known = label >= 0 && label < classes;
  float picked = 0.0f;
  if (known) picked = from[label];

  float best[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) best[i] = fmaxf(fmaxf(v[i].x, v[i].y), fmaxf(v[i].z, v[i].w));
#pragma unroll
  for (int half = kItems / 2; half > 0; half /= 2) {
#pragma unroll
    for (int i = 0; i < half; ++i) best[i] = fmaxf(best[i], best[i + half]);
  }
  float top = warp_top(fmaxf(-INFINITY, best[0]));
  if (lane == 0) top_parts[warp] = top;
  __syncthreads();
  top = top_parts[0];
#pragma unroll
  for (int w = 1; w < kWarps; ++w) top = fmaxf(top, top_parts[w]);

  float sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (kFull || i * kBlock + thread < vectors) {
      sum0 += expf(v[i].x - top);
      sum1 += expf(v[i].y - top);
      sum2 += expf(v[i].z - top);
      sum3 += expf(v[i].w - top);
    }
  }
  const float part = warp_sum((sum0 + sum1) + (sum2 + sum3));
  if (lane == 0) sum_parts[warp] = part;
  __syncthreads();

  if (thread == 0) {
    float sum = sum_parts[0];
#pragma unroll
    for (int w = 1; w < kWarps; ++w) sum += sum_parts[w];
    row_loss[row] = known ? logf(sum) + top - picked : 0.0f;
  }
}

template <int kItems>
void start(const cupilot::Launch &l, const float *x, const long long *target, float *row_loss, int rows,
           int classes) {
  // 4 * kItems registers hold the row: fewer threads are resident when they are many.
  constexpr int most = kItems >= 16 ? 640 : kItems == 8 ? 1024 : 2048;
  constexpr int threads = kResident < most ? kResident : most;
  constexpr int blocks = threads / kBlock > 0 ? threads / kBlock : 1;
  const unsigned grid = static_cast<unsigned>(rows);
  if (classes == 4 * kBlock * kItems)
    row_in_registers<kItems, true, blocks><<<grid, kBlock, 0, l.stream>>>(x, target, row_loss, classes);
  else
    row_in_registers<kItems, false, blocks><<<grid, kBlock, 0, l.stream>>>(x, target, row_loss, classes);
}

bool launch(const cupilot::Launch &l, const float *x, const long long *target, float *row_loss, int rows, int classes) {
  if (rows <= 0 || classes <= 0 || classes % 4 || classes > 4 * kBlock * 16) return false;
  if (l.block.x != static_cast<unsigned>(kThreads) || l.block.y != 1 || l.block.z != 1) return false;
  if (l.grid.x < static_cast<unsigned>(rows) || l.grid.y != 1 || l.grid.z != 1) return false;
  if (!l.aligned(16, x) || !l.aligned(8, target) || !l.aligned(4, row_loss)) return false;
  const size_t count = static_cast<size_t>(rows);
  if (!l.disjoint(x, count * static_cast<size_t>(classes) * sizeof(float), row_loss, count * sizeof(float)) ||
      !l.disjoint(target, count * sizeof(long long), row_loss, count * sizeof(float)))
    return false;

  if (classes <= 4 * kBlock)
    start<1>(l, x, target, row_loss, rows, classes);
  else if (classes <= 4 * kBlock * 2)
    start<2>(l, x, target, row_loss, rows, classes);
  else if (classes <= 4 * kBlock * 4)
    start<4>(l, x, target, row_loss, rows, classes);
  else if (classes <= 4 * kBlock * 8)
    start<8>(l, x, target, row_loss, rows, classes);
  else
    start<16>(l, x, target, row_loss, rows, classes);
  return true;
}
