// SPDX-License-Identifier: Apache-2.0

#include "tests/emulate/corpus/number.h"
#include "tests/emulate/corpus/references.h"

namespace cupilot::corpus {
namespace {

using Arguments = std::vector<Argument>;

void transpose(const Case &, Arguments &a) {
  const std::uint64_t width = *a[2].as<std::uint32_t>(), height = *a[3].as<std::uint32_t>();
  for (std::uint64_t r = 0; r < height; ++r)
    for (std::uint64_t c = 0; c < width; ++c) set(a[1], c * height + r, at(a[0], r * width + c));
}

void transpose_square(const Case &, Arguments &a) {
  const std::uint64_t n = *a[1].as<std::uint32_t>();
  for (std::uint64_t r = 0; r < n; ++r)
    for (std::uint64_t c = 0; c < r; ++c) {
      const double upper = at(a[0], c * n + r);
      set(a[0], c * n + r, at(a[0], r * n + c));
      set(a[0], r * n + c, upper);
    }
}

/// One product of m x k and k x n matrices that begin at these elements.
void product(Arguments &a, std::uint64_t m, std::uint64_t n, std::uint64_t k, std::uint64_t from = 0) {
  for (std::uint64_t r = 0; r < m; ++r)
    for (std::uint64_t c = 0; c < n; ++c) {
      double sum = 0;
      for (std::uint64_t i = 0; i < k; ++i) sum += at(a[0], from + r * k + i) * at(a[1], from + i * n + c);
      set(a[2], from + r * n + c, sum);
    }
}
void multiply(const Case &, Arguments &a) {
  product(a, *a[3].as<std::uint32_t>(), *a[4].as<std::uint32_t>(), *a[5].as<std::uint32_t>());
}
void multiply_square(const Case &, Arguments &a) {
  const std::uint64_t n = *a[3].as<std::uint32_t>();
  product(a, n, n, n);
}
void multiply_batch(const Case &c, Arguments &a) {
  const std::uint64_t n = *a[3].as<std::uint32_t>();
  for (std::uint64_t z = 0; z < c.grid[2]; ++z) product(a, n, n, n, z * n * n);
}
void mma_16816(const Case &, Arguments &a) {
  product(a, 16, 8, 16);
}
void matrix_vector(const Case &, Arguments &a) {
  product(a, a[2].count, 1, a[1].count);
}
void outer(const Case &, Arguments &a) {
  product(a, a[0].count, a[1].count, 1);
}

void forward_solve(const Case &, Arguments &a) {
  for (std::uint64_t r = 0; r < 32; ++r) {
    double rest = at(a[1], r);
    for (std::uint64_t k = 0; k < r; ++k) rest -= 0.25 * at(a[0], r * 32 + k) * at(a[2], k);
    set(a[2], r, rest / (4 + at(a[0], r * 33)));
  }
}

}  // namespace

const std::vector<NamedReference> kMatrices = {
    {"transpose", transpose},
    {"transpose_square", transpose_square},
    {"multiply", multiply},
    {"multiply_square", multiply_square},
    {"multiply_batch", multiply_batch},
    {"mma_16816", mma_16816},
    {"matrix_vector", matrix_vector},
    {"outer", outer},
    {"forward_solve", forward_solve},
};

}  // namespace cupilot::corpus
