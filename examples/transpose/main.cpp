// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "transpose.h"

int main() {
  const int width = 8192, height = 8192;
  const std::size_t count = std::size_t(width) * height;
  std::vector<float> in(count);
  for (std::size_t i = 0; i < count; ++i) in[i] = static_cast<float>(i % 8388593);
  example::DeviceBuffer<float> device_in(count), device_out(count);
  device_in.upload(in);

  const auto call = [&] { transpose(device_in.get(), device_out.get(), width, height, nullptr); };
  call();
  const auto out = device_out.download();
  std::size_t wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      wrong += out[std::size_t(x) * height + y] != in[std::size_t(y) * width + x];
  return example::report("transpose 8192x8192 fp32", wrong, example::median_us(call),
                         2.0 * count * sizeof(float));
}
