// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "transpose.h"

int main(int argc, char **argv) {
  const int width = example::size_argument(argc, argv, 1, 8192);
  const int height = example::size_argument(argc, argv, 2, 8192);
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
  const auto name = "transpose " + std::to_string(width) + "x" + std::to_string(height) + " fp32";
  return example::report(name, wrong, argc == 1, call, 2.0 * count * sizeof(float));
}
