// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "conv2d.h"

int main(int argc, char **argv) {
  const int n = example::size_argument(argc, argv, 1, 16);
  const int c = example::size_argument(argc, argv, 2, 64);
  const int h = example::size_argument(argc, argv, 3, 56);
  const int w = example::size_argument(argc, argv, 4, 56);
  const int k = example::size_argument(argc, argv, 5, 64);
  const std::size_t plane = std::size_t(h) * w, count = n * k * plane;
  std::vector<float> x(n * c * plane), filters(std::size_t(k) * c * 9);
  example::Random next;
  for (float &value : x) value = next();
  for (float &value : filters) value = next();
  example::DeviceBuffer<float> device_x(x.size()), device_filters(filters.size()), device_y(count);
  device_x.upload(x);
  device_filters.upload(filters);

  const auto call = [&] {
    conv2d(device_x.get(), device_filters.get(), device_y.get(), n, c, h, w, k, nullptr);
  };
  call();
  const auto y = device_y.download();
  // At the usual size some thousands of outputs are compared, with sizes on the command line all are.
  const auto wrong = example::count_wrong(count, argc == 1, [&](std::size_t i) {
    const int col = i % w, row = i / w % h;
    const std::size_t filter = i / plane % k, image = i / plane / k;
    double sum = 0, size = 0;
    for (int channel = 0; channel < c; ++channel)
      for (int r = std::max(0, 1 - row); r < std::min(3, h - row + 1); ++r)
        for (int s = std::max(0, 1 - col); s < std::min(3, w - col + 1); ++s) {
          const double term = double(x[(image * c + channel) * plane + (row + r - 1) * w + col + s - 1]) *
                              filters[(filter * c + channel) * 9 + r * 3 + s];
          sum += term;
          size += std::fabs(term);
        }
    return example::differs(y[i], sum, 1e-6 * size);
  });
  const auto name = "conv2d " + std::to_string(n) + "x" + std::to_string(c) + "x" + std::to_string(h) + "x" +
                    std::to_string(w) + ", " + std::to_string(k) + " filters, fp32";
  return example::report(name, wrong, argc == 1, call, 2.0 * count * c * 9, "GFLOP/s");
}
