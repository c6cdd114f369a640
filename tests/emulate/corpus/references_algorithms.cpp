// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "tests/emulate/corpus/references.h"

namespace cupilot::corpus {
namespace {

using Arguments = std::vector<Argument>;

void sparse(const Case &, Arguments &a) {
  for (int r = 0; r < 32; ++r) {
    float sum = 0;
    for (int k = r; k < r + 2; ++k) sum += a[2].as<float>()[k] * a[3].as<float>()[a[1].as<int>()[k]];
    a[4].as<float>()[r] = sum;
  }
}

void floyd_warshall(const Case &, Arguments &a) {
  int *d = a[0].as<int>();
  for (int k = 0; k < 16; ++k)
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) d[i * 16 + j] = std::min(d[i * 16 + j], d[i * 16 + k] + d[k * 16 + j]);
}

void breadth_first(const Case &, Arguments &a) {
  const int *parent = a[0].as<int>();
  int *level = a[1].as<int>(), round = 0;
  std::fill(level, level + 64, -1);
  level[0] = 0;
  for (bool again = true; again; ++round) {
    again = false;
    const std::vector<int> before(level, level + 64);
    for (std::size_t t = 0; t < 64; ++t)
      if (before[t] < 0 && before[static_cast<std::size_t>(parent[t])] == round) {
        level[t] = round + 1;
        again = true;
      }
  }
  *a[2].as<int>() = round;
}

void bodies(const Case &, Arguments &a) {
  const float *b = a[0].as<float>();
  for (int i = 0; i < 64; ++i) {
    double sum[3] = {};
    for (int k = 0; k < 64; ++k) {
      double d[3], r2 = 0.5;
      for (int c = 0; c < 3; ++c) {
        d[c] = b[4 * k + c] - b[4 * i + c];
        r2 += d[c] * d[c];
      }
      for (int c = 0; c < 3; ++c) sum[c] += d[c] * b[4 * k + 3] / (r2 * std::sqrt(r2));
    }
    for (int c = 0; c < 3; ++c) a[1].as<float>()[3 * i + c] = static_cast<float>(sum[c]);
  }
}

void mandelbrot(const Case &, Arguments &a) {
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 32; ++c) {
      double x = 0, y = 0;
      int k = 0;
      for (; k < 60 && x * x + y * y < 4; ++k) {
        const double next = x * x - y * y + (c / 16.0 - 1.5);
        y = 2 * x * y + (r / 8.0 - 1);
        x = next;
      }
      a[0].as<int>()[r * 32 + c] = k;
    }
}

void find_text(const Case &, Arguments &a) {
  const std::uint8_t *text = a[0].as<std::uint8_t>();
  for (int t = 0; t < 64; ++t) {
    int found = -1;
    for (int i = t; i + 3 < 200 && found < 0; i += 64)
      if (text[i] == 1 && text[i + 1] == 2 && text[i + 2] == text[i + 3]) found = i;
    a[1].as<int>()[t] = found;
  }
}

void merged(const Case &, Arguments &a) {
  std::merge(a[0].as<int>(), a[0].as<int>() + 64, a[1].as<int>(), a[1].as<int>() + 64, a[2].as<int>());
}

void sieve(const Case &, Arguments &a) {
  std::uint8_t *prime = a[0].as<std::uint8_t>();
  prime[0] = prime[1] = 0;
  for (int p = 2; p < 400; ++p)
    for (int m = 2 * p; m < 400; m += p) prime[m] = 0;
}

void random_walk(const Case &, Arguments &a) {
  for (int t = 0; t < 64; ++t) {
    std::uint32_t s = a[0].as<std::uint32_t>()[t] * 747796405u + 2891336453u;
    int hits = 0;
    for (int k = 0; k < 50; ++k) {
      s = s * 1664525u + 1013904223u;
      const int x = static_cast<int>(s >> 20);
      s = s * 1664525u + 1013904223u;
      const int y = static_cast<int>(s >> 20);
      hits += x * x + y * y < 4096 * 4096 ? 1 : 0;
    }
    a[1].as<int>()[t] = hits;
  }
}

}  // namespace

const std::vector<NamedReference> kAlgorithms = {
    {"sparse", sparse},
    {"floyd_warshall", floyd_warshall},
    {"breadth_first", breadth_first},
    {"bodies", bodies},
    {"mandelbrot", mandelbrot},
    {"find_text", find_text},
    {"merged", merged},
    {"sieve", sieve},
    {"random_walk", random_walk},
};

}  // namespace cupilot::corpus
