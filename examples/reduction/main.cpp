// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "reduction.h"

int main(int argc, char **argv) {
  const int n = example::size_argument(argc, argv, 1, 1 << 26);
  // Whole numbers from -7 to 7, as often below 0 as above: all sums of them are exact in float, so one
  // element too few or too many shows.
  std::vector<float> x(n);
  example::Random next;
  for (float &value : x) value = std::round(7 * next());
  example::DeviceBuffer<float> device_x(n), device_sum(1);
  device_x.upload(x);

  const auto call = [&] { reduction(device_x.get(), device_sum.get(), n, nullptr); };
  call();
  const float sum = device_sum.download()[0];
  double expected = 0;
  for (const float value : x) expected += value;
  const auto name = "reduction " + std::to_string(n) + " fp32";
  return example::report(name, sum != expected, argc == 1, call, double(n) * sizeof(float));
}
