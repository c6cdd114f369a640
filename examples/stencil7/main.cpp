// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "stencil7.h"

int main(int argc, char **argv) {
  const int nx = example::size_argument(argc, argv, 1, 512);
  const int ny = example::size_argument(argc, argv, 2, 512);
  const int nz = example::size_argument(argc, argv, 3, 256);
  const std::size_t row = nx, plane = row * ny, count = plane * nz;
  std::vector<float> u(count), before(count);
  example::Random next;
  for (float &value : u) value = next();
  for (float &value : before) value = next();
  example::DeviceBuffer<float> device_u(count), device_v(count);
  device_u.upload(u);
  device_v.upload(before);

  const auto call = [&] { stencil7(device_u.get(), device_v.get(), nx, ny, nz, nullptr); };
  call();
  const auto v = device_v.download();
  std::size_t wrong = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const std::size_t i = z * plane + y * row + x;
        if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) {
          wrong += v[i] != before[i];
          continue;
        }
        const double around =
            double(u[i - 1]) + u[i + 1] + u[i - row] + u[i + row] + u[i - plane] + u[i + plane];
        wrong += example::differs(v[i], 0.4 * u[i] + 0.1 * around, 1e-6);
      }
  const auto name =
      "stencil7 " + std::to_string(nx) + "x" + std::to_string(ny) + "x" + std::to_string(nz) + " fp32";
  return example::report(name, wrong, argc == 1, call, 2.0 * count * sizeof(float));
}
