// SPDX-License-Identifier: Apache-2.0
//
// Regression with a Gaussian process: Matern 5/2 kernel with one length for all axes, a dense Cholesky
// factor. For a few hundred points of a few knobs; deterministic, and nothing but arithmetic.

#pragma once

#include <optional>
#include <vector>

namespace cupilot {

/// Coordinates, each 0..1.
using Position = std::vector<double>;

struct Prediction {
  double mean = 0, deviation = 0;  ///< in the unit of the values
};

class GaussianProcess {
public:
  /// Values are standardised inside. Empty where the matrix is singular to working precision.
  static std::optional<GaussianProcess> fit(std::vector<Position> positions,
                                            const std::vector<double> &values, double length, double noise);
  /// Length and noise (relative to the values' own deviation) with the largest marginal likelihood of a small
  /// grid; the longer length and the larger noise of two that are equal. Empty without positions.
  static std::optional<GaussianProcess> fit(const std::vector<Position> &positions,
                                            const std::vector<double> &values);

  Prediction at(const Position &position) const;
  double log_likelihood() const { return log_likelihood_; }
  double length() const { return length_; }

private:
  GaussianProcess() = default;

  std::vector<Position> positions_;
  double length_ = 1, center_ = 0, scale_ = 1, log_likelihood_ = 0;
  std::vector<std::vector<double>> factor_;  ///< lower triangle
  std::vector<double> weights_;              ///< inverse of the kernel matrix times the values
};

/// Matern 5/2 of a distance, 1 at 0.
double matern(double distance, double length);
/// By how much a value so predicted is expected to pass `best`; never negative.
double expected_improvement(const Prediction &prediction, double best);
/// The standard normal distribution up to `z`.
double normal_share(double z);

}  // namespace cupilot
