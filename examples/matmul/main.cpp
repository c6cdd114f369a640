// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "matmul.h"

int main(int argc, char **argv) {
  const int m = example::size_argument(argc, argv, 1, 2048);
  const int n = example::size_argument(argc, argv, 2, 2048);
  const int k = example::size_argument(argc, argv, 3, 2048);
  std::vector<float> a(std::size_t(m) * k), b(std::size_t(k) * n);
  example::Random next;
  for (float &value : a) value = next();
  for (float &value : b) value = next();
  const std::size_t count = std::size_t(m) * n;
  example::DeviceBuffer<float> device_a(a.size()), device_b(b.size()), device_c(count);
  device_a.upload(a);
  device_b.upload(b);

  const auto call = [&] { matmul(device_a.get(), device_b.get(), device_c.get(), m, n, k, nullptr); };
  call();
  const auto c = device_c.download();
  // At the usual size some thousands of outputs are compared, with sizes on the command line all are.
  const auto wrong = example::count_wrong(count, argc == 1, [&](std::size_t i) {
    const std::size_t row = i / n, col = i % n;
    double sum = 0, size = 0;
    for (int l = 0; l < k; ++l) {
      const double term = double(a[row * k + l]) * b[std::size_t(l) * n + col];
      sum += term;
      size += std::fabs(term);
    }
    return example::differs(c[i], sum, 1e-6 * size);
  });
  const auto name =
      "matmul " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + " fp32";
  return example::report(name, wrong, argc == 1, call, 2.0 * count * k, "GFLOP/s");
}
