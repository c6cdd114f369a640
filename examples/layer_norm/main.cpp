// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "layer_norm.h"

int main(int argc, char **argv) {
  const int rows = example::size_argument(argc, argv, 1, 8192);
  const int cols = example::size_argument(argc, argv, 2, 4096);
  const std::size_t count = std::size_t(rows) * cols;
  std::vector<float> x(count), scale(cols), shift(cols);
  example::Random next;
  for (float &value : x) value = next() + 0.5f;
  for (float &value : scale) value = next();
  for (float &value : shift) value = next();
  example::DeviceBuffer<float> device_x(count), device_scale(cols), device_shift(cols), device_y(count);
  device_x.upload(x);
  device_scale.upload(scale);
  device_shift.upload(shift);

  const auto call = [&] {
    layer_norm(device_x.get(), device_scale.get(), device_shift.get(), device_y.get(), rows, cols, nullptr);
  };
  call();
  const auto y = device_y.download();
  std::size_t wrong = 0;
  for (int r = 0; r < rows; ++r) {
    const std::size_t row = std::size_t(r) * cols;
    double sum = 0, squares = 0;
    for (int c = 0; c < cols; ++c) sum += x[row + c];
    const double mean = sum / cols;
    for (int c = 0; c < cols; ++c) squares += (x[row + c] - mean) * (x[row + c] - mean);
    const double factor = 1 / std::sqrt(squares / cols + 1e-5);
    for (int c = 0; c < cols; ++c)
      wrong += example::differs(y[row + c], (x[row + c] - mean) * factor * scale[c] + shift[c], 1e-5);
  }
  const auto name = "layer_norm " + std::to_string(rows) + "x" + std::to_string(cols) + " fp32";
  return example::report(name, wrong, argc == 1, call, 2.0 * (count + cols) * sizeof(float));
}
