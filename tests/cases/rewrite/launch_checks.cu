// KERNEL: blend
// BLOCK: 256
// ACCEPT: wide-access,grid-stride,block-size
// RUN: kWidth=4
// HAS: if (!l.aligned(alignof(Vector<float>), x)) return false;
// What launch() has to leave to the original: misaligned or overlapping arrays, grids that leave items out.
__global__ void blend(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0.5f * (x[i] + y[i]);
}
#ifdef CUPILOT_EMULATED
void check() {
  const int n = 1000;
  alignas(16) static float memory[4 * n];
  const auto taken = [&](dim3 grid, dim3 block, const float *x, float *y, int items) {
    return cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), x, y, items);
  };
  emulated::expect(taken(dim3(4), dim3(256), memory, memory + n, n), "two arrays side by side were refused");
  emulated::expect(taken(dim3(4), dim3(256), memory, memory, n), "in place was refused");
  emulated::expect(!taken(dim3(4), dim3(256), memory, memory + 4, n), "overlapping arrays were taken");
  emulated::expect(!taken(dim3(4), dim3(256), memory + 1, memory + 2 * n, n), "a misaligned array was taken");
  emulated::expect(!taken(dim3(3), dim3(256), memory, memory + n, n), "a grid that leaves items out was taken");
  emulated::expect(!taken(dim3(4, 2), dim3(256), memory, memory + n, n), "a grid of two rows was taken");
  emulated::expect(!taken(dim3(4), dim3(256), memory, memory + n, 0), "no items were taken");
}
#endif
