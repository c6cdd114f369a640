// SPDX-License-Identifier: Apache-2.0
// Chunks of 32 steps from zero, a scan over the chunks, then what each inherits.
constexpr int kChunk = 32;
__global__ void chunks(const float *x, const float *decay, float *h, float *ends, int steps, int channels) {
  const int c = blockIdx.x * 32 + threadIdx.x, begin = blockIdx.y * kChunk;
  if (c >= channels) return;
  float state = 0;
  for (int t = begin; t < min(begin + kChunk, steps); ++t) {
    state = decay[c] * state + x[(size_t)t * channels + c];
    h[(size_t)t * channels + c] = state;
  }
  ends[(size_t)blockIdx.y * channels + c] = state;
}
__global__ void scan(const float *decay, float *ends, int count, int channels) {
  const int c = blockIdx.x * 32 + threadIdx.x;
  if (c >= channels) return;
  float power = 1, state = 0;
  for (int i = 0; i < kChunk; ++i) power *= decay[c];
  for (int i = 0; i < count; ++i) {
    state = power * state + ends[(size_t)i * channels + c];
    ends[(size_t)i * channels + c] = state;
  }
}
__global__ void inherit(const float *decay, float *h, const float *ends, int steps, int channels) {
  const int c = blockIdx.x * 32 + threadIdx.x, begin = (blockIdx.y + 1) * kChunk;
  if (c >= channels) return;
  float state = ends[(size_t)blockIdx.y * channels + c];
  for (int t = begin; t < min(begin + kChunk, steps); ++t) h[(size_t)t * channels + c] += state *= decay[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *decay, float *h, int steps, int channels) {
  const int count = (steps + kChunk - 1) / kChunk;
  float *ends = (float *)l.scratch(sizeof(float) * count * channels);
  if (!ends) return false;
  chunks<<<dim3((channels + 31) / 32, count), 32, 0, l.stream>>>(x, decay, h, ends, steps, channels);
  scan<<<(channels + 31) / 32, 32, 0, l.stream>>>(decay, ends, count, channels);
  if (count > 1)
    inherit<<<dim3((channels + 31) / 32, count - 1), 32, 0, l.stream>>>(decay, h, ends, steps, channels);
  return true;
}
