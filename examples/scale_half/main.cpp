// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "scale_half.h"

int main(int argc, char **argv) {
  const int n = example::size_argument(argc, argv, 1, 1 << 27);
  const float a = 1.5f, b = 0.25f;
  std::vector<__half> x(n);
  for (int i = 0; i < n; ++i) x[i] = __float2half(static_cast<float>(i % 2003 - 1001) / 256.0f);
  example::DeviceBuffer<__half> device_x(n), device_y(n);
  device_x.upload(x);

  const auto call = [&] { scale_half(device_x.get(), device_y.get(), a, b, n, nullptr); };
  call();
  const auto y = device_y.download();
  std::size_t wrong = 0;
  for (int i = 0; i < n; ++i) {
    const float product = __half2float(__float2half(__half2float(x[i]) * a));
    const float sum = __half2float(__float2half(product + b));
    wrong += __half2float(y[i]) != std::max(sum, 0.0f);
  }
  const auto name = "scale_half " + std::to_string(n) + " fp16";
  return example::report(name, wrong, argc == 1, call, 2.0 * n * sizeof(__half));
}
