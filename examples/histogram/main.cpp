// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "histogram.h"

int main(int argc, char **argv) {
  const int n = example::size_argument(argc, argv, 1, 1 << 26);
  const int bins = example::size_argument(argc, argv, 2, 256);
  // Like brightness in a picture: the middle is met more often than the ends.
  std::vector<int> x(n);
  example::Random next;
  for (int &value : x) value = static_cast<int>(128 + 64 * (next() + next()));
  example::DeviceBuffer<int> device_x(n);
  example::DeviceBuffer<unsigned> device_counts(bins);
  device_x.upload(x);

  const auto call = [&] { histogram(device_x.get(), device_counts.get(), n, bins, nullptr); };
  call();
  const auto counts = device_counts.download();
  std::vector<unsigned> expected(bins);
  for (const int value : x)
    if (value < bins) ++expected[value];
  std::size_t wrong = 0;
  for (int bin = 0; bin < bins; ++bin) wrong += counts[bin] != expected[bin];
  const auto name = "histogram " + std::to_string(n) + " elements, " + std::to_string(bins) + " bins";
  return example::report(name, wrong, argc == 1, call, double(n) * sizeof(int));
}
