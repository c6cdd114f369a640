// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "tests/emulate/corpus/number.h"
#include "tests/emulate/corpus/references.h"

namespace cupilot::corpus {
namespace {

using Arguments = std::vector<Argument>;

template <class Function>
void each(Arguments &a, Function function) {
  for (std::uint64_t i = 0; i < a[0].count; ++i) set(a[1], i, function(at(a[0], i)));
}

template <class Row>
void rows(Arguments &a, Row row) {
  const std::uint64_t columns = *a[2].as<std::uint32_t>();
  for (std::uint64_t from = 0; from < a[0].count; from += columns) row(from, columns);
}

void softmax(const Case &, Arguments &a) {
  rows(a, [&](std::uint64_t from, std::uint64_t columns) {
    double sum = 0;
    for (std::uint64_t c = 0; c < columns; ++c) sum += std::exp(at(a[0], from + c));
    for (std::uint64_t c = 0; c < columns; ++c) set(a[1], from + c, std::exp(at(a[0], from + c)) / sum);
  });
}

void normalised(Arguments &a, bool centred) {
  rows(a, [&](std::uint64_t from, std::uint64_t columns) {
    double sum = 0, squares = 0;
    for (std::uint64_t c = 0; c < columns; ++c) {
      sum += at(a[0], from + c);
      squares += at(a[0], from + c) * at(a[0], from + c);
    }
    const auto n = static_cast<double>(columns);
    const double mean = centred ? sum / n : 0;
    const double scale = 1 / std::sqrt(squares / n - mean * mean + 1e-5);
    for (std::uint64_t c = 0; c < columns; ++c) set(a[1], from + c, (at(a[0], from + c) - mean) * scale);
  });
}
void rms_norm(const Case &, Arguments &a) {
  normalised(a, false);
}
void layer_norm(const Case &, Arguments &a) {
  normalised(a, true);
}

void gelu(const Case &, Arguments &a) {
  each(a, [](double v) { return 0.5 * v * (1 + std::tanh(0.7978845608 * (v + 0.044715 * v * v * v))); });
}
void silu(const Case &, Arguments &a) {
  each(a, [](double v) { return v / (1 + std::exp(-v)); });
}
void relu(const Case &, Arguments &a) {
  each(a, [](double v) { return std::max(v, 0.0); });
}
void quantize(const Case &, Arguments &a) {
  const double scale = *a[2].as<float>();
  each(a, [&](double v) { return std::clamp(std::nearbyint(v * scale), -90.0, 90.0); });
}

void axpy_half(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[0].count; ++i) set(a[2], i, 0.5 * at(a[0], i) + at(a[1], i));
}

void compare(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[0].count; ++i) {
    const double x = at(a[0], i), y = at(a[1], i);
    set(a[2], i, (x < y ? 1 : 0) | (x == y ? 2 : 0) | (x >= y ? 4 : 0));
  }
}

void cross_entropy(const Case &, Arguments &a) {
  for (std::uint64_t row = 0; row < a[1].count; ++row) {
    double sum = 0;
    for (std::uint64_t c = 0; c < 32; ++c) sum += std::exp(at(a[0], row * 32 + c));
    set(a[2], row, std::log(sum) - at(a[0], row * 32 + static_cast<std::uint64_t>(at(a[1], row))));
  }
}

void rotary(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[0].count / 2; ++i) {
    const double angle = static_cast<double>(i / 32) * std::pow(10000.0, -static_cast<double>(i % 32) / 32);
    const double x = at(a[0], 2 * i), y = at(a[0], 2 * i + 1);
    set(a[1], 2 * i, x * std::cos(angle) - y * std::sin(angle));
    set(a[1], 2 * i + 1, x * std::sin(angle) + y * std::cos(angle));
  }
}

void attention(const Case &, Arguments &a) {
  for (std::uint64_t row = 0; row < 8; ++row) {
    double weights[32], sum = 0;
    for (std::uint64_t j = 0; j < 32; ++j) {
      double score = 0;
      for (std::uint64_t d = 0; d < 32; ++d) score += at(a[0], row * 32 + d) * at(a[1], j * 32 + d);
      sum += weights[j] = std::exp(score);
    }
    for (std::uint64_t d = 0; d < 32; ++d) {
      double result = 0;
      for (std::uint64_t j = 0; j < 32; ++j) result += weights[j] / sum * at(a[2], j * 32 + d);
      set(a[3], row * 32 + d, result);
    }
  }
}

void embedding(const Case &, Arguments &a) {
  for (std::uint64_t i = 0; i < a[2].count; ++i)
    set(a[2], i, at(a[0], static_cast<std::uint64_t>(at(a[1], i / 16)) * 16 + i % 16));
}

}  // namespace

const std::vector<NamedReference> kModels = {
    {"softmax", softmax},
    {"rms_norm", rms_norm},
    {"layer_norm", layer_norm},
    {"gelu", gelu},
    {"silu", silu},
    {"relu", relu},
    {"quantize", quantize},
    {"axpy_half", axpy_half},
    {"compare", compare},
    {"cross_entropy", cross_entropy},
    {"rotary", rotary},
    {"attention", attention},
    {"embedding", embedding},
};

}  // namespace cupilot::corpus
