// KERNEL: forms
// BLOCK: 128
// ACCEPT: wide-access,grid-stride,block-size
// RUN: kItems=4
// HAS: = static_cast<int>(rows * cols);
// HAS: forms_item(unsigned int i, const signed char &a_i, float &out_i, const float *__restrict__ table)
// ACCEPT: grid-stride
// RUN: kItems=8
#include <cstdint>
__device__ float twice(float v) { return 2 * v; }
__global__ void forms(const int8_t *__restrict__ a, const float *__restrict__ table, float *__restrict__ out, int rows, int cols) {
  const int total = rows * cols;
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (!(i < total)) return;
  /* looked up */
  float v = table[a[i] & 3];
  out[i] = v > 0 ? twice(v) : v;
  out[i] += 1;
}
#ifdef CUPILOT_EMULATED
void check() {
  for (const int cols : {1, 5, 300}) {
    const auto a = emulated::numbers<int8_t>(3 * cols, 1);
    const auto table = emulated::numbers<float>(4, 2);
    std::vector<float> want(3 * cols), got(3 * cols);
    const dim3 grid((3 * cols + 127) / 128), block(128);
    emulated::launch(grid, block, [&] { forms(a.data(), table.data(), want.data(), 3, cols); });
    emulated::expect(cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), a.data(), table.data(), got.data(), 3, cols), "refused");
    emulated::compare(want, got);
    // A grid that leaves items out, a shifted pointer: the original has to run.
    emulated::expect(cols == 1 || !cupilot_variant::launch(cupilot::Launch(dim3(1), dim3(4), 0, 0), a.data(), table.data(), got.data(), 3, cols), "items left out");
  }
}
#endif
