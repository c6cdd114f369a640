// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "tests/emulate/corpus/references.h"

namespace cupilot::corpus {
namespace {

using Arguments = std::vector<Argument>;

void difference(const Case &, Arguments &a) {
  const float *x = a[0].as<float>();
  for (std::uint64_t i = 0; i < a[0].count; ++i)
    a[1].as<float>()[i] = (i + 1 < a[0].count ? x[i + 1] : 0) - (i > 0 ? x[i - 1] : 0);
}

void filter5(const Case &, Arguments &a) {
  const float taps[5] = {0.0625F, 0.25F, 0.375F, 0.25F, 0.0625F};
  for (std::uint64_t i = 0; i < a[1].count; ++i) {
    float sum = 0;
    for (int k = 0; k < 5; ++k) sum += taps[k] * a[0].as<float>()[i + static_cast<std::uint64_t>(k)];
    a[1].as<float>()[i] = sum;
  }
}

void five_point(const Case &, Arguments &a) {
  const int width = *a[2].as<int>(), height = *a[3].as<int>();
  const float *x = a[0].as<float>();
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c) {
      const int i = r * width + c;
      const bool border = c == 0 || r == 0 || c == width - 1 || r == height - 1;
      a[1].as<float>()[i] = border ? x[i] : 0.25F * (x[i - 1] + x[i + 1] + x[i - width] + x[i + width]);
    }
}

void jacobi(const Case &, Arguments &a) {
  std::vector<float> from(a[0].as<float>(), a[0].as<float>() + a[0].count), to = from;
  for (int k = 0; k < *a[2].as<int>(); ++k) {
    for (std::size_t i = 1; i + 1 < from.size(); ++i) to[i] = 0.5F * (from[i - 1] + from[i + 1]);
    std::swap(from, to);
  }
  std::copy(from.begin(), from.end(), a[1].as<float>());
}

void seven_point(const Case &, Arguments &a) {
  const float *x = a[0].as<float>();
  const auto value = [&](int z, int y, int c) {
    const bool outside = std::min({z, y, c}) < 0 || std::max({z, y, c}) > 7;
    return outside ? 0 : x[(z * 8 + y) * 8 + c];
  };
  for (int i = 0; i < 512; ++i) {
    const int z = i / 64, y = i / 8 % 8, c = i % 8;
    a[1].as<float>()[i] = -6 * x[i] + value(z, y, c - 1) + value(z, y, c + 1) + value(z, y - 1, c) +
                          value(z, y + 1, c) + value(z - 1, y, c) + value(z + 1, y, c);
  }
}

void life(const Case &, Arguments &a) {
  const std::uint8_t *x = a[0].as<std::uint8_t>();
  for (int r = 0; r < 32; ++r)
    for (int c = 0; c < 32; ++c) {
      int alive = -x[r * 32 + c];
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) alive += x[((r + dy) & 31) * 32 + ((c + dx) & 31)];
      a[1].as<std::uint8_t>()[r * 32 + c] = alive == 3 || (alive == 2 && x[r * 32 + c] != 0);
    }
}

void median3(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[1].count; ++i) {
    int three[3];
    std::copy_n(a[0].as<int>() + i, 3, three);
    std::sort(three, three + 3);
    a[1].as<int>()[i] = three[1];
  }
}

void pool4(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[1].count; ++i)
    a[1].as<float>()[i] = *std::max_element(a[0].as<float>() + 4 * i, a[0].as<float>() + 4 * i + 4);
}

void luminance(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[1].count; ++i) {
    const std::uint8_t *p = a[0].as<std::uint8_t>() + 4 * i;
    a[1].as<std::uint8_t>()[i] = static_cast<std::uint8_t>((77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8);
  }
}

void blur9(const Case &, Arguments &a) {
  const int width = *a[2].as<int>(), height = *a[3].as<int>();
  for (int r = 0; r < height; ++r)
    for (int c = 0; c < width; ++c) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum +=
              a[0].as<float>()[std::clamp(r + dy, 0, height - 1) * width + std::clamp(c + dx, 0, width - 1)];
      a[1].as<float>()[r * width + c] = sum;
    }
}

}  // namespace

const std::vector<NamedReference> kStencils = {
    {"difference", difference},   {"filter5", filter5}, {"five_point", five_point}, {"jacobi", jacobi},
    {"seven_point", seven_point}, {"life", life},       {"median3", median3},       {"pool4", pool4},
    {"luminance", luminance},     {"blur9", blur9},
};

}  // namespace cupilot::corpus
