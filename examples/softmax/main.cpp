// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "softmax.h"

int main(int argc, char **argv) {
  const int rows = example::size_argument(argc, argv, 1, 8192);
  const int cols = example::size_argument(argc, argv, 2, 4096);
  const std::size_t count = std::size_t(rows) * cols;
  std::vector<float> x(count);
  example::Random next;
  for (float &value : x) value = 10 * next();
  example::DeviceBuffer<float> device_x(count), device_y(count);
  device_x.upload(x);

  const auto call = [&] { softmax(device_x.get(), device_y.get(), rows, cols, nullptr); };
  call();
  const auto y = device_y.download();
  std::size_t wrong = 0;
  std::vector<double> exponentials(cols);
  for (int r = 0; r < rows; ++r) {
    const std::size_t row = std::size_t(r) * cols;
    double sum = 0;
    for (int c = 0; c < cols; ++c) sum += exponentials[c] = std::exp(double(x[row + c]));
    for (int c = 0; c < cols; ++c) {
      const double expected = exponentials[c] / sum;
      wrong += example::differs(y[row + c], expected, 1e-5 * expected);
    }
  }
  const auto name = "softmax " + std::to_string(rows) + "x" + std::to_string(cols) + " fp32";
  return example::report(name, wrong, argc == 1, call, 2.0 * count * sizeof(float));
}
