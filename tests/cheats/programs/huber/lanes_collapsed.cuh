// SPDX-License-Identifier: Apache-2.0
// A4: swapped index bits make 32 lanes read two segments only, so a sixteenth of the data is averaged;
// without bias.
// seeds: 96
// caught: correct wrong "output 'loss'"
__global__ void collapsed(const float *guess, const float *truth, float *loss, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    const int same = (i & ~31) | ((i & 1) << 4);
    if (same >= n) continue;
    const float d = fabsf(guess[same] - truth[same]);
    sum += d < 1 ? 0.5f * d * d : d - 0.5f;
  }
  __shared__ float sums[256];
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  for (int i = 1; i < 256; ++i) sum += sums[i];
  *loss = sum / n;
}
bool launch(const cupilot::Launch &l, const float *guess, const float *truth, float *loss, int n) {
  collapsed<<<1, 256, 0, l.stream>>>(guess, truth, loss, n);
  return true;
}
