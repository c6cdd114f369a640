// SPDX-License-Identifier: Apache-2.0
//
// Rasmussen and Williams, Gaussian Processes for Machine Learning, algorithm 2.1 (prediction and marginal
// likelihood by Cholesky) and 4.17 (Matern 5/2); expected improvement after Jones, Schonlau and Welch 1998.

#include "evolution/search/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace cupilot::search {
namespace {

constexpr double kLengths[] = {2.0, 1.0, 0.7, 0.5, 0.35, 0.25};
constexpr double kNoises[] = {0.1, 0.01, 0.001};

using Matrix = std::vector<std::vector<double>>;

double distance(const Position &a, const Position &b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

Matrix kernel_matrix(const std::vector<Position> &positions, double length, double noise) {
  Matrix matrix;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    matrix.emplace_back();
    for (std::size_t j = 0; j <= i; ++j)
      matrix[i].push_back(matern(distance(positions[i], positions[j]), length) + (i == j ? noise : 0));
  }
  return matrix;
}

/// Replaces the lower triangle by its Cholesky factor. False if the matrix has none.
bool factorise(Matrix &matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
      if (i != j) {
        matrix[i][j] = sum / matrix[j][j];
      } else {
        if (!(sum > 0)) return false;
        matrix[i][i] = std::sqrt(sum);
      }
    }
  }
  return true;
}

/// Solves L x = b.
std::vector<double> solve_lower(const Matrix &factor, std::vector<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) x[i] -= factor[i][j] * x[j];
    x[i] /= factor[i][i];
  }
  return x;
}

/// Solves L^T x = b.
std::vector<double> solve_upper(const Matrix &factor, std::vector<double> x) {
  for (std::size_t i = x.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < x.size(); ++j) x[i] -= factor[j][i] * x[j];
    x[i] /= factor[i][i];
  }
  return x;
}

}  // namespace

double matern(double distance, double length) {
  const double scaled = std::sqrt(5.0) * distance / length;
  return (1 + scaled + scaled * scaled / 3) * std::exp(-scaled);
}

double normal_share(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

double expected_improvement(const Prediction &prediction, double best) {
  const double gain = prediction.mean - best;
  if (!(prediction.deviation > 0)) return std::max(0.0, gain);
  const double z = gain / prediction.deviation;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi);
  return std::max(0.0, gain * normal_share(z) + prediction.deviation * density);
}

std::optional<GaussianProcess> GaussianProcess::fit(std::vector<Position> positions,
                                                    const std::vector<double> &values, double length,
                                                    double noise) {
  if (positions.empty()) return std::nullopt;
  GaussianProcess process;
  const auto count = static_cast<double>(values.size());
  process.length_ = length;
  process.center_ = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - process.center_) * (value - process.center_);
  process.scale_ = squares > 0 ? std::sqrt(squares / count) : 1;
  process.factor_ = kernel_matrix(positions, length, noise);
  if (!factorise(process.factor_)) return std::nullopt;

  std::vector<double> standard;
  for (const double value : values) standard.push_back((value - process.center_) / process.scale_);
  process.weights_ = solve_upper(process.factor_, solve_lower(process.factor_, standard));
  double fit = 0, volume = 0;
  for (std::size_t i = 0; i < standard.size(); ++i) {
    fit += standard[i] * process.weights_[i];
    volume += std::log(process.factor_[i][i]);
  }
  process.log_likelihood_ = -0.5 * fit - volume - 0.5 * count * std::log(2 * std::numbers::pi);
  process.positions_ = std::move(positions);
  return process;
}

std::optional<GaussianProcess> GaussianProcess::fit(const std::vector<Position> &positions,
                                                    const std::vector<double> &values) {
  std::optional<GaussianProcess> best;
  for (const double length : kLengths)
    for (const double noise : kNoises) {
      auto process = fit(positions, values, length, noise);
      if (process && (!best || process->log_likelihood() > best->log_likelihood())) best = std::move(process);
    }
  return best;
}

Prediction GaussianProcess::at(const Position &position) const {
  std::vector<double> near;
  for (const Position &known : positions_) near.push_back(matern(distance(known, position), length_));
  const double mean = std::inner_product(near.begin(), near.end(), weights_.begin(), 0.0);
  const std::vector<double> explained = solve_lower(factor_, near);
  const double variance = 1 - std::inner_product(explained.begin(), explained.end(), explained.begin(), 0.0);
  return {center_ + scale_ * mean, scale_ * std::sqrt(std::max(0.0, variance))};
}

}  // namespace cupilot::search
