// SPDX-License-Identifier: Apache-2.0
// Linear regression by gradient descent: predicts, compares, goes a step down. Three kernels as one writes them
// before one thinks of speed.
#include <cstdio>
#include <cstdlib>
#include <vector>

// A thread per row: neighbours read addresses a row apart.
__global__ void predict(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += x[row * cols + c] * w[c];
  y[row] = sum;
}

__global__ void subtract(const float *wanted, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = y[i] - wanted[i];
}

// A thread per column: as many threads as there are columns, each with all rows.
__global__ void step(const float *x, const float *error, float *w, float rate, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += x[r * cols + col] * error[r];
  w[col] -= rate / rows * sum;
}

static float *on_device(const std::vector<float> &host) {
  float *made = nullptr;
  if (cudaMalloc(&made, host.size() * sizeof(float)) != cudaSuccess) std::exit(3);
  cudaMemcpy(made, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  return made;
}

int main(int argc, char **argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 2048, cols = argc > 2 ? std::atoi(argv[2]) : 256, steps = 6;
  std::vector<float> x(size_t(rows) * cols), wanted(rows);
  for (float &value : x) value = std::rand() / float(RAND_MAX) - 0.5f;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) wanted[r] += x[size_t(r) * cols + c] * (c % 3 - 1);
  float *dx = on_device(x), *dwanted = on_device(wanted), *dw = on_device(std::vector<float>(cols)),
        *dy = on_device(std::vector<float>(rows));
  std::vector<float> error(rows);
  for (int i = 0; i <= steps; ++i) {
    predict<<<(rows + 127) / 128, 128>>>(dx, dw, dy, rows, cols);
    subtract<<<(rows + 255) / 256, 256>>>(dwanted, dy, rows);
    cudaMemcpy(error.data(), dy, rows * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (const float e : error) sum += double(e) * e;
    std::printf("step %d: mean square error %.4f\n", i, sum / rows);
    step<<<(cols + 127) / 128, 128>>>(dx, dy, dw, 8.f, rows, cols);
  }
  if (const cudaError_t failed = cudaDeviceSynchronize(); failed != cudaSuccess)
    return std::printf("%s\n", cudaGetErrorString(failed)), 1;
}
