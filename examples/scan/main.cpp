// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "scan.h"

int main(int argc, char **argv) {
  const int rows = example::size_argument(argc, argv, 1, 8192);
  const int cols = example::size_argument(argc, argv, 2, 4096);
  const std::size_t count = std::size_t(rows) * cols;
  std::vector<float> x(count);
  example::Random next;
  for (float &value : x) value = next();
  example::DeviceBuffer<float> device_x(count), device_y(count);
  device_x.upload(x);

  const auto call = [&] { scan(device_x.get(), device_y.get(), rows, cols, nullptr); };
  call();
  const auto y = device_y.download();
  std::size_t wrong = 0;
  for (int r = 0; r < rows; ++r) {
    double sum = 0, size = 0;
    for (int c = 0; c < cols; ++c) {
      const std::size_t i = std::size_t(r) * cols + c;
      sum += x[i];
      size += std::fabs(x[i]);
      wrong += example::differs(y[i], sum, 1e-6 * size);
    }
  }
  const auto name = "scan " + std::to_string(rows) + "x" + std::to_string(cols) + " fp32";
  return example::report(name, wrong, argc == 1, call, 2.0 * count * sizeof(float));
}
