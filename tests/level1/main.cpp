// SPDX-License-Identifier: Apache-2.0
//
// Calls each of the eight once on a small problem and compares with the same sums in double: `level1_once`,
// or under `cupilot emulate` where there is no GPU.

#include <cmath>
#include <functional>
#include <string>

#include "../../examples/common/example.h"
#include "level1.h"

namespace {

using example::DeviceBuffer;
using Numbers = std::vector<float>;

constexpr float kEps = 1e-5f;
/// Of the largest result: single precision and another order of sums.
constexpr double kTolerance = 1e-5;

Numbers numbers(std::size_t count, unsigned state) {
  Numbers all(count);
  for (float &value : all)
    value = static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1.0f;
  return all;
}

template <class T>
class OnDevice : public DeviceBuffer<T> {
public:
  explicit OnDevice(const std::vector<T> &host) : DeviceBuffer<T>(host.size()) { this->upload(host); }
};

/// How many results are off; an error of the launch counts as one.
std::size_t wrong(cudaError_t launched, const DeviceBuffer<float> &results,
                  const std::function<double(std::size_t)> &expected) {
  example::check(launched, "launching");
  const Numbers got = results.download();
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) largest = std::max(largest, std::fabs(expected(i)));
  std::size_t count = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    count += !(std::fabs(got[i] - expected(i)) <= kTolerance * largest);
  return count;
}

std::size_t matmul() {
  const int m = 37, n = 45, k = 70;
  const Numbers a = numbers(m * k, 1), b = numbers(k * n, 2);
  DeviceBuffer<float> c(m * n);
  return wrong(run_matmul(OnDevice(a).get(), OnDevice(b).get(), c.get(), m, n, k, nullptr), c,
               [&](std::size_t i) {
                 double sum = 0;
                 for (int j = 0; j < k; ++j) sum += double(a[i / n * k + j]) * b[j * n + i % n];
                 return sum;
               });
}

std::size_t upper_matmul() {
  const int n = 70;
  const Numbers a = numbers(n * n, 3), b = numbers(n * n, 4);
  DeviceBuffer<float> c(n * n);
  return wrong(run_upper_matmul(OnDevice(a).get(), OnDevice(b).get(), c.get(), n, nullptr), c,
               [&](std::size_t i) {
                 double sum = 0;
                 for (std::size_t j = i / n; j <= i % n; ++j)
                   sum += double(a[i / n * n + j]) * b[j * n + i % n];
                 return sum;
               });
}

std::size_t softmax() {
  const int rows = 3, cols = 1100;
  const Numbers x = numbers(rows * cols, 5);
  std::vector<double> sums(rows);
  for (int i = 0; i < rows * cols; ++i) sums[i / cols] += std::exp(double(x[i]));
  DeviceBuffer<float> y(rows * cols);
  return wrong(run_softmax(OnDevice(x).get(), y.get(), rows, cols, nullptr), y,
               [&](std::size_t i) { return std::exp(double(x[i])) / sums[i / cols]; });
}

std::size_t rms_norm() {
  const int batch = 2, features = 5, plane = 300;
  const Numbers x = numbers(batch * features * plane, 6);
  const auto squares = [&](std::size_t image, std::size_t pixel) {
    double sum = 0;
    for (int f = 0; f < features; ++f) sum += std::pow(double(x[(image * features + f) * plane + pixel]), 2);
    return sum;
  };
  DeviceBuffer<float> y(x.size());
  return wrong(run_rms_norm(OnDevice(x).get(), y.get(), batch, features, plane, kEps, nullptr), y,
               [&](std::size_t i) {
                 return x[i] / std::sqrt(squares(i / plane / features, i % plane) / features + kEps);
               });
}

std::size_t layer_norm() {
  const int rows = 3, cols = 1300;
  const Numbers x = numbers(rows * cols, 7), gain = numbers(cols, 8), shift = numbers(cols, 9);
  std::vector<double> means(rows), variances(rows);
  for (int i = 0; i < rows * cols; ++i) means[i / cols] += double(x[i]) / cols;
  for (int i = 0; i < rows * cols; ++i) variances[i / cols] += std::pow(x[i] - means[i / cols], 2) / cols;
  DeviceBuffer<float> y(x.size());
  const cudaError_t launched = run_layer_norm(OnDevice(x).get(), OnDevice(gain).get(), OnDevice(shift).get(),
                                              y.get(), rows, cols, kEps, nullptr);
  return wrong(launched, y, [&](std::size_t i) {
    const std::size_t row = i / cols, col = i % cols;
    return (x[i] - means[row]) / std::sqrt(variances[row] + kEps) * gain[col] + shift[col];
  });
}

std::size_t sum_over_rows() {
  const int batch = 3, rows = 50, cols = 130;
  const Numbers x = numbers(batch * rows * cols, 10);
  DeviceBuffer<float> y(batch * cols);
  return wrong(run_sum_over_rows(OnDevice(x).get(), y.get(), batch, rows, cols, nullptr), y,
               [&](std::size_t i) {
                 double sum = 0;
                 for (int r = 0; r < rows; ++r) sum += x[(i / cols * rows + r) * cols + i % cols];
                 return sum;
               });
}

std::size_t cumsum() {
  const int rows = 3, cols = 700;
  const Numbers x = numbers(rows * cols, 11);
  std::vector<double> sums(x.begin(), x.end());
  for (int i = 0; i < rows * cols; ++i) sums[i] += i % cols ? sums[i - 1] : 0;
  DeviceBuffer<float> y(x.size());
  return wrong(run_cumsum(OnDevice(x).get(), y.get(), rows, cols, nullptr), y,
               [&](std::size_t i) { return sums[i]; });
}

std::size_t cross_entropy() {
  const int rows = 40, classes = 900;
  const Numbers x = numbers(rows * classes, 12);
  std::vector<long long> target(rows);
  double mean = 0;
  for (int r = 0; r < rows; ++r) {
    target[r] = r * 37 % classes;
    double sum = 0;
    for (int c = 0; c < classes; ++c) sum += std::exp(double(x[r * classes + c]));
    mean += (std::log(sum) - x[r * classes + target[r]]) / rows;
  }
  DeviceBuffer<float> row_loss(rows), loss(1);
  const cudaError_t launched = run_cross_entropy(OnDevice(x).get(), OnDevice(target).get(), row_loss.get(),
                                                 loss.get(), rows, classes, nullptr);
  return wrong(launched, loss, [&](std::size_t) { return mean; });
}

}  // namespace

int main() {
  const struct {
    const char *name;
    std::size_t (*run)();
  } problems[] = {{"matmul", matmul},     {"upper_matmul", upper_matmul},  {"softmax", softmax},
                  {"rms_norm", rms_norm}, {"layer_norm", layer_norm},      {"sum_over_rows", sum_over_rows},
                  {"cumsum", cumsum},     {"cross_entropy", cross_entropy}};
  int worst = 0;
  for (const auto &problem : problems) {
    const std::size_t count = problem.run();
    std::printf("%s: %s\n", problem.name, count ? (std::to_string(count) + " WRONG").c_str() : "right");
    worst = count ? 1 : worst;
  }
  return worst;
}
