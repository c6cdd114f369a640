// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "../common/example.h"
#include "rms_norm.h"

int main(int argc, char **argv) {
  const int rows = example::size_argument(argc, argv, 1, 8192);
  const int cols = example::size_argument(argc, argv, 2, 4096);
  const std::size_t count = std::size_t(rows) * cols;
  std::vector<float> x(count), w(cols);
  example::Random next;
  for (float &value : x) value = next();
  for (float &value : w) value = next();
  example::DeviceBuffer<float> device_x(count), device_w(cols), device_y(count);
  device_x.upload(x);
  device_w.upload(w);

  const auto call = [&] { rms_norm(device_x.get(), device_w.get(), device_y.get(), rows, cols, nullptr); };
  call();
  const auto y = device_y.download();
  std::size_t wrong = 0;
  for (int r = 0; r < rows; ++r) {
    const float *row = &x[std::size_t(r) * cols];
    double sum = 0;
    for (int c = 0; c < cols; ++c) sum += double(row[c]) * row[c];
    const double scale = 1 / std::sqrt(sum / cols + 1e-6);
    for (int c = 0; c < cols; ++c) {
      const double expected = row[c] * scale * w[c];
      wrong += example::differs(y[std::size_t(r) * cols + c], expected, 1e-5 * std::fabs(expected) + 1e-7);
    }
  }
  const auto name = "rms_norm " + std::to_string(rows) + "x" + std::to_string(cols) + " fp32";
  return example::report(name, wrong, argc == 1, call, (2.0 * count + cols) * sizeof(float));
}
