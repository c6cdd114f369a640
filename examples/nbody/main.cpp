// SPDX-License-Identifier: Apache-2.0
#include "../common/example.h"
#include "nbody.h"

namespace {

struct Exact {
  double sum[3] = {};
  double size[3] = {};  // sums of absolute terms, which rounding errors are measured by
};

Exact exact_acceleration(const std::vector<float4> &bodies, const float4 &self) {
  Exact exact;
  for (const float4 &other : bodies) {
    const double d[3] = {double(other.x) - self.x, double(other.y) - self.y, double(other.z) - self.z};
    const double distance = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-4);
    const double pull = other.w / (distance * distance * distance);
    for (int axis = 0; axis < 3; ++axis) {
      exact.sum[axis] += pull * d[axis];
      exact.size[axis] += std::fabs(pull * d[axis]);
    }
  }
  return exact;
}

}  // namespace

int main(int argc, char **argv) {
  const int n = example::size_argument(argc, argv, 1, 16384);
  std::vector<float4> bodies(n);
  example::Random next;
  for (float4 &body : bodies) {
    body.x = next();
    body.y = next();
    body.z = next();
    body.w = (next() + 2) / n;
  }
  example::DeviceBuffer<float4> device_bodies(n), device_accelerations(n);
  device_bodies.upload(bodies);

  const auto call = [&] { nbody(device_bodies.get(), device_accelerations.get(), n, nullptr); };
  call();
  const auto accelerations = device_accelerations.download();
  // At the usual size some thousands of bodies are compared, with a size on the command line all are.
  const auto wrong = example::count_wrong(n, argc == 1, [&](std::size_t i) {
    const Exact exact = exact_acceleration(bodies, bodies[i]);
    const float4 &got = accelerations[i];
    return example::differs(got.x, exact.sum[0], 1e-5 * exact.size[0]) ||
           example::differs(got.y, exact.sum[1], 1e-5 * exact.size[1]) ||
           example::differs(got.z, exact.sum[2], 1e-5 * exact.size[2]) || got.w != 0;
  });
  // 20 operations for each pair, as is usual.
  const auto name = "nbody " + std::to_string(n) + " fp32";
  return example::report(name, wrong, argc == 1, call, 20.0 * n * n, "GFLOP/s");
}
