// SPDX-License-Identifier: Apache-2.0
//
// Gaussian process regression with a Matern 5/2 kernel, one length scale for all axes and a dense Cholesky
// factor. Meant for a few hundred points of a few knobs. The result is deterministic.

#pragma once

#include <optional>
#include <vector>

namespace cupilot::search {

/// Coordinates, each in 0..1.
using Position = std::vector<double>;

struct Prediction {
  double mean = 0, deviation = 0;  ///< in the unit of the values
};

class GaussianProcess {
public:
  /// Values are standardised internally. Empty if the matrix is singular to working precision.
  static std::optional<GaussianProcess> fit(std::vector<Position> positions,
                                            const std::vector<double> &values, double length, double noise);
  /// Chooses length and noise (relative to the standard deviation of the values) from a small grid by the
  /// largest marginal likelihood. Of equal ones the longer length and the larger noise win. Empty without
  /// positions.
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

/// The Matern 5/2 kernel of a distance; 1 at distance 0.
double matern(double distance, double length);
/// The expected improvement of the predicted value over `best`; never negative.
double expected_improvement(const Prediction &prediction, double best);
/// The cumulative standard normal distribution at `z`.
double normal_share(double z);

}  // namespace cupilot::search
